//! A whole game from what one viewer knows of it.

use rules::{Determinise, Dice, Exit, Seat, SeatSet};

use super::config::Config;
use super::view::{Phase, View};
use super::{Labyrinth, Quest};

impl Determinise for Labyrinth {
    /// Hidden are others' treasures and what they have found of them. The table's settings do not
    /// show either, so they are the usual ones: no further goals, and rounds without end.
    fn determinise(view: &View, dice: &mut Dice) -> Option<Labyrinth> {
        if view.phase == Phase::Over || view.order.is_empty() {
            return None;
        }
        let config = Config::default();
        let board = &view.maze.board;
        let mut quest = |seat: &super::view::SeatView| {
            seat.quest.clone().unwrap_or_else(|| {
                let place = board.coordinate(dice.below(board.tiles().len()));
                let homeward = dice.one_in(2);
                let treasure = board.tile(place).treasure;
                Quest { treasure, place: Some(place), homeward, found: u32::from(homeward) }
            })
        };
        let quests: Vec<Quest> = view.seats.iter().map(&mut quest).collect();
        let seats = view.seats.len();
        let stays = |seat: Seat| view.order.contains(&seat) && !view.leaving.contains(seat);
        let turns_left = view.order.len() - view.turns as usize % view.order.len();
        Some(Labyrinth {
            max_rounds: 0,
            passes: config.passes,
            scoring: config.scoring,
            treasures: config.treasures,
            maze: view.maze.clone(),
            avatars: view.seats.iter().map(|seat| seat.avatar.clone()).collect(),
            first: quests.iter().map(|quest| quest.place).collect(),
            quests,
            goals: Vec::new(),
            order: view.order.clone(),
            due: view.order.iter().take(turns_left).copied().collect(),
            passed: SeatSet::EMPTY,
            leaving: view.leaving,
            exits: Seat::all(seats).map(|seat| (!stays(seat)).then_some(Exit::Left)).collect(),
            rounds: view.round.saturating_sub(1),
            turns: view.turns,
            ending: view.ending,
            winners: view.winners,
            places: vec![1; seats],
            news: view.news.clone(),
            outcome: None,
        })
    }
}
