//! Another game of the same table that one seat cannot tell from this one, by anything it has seen.
//!
//! Every move is public. Hidden is only where the others were sent first: what they have found since
//! follows from their moves. So first goals are dealt anew and the moves are gone through, until
//! they lead to what the seat saw: its own goals, and a game that nobody has won earlier. Where few
//! deals do, [`fitting`] looks for them.

mod fitting;
#[cfg(test)]
mod tests;

use rules::{Dice, Seat};

use super::super::board::{Choice, Coordinate};
use super::config::Config;
use super::quest::Arrival;
use super::{Action, Labyrinth, Quest};

/// Nearly every deal fits what was seen. Where this many do not, those that fit are searched for.
const TRIES: usize = 200;

impl Labyrinth {
    /// `actions` are all moves of the game so far, in which nobody has dropped out. None if the game
    /// is over, or if no deal was found that fits.
    pub fn redealt<'a>(
        &self,
        seat: Seat,
        config: &Config,
        actions: impl Iterator<Item = &'a Action>,
        dice: &mut Dice,
    ) -> Option<Labyrinth> {
        if self.outcome.is_some() || self.order.is_empty() {
            return None;
        }
        let trail = self.trail(config, actions);
        let seen = trail.follow(&self.first, seat);
        let mut places = trail.places();
        for _ in 0..TRIES {
            let Some(first) = trail.deal(seat, &mut places, dice) else { continue };
            let path = trail.follow(&first, seat);
            if path.told == seen.told && path.winner == seen.winner {
                return Some(self.with_quests(seat, first, path));
            }
        }
        let first = fitting::search(&trail, seat, &seen, dice)?;
        let path = trail.follow(&first, seat);
        Some(self.with_quests(seat, first, path))
    }

    fn with_quests(&self, seat: Seat, first: Vec<Option<Coordinate>>, path: Path) -> Labyrinth {
        let mut game = Labyrinth { first, goals: path.goals, ..self.clone() };
        let others = Seat::all(game.quests.len()).zip(path.quests).filter(|(who, _)| *who != seat);
        for (other, quest) in others {
            let tile = match quest.place.filter(|place| self.maze.board.contains(*place)) {
                Some(place) => self.maze.board.tile(place),
                None => self.maze.spare,
            };
            game.quests[other.index()] = Quest { treasure: tile.treasure, ..quest };
        }
        // Only the mover knows where it goes next.
        if let Some(mover) = game.news.mover.filter(|mover| *mover != seat) {
            game.news.next_target =
                path.last_target.filter(|(who, _)| *who == mover).and_then(|(_, at)| at);
        }
        game
    }

    fn trail<'a, 'b>(
        &'a self,
        config: &'a Config,
        actions: impl Iterator<Item = &'b Action>,
    ) -> Trail<'a> {
        let seats = self.order.len();
        let mut order = self.order.clone();
        order.rotate_right(self.turns as usize % seats);
        let turns = actions.filter(|action| **action != Action::Acknowledge);
        let moves = turns.enumerate().map(|(turn, action)| match action {
            Action::Play(choice) => (order[turn % seats], Some(*choice)),
            _ => (order[turn % seats], None),
        });
        Trail { game: self, config, moves: moves.collect() }
    }
}

/// Everything public that tells of goals.
struct Trail<'a> {
    game: &'a Labyrinth,
    config: &'a Config,
    /// Who moved, and how; none for a pass.
    moves: Vec<(Seat, Option<Choice>)>,
}

/// What the moves lead to, with certain first goals.
struct Path {
    quests: Vec<Quest>,
    goals: Vec<Coordinate>,
    /// What the seat was told: in which turn it was sent where.
    told: Vec<(usize, Option<Coordinate>)>,
    /// Who came home with everything found, and in which turn.
    winner: Option<(usize, Seat)>,
    /// Where the seat that moved last was sent by its move, if it was.
    last_target: Option<(Seat, Option<Coordinate>)>,
}

impl Trail<'_> {
    /// Where somebody may be sent first.
    fn places(&self) -> Vec<Coordinate> {
        let board = &self.game.maze.board;
        board.coordinates().filter(|at| self.is_given() || at.is_fixed()).collect()
    }

    /// A board that was given with its goals may have them anywhere.
    fn is_given(&self) -> bool {
        let players = self.config.state.as_ref().map(|state| &state.players);
        players.is_some_and(|players| players.iter().all(|player| player.goto.is_some()))
    }

    /// First goals as they are dealt, with that of `seat` as it is. None if this try does not fit.
    fn deal(
        &self,
        seat: Seat,
        places: &mut [Coordinate],
        dice: &mut Dice,
    ) -> Option<Vec<Option<Coordinate>>> {
        dice.shuffle(places);
        let given = self.is_given();
        let own = self.game.first[seat.index()];
        let mut free = places.iter().copied().filter(|place| given || Some(*place) != own);
        let mut first = self.game.first.clone();
        for other in Seat::all(first.len()).filter(|other| *other != seat) {
            let place = if given { *dice.pick(places) } else { free.next()? };
            if place == self.game.avatars[other.index()].home {
                return None;
            }
            first[other.index()] = Some(place);
        }
        Some(first)
    }

    /// Further goals at the beginning, the next one last.
    fn goals(&self) -> Vec<Coordinate> {
        let given = self.config.state.iter().flat_map(|state| &state.goals);
        let mut goals: Vec<Coordinate> = given.chain(&self.config.goals).copied().collect();
        goals.reverse();
        goals
    }

    fn follow(&self, first: &[Option<Coordinate>], seat: Seat) -> Path {
        let treasure = self.game.maze.spare.treasure;
        let begin = |place: &Option<Coordinate>| Quest {
            treasure,
            place: *place,
            homeward: false,
            found: 0,
        };
        let goals = self.goals();
        let quests = first.iter().map(begin).collect();
        let mut path = Path { quests, goals, told: Vec::new(), winner: None, last_target: None };
        for (turn, (mover, choice)) in self.moves.iter().enumerate() {
            path.last_target = None;
            let Some(choice) = choice else { continue };
            for quest in &mut path.quests {
                quest.carry(self.game.treasures, &self.game.maze.board, choice.slide);
            }
            let home = self.game.avatars[mover.index()].home;
            let quest = &mut path.quests[mover.index()];
            match quest.arrive(choice.to, home, &mut path.goals) {
                Arrival::Elsewhere => {}
                Arrival::Found => {
                    let target = quest.target(home);
                    path.last_target = Some((*mover, target));
                    if *mover == seat {
                        path.told.push((turn, target));
                    }
                }
                Arrival::Home => {
                    path.winner = Some((turn, *mover));
                    break;
                }
            }
        }
        path
    }
}
