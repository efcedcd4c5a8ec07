//! Gamba: two players race to be rid of their cards, first those in the hand, then three
//! face-down reserves. Twos go on anything, sevens force low cards, tens burn the pile.

mod bots;
mod rules;

#[cfg(test)]
mod tests;

pub use bots::BOTS;
pub use rules::{
    Action, Card, Cards, Config, Deal, Ending, Gamba, News, Play, Position, Reason, SeatView,
    Source, TURN_LIMIT, UnknownCard, View,
};
