//! What can be typed after `parlor labyrinth`.

use clap::Subcommand;

#[derive(Subcommand)]
pub enum LabyrinthCommand {
    /// Read a Board and a Coordinate; print the squares that can be reached from there.
    #[command(after_help = "Examples:
  parlor labyrinth reach < case.json")]
    Reach,
    /// Read a State, Index, Direction and Degree; print where the first player can go after that slide.
    #[command(after_help = "Examples:
  parlor labyrinth slide < case.json")]
    Slide,
    /// Read "Riemann" or "Euclid", a State and a goal Coordinate; print that strategy's move.
    #[command(after_help = "Examples:
  parlor labyrinth choose < case.json")]
    Choose,
    /// Read a State and "PASS" or a Choice; print the next State.
    #[command(after_help = "Examples:
  parlor labyrinth turn < case.json")]
    Turn,
    /// Read Players and a RefereeState; print the winners and the misbehaved.
    #[command(after_help = "Examples:
  parlor labyrinth game < case.json
  parlor labyrinth game --remote --winners-only < case.json")]
    Game {
        /// Print only the winners.
        #[arg(long)]
        winners_only: bool,
        /// Players are listed in the order in which they signed up; the last one moves first.
        #[arg(long)]
        remote: bool,
    },
}
