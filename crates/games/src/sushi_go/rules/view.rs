//! What one viewer may know: everything on the table, and its own hand.

use rules::{Exit, Outcome, Seat, Viewer};
use serde::{Deserialize, Serialize};

use super::News;
use super::card::Card;

/// The game as one viewer sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct View {
    pub viewer: Viewer,
    /// From 1 to 3.
    pub round: u8,
    /// From 1 within the round.
    pub turn: u8,
    /// How many turns the round has.
    pub turns: u8,
    /// To which seat the hand of each seat goes after a turn of this round.
    pub passes_to: Vec<Seat>,
    /// Whether the fewest puddings cost 6 points with two players too.
    pub two_player_pudding_penalty: bool,
    /// How many cards each seat holds.
    pub hand_sizes: Vec<usize>,
    /// The viewer's own hand; a card's place in it names the card in an action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<Vec<Card>>,
    pub seats: Vec<ViewedSeat>,
    /// What everybody saw of the last turn.
    pub news: Option<News>,
    pub outcome: Option<Outcome>,
    /// For the session: the start comes with a line that names the seats in their order.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub player_order: bool,
}

/// What everybody sees of one seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ViewedSeat {
    /// The cards laid in this round, in this order.
    pub table: Vec<Card>,
    /// Puddings of all rounds.
    pub puddings: u32,
    /// Points of the rounds that are over.
    pub score: i64,
    /// How it went, if it plays no more.
    pub exit: Option<Exit>,
}

impl View {
    /// The viewer's own place, unless the public looks.
    pub fn own(&self) -> Option<&ViewedSeat> {
        self.viewer.seat().map(|seat| &self.seats[seat.index()])
    }

    pub fn has_chopsticks(&self) -> bool {
        self.own().is_some_and(|own| own.table.contains(&Card::Chopsticks))
    }
}
