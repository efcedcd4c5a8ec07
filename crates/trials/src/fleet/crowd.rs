//! All players of a fleet trial, and how each of them finishes.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::task::JoinSet;
use tokio::time::timeout;
use wire::Games;

use super::FleetTrial;
use super::nodes::Nodes;
use super::player::{Life, Player};
use super::tournaments::Event;
use super::trail::Trail;

#[derive(Debug, Default)]
pub struct Crowd {
    playing: JoinSet<Vec<Life>>,
    trails: Vec<Trail>,
}

impl Crowd {
    /// Lets players of every wire in.
    pub fn of_all_wires(
        games: &Games,
        trial: FleetTrial,
        nodes: &Nodes,
        stop: &Arc<AtomicBool>,
    ) -> Crowd {
        let mut crowd = Crowd::default();
        let wires = games.iter().flat_map(|game| game.wires()).map(Arc::new).enumerate();
        for (kind, wire) in wires {
            for number in 0..trial.players {
                let number = (kind * trial.players + number) as u64;
                let (nodes, stop) = (nodes.clone(), stop.clone());
                crowd.let_in(Player::new(wire.clone(), nodes, number, trial.seed, stop));
            }
        }
        crowd
    }

    /// Lets those in who have entered a tournament.
    pub fn enter(
        &mut self,
        games: &Games,
        trial: FleetTrial,
        event: &Event,
        nodes: &Nodes,
        over: &Arc<AtomicBool>,
    ) -> Result<()> {
        let wire = Arc::new(games.wire(event.game, None).map_err(anyhow::Error::msg)?);
        for (number, name) in event.names.iter().enumerate() {
            let (nodes, over) = (nodes.clone(), over.clone());
            let number = 500 + number as u64;
            let mut player = Player::new(wire.clone(), nodes, number, trial.seed, over);
            player.entered_as = Some(name.clone());
            self.let_in(player);
        }
        Ok(())
    }

    fn let_in(&mut self, player: Player) {
        self.trails.push(player.trail.clone());
        self.playing.spawn(player.play());
    }

    /// The memories of all players that finish in time.
    pub async fn end_within(&mut self, time: Duration) -> Result<Vec<Life>> {
        let mut lives = Vec::new();
        let all = async {
            while let Some(remembered) = self.playing.join_next().await {
                lives.extend(remembered.context("a player broke down")?);
            }
            anyhow::Ok(())
        };
        // Those who are still playing then are asked what they are at.
        if let Ok(ended) = timeout(time, all).await {
            ended?;
        }
        Ok(lives)
    }

    /// Those who have not come to their end.
    pub fn left(&self) -> impl Iterator<Item = &Trail> {
        self.trails.iter().filter(|trail| !trail.is_over())
    }
}
