//! Where the new bot loses: reviews of the last games of a match.

use std::collections::VecDeque;

use anyhow::Result;
use rules::Seat;
use tournament::seating::Side;
use wire::{Games, ReviewWish};

use super::series::GameResult;
use crate::replay::Game;
use crate::review::{Losses, of};
use crate::terminal::output;

/// The most games that are reviewed.
const MOST: usize = 200;

/// Games that will be reviewed.
pub struct Reviews {
    wanted: bool,
    name: String,
    /// Replays, and which seats were the new bot's.
    games: VecDeque<(String, Vec<bool>)>,
}

impl Reviews {
    pub fn new(wanted: bool, name: &str) -> Reviews {
        Reviews { wanted, name: name.to_owned(), games: VecDeque::new() }
    }

    pub fn keep(&mut self, game: &GameResult, replay: String) {
        if !self.wanted || game.void.is_some() {
            return;
        }
        let own = game.seats.iter().map(|seat| seat.side == Side::New).collect();
        self.games.push_back((replay, own));
        if self.games.len() > MOST {
            self.games.pop_front();
        }
    }

    /// Reviews what was kept.
    pub fn tell(&self, games: &Games, json: bool) -> Result<()> {
        if self.games.is_empty() {
            return Ok(());
        }
        let mut losses = Losses::new(&self.name);
        for (replay, own) in &self.games {
            let game = Game::read(replay)?;
            let is_own = |_: &str, seat: Seat| own.get(seat.index()) == Some(&true);
            match of(games, &game, ReviewWish::default(), &mut |_, _| ()) {
                Ok(review) => losses.add(game.id(), &review, &is_own),
                Err(why) => output::note(&format!("{why:#}")),
            }
        }
        match json {
            true => output::line(&losses.json().to_string()),
            false => output::text(&format!("\n{}", losses.told())),
        }
    }
}
