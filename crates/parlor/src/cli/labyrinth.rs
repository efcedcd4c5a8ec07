//! What can be typed after `parlor labyrinth`.

use clap::Subcommand;

#[derive(Subcommand)]
pub enum LabyrinthCommand {
    /// Board, Coordinate: where one can go from there.
    #[command(after_help = "Examples:
  parlor labyrinth reach < case.json")]
    Reach,
    /// State, Index, Direction, Degree: where the first player can go after that slide.
    #[command(after_help = "Examples:
  parlor labyrinth slide < case.json")]
    Slide,
    /// "Riemann" or "Euclid", State, goal Coordinate: what that strategy does.
    #[command(after_help = "Examples:
  parlor labyrinth choose < case.json")]
    Choose,
    /// State, then "PASS" or a Choice: the next State.
    #[command(after_help = "Examples:
  parlor labyrinth turn < case.json")]
    Turn,
    /// Players and a RefereeState: the winners and the misbehaved.
    #[command(after_help = "Examples:
  parlor labyrinth game < case.json
  parlor labyrinth game --remote --winners-only < case.json")]
    Game {
        /// Print the winners alone.
        #[arg(long)]
        winners_only: bool,
        /// Players come in order of signing up; the last of them moves first.
        #[arg(long)]
        remote: bool,
    },
}
