//! What a review of Labyrinth weighs: what the strategies propose. Legal turns are too many.

use rules::{Determinise, Dice, Game, Past, Reviewable, Seat, Viewer};

use super::super::board::{Choice, Degree};
use super::super::rules::{Action, Labyrinth, Phase, View};
use super::Strategy;
use super::ariadne::Ariadne;

/// How many of the turns that look best to [`Ariadne`] are weighed.
const PROPOSALS: usize = 6;

impl Reviewable for Labyrinth {
    /// What the others are after.
    type Memory = Ariadne;

    const KINDS: &'static [&'static str] = &["to the treasure", "home", "acknowledge"];
    const DEALS: u32 = 128;

    fn remember(memory: &mut Ariadne, view: &View) {
        if view.phase == Phase::Playing {
            memory.follow(view);
        }
    }

    fn redeal(past: &Past<'_, Labyrinth>, dice: &mut Dice) -> Option<Labyrinth> {
        let Past { game, config, seat, actions, .. } = *past;
        if game.exits.iter().all(Option::is_none) {
            return game.redealt(seat, config, actions.iter(), dice);
        }
        let other = Labyrinth::determinise(&game.view(Viewer::Seat(seat)), dice)?;
        // What the table is played by, and who has gone, shows in no view.
        Some(Labyrinth { quests: other.quests, first: other.first, ..game.clone() })
    }

    fn candidates(view: &View, memory: &Ariadne, dice: &mut Dice) -> Vec<Action> {
        if view.phase != Phase::Playing {
            return vec![Action::Acknowledge];
        }
        let from = view.avatar(view.order[0]).position;
        let goal = view.target().unwrap_or(view.avatar(view.order[0]).home);
        let mut choices = memory.proposals(view, PROPOSALS, dice);
        choices.extend(Strategy::Euclid.choose(&view.maze, from, goal));
        choices.extend(Strategy::Riemann.choose(&view.maze, from, goal));
        let mut actions = vec![Action::Pass];
        for choice in choices {
            let action = Labyrinth::canonical(view, &Action::Play(choice));
            if !actions.contains(&action) {
                actions.push(action);
            }
        }
        actions
    }

    /// The least turn of the spare that puts it in the same way.
    fn canonical(view: &View, action: &Action) -> Action {
        let Action::Play(choice) = action else { return *action };
        let spare = view.maze.spare.connector;
        let alike = |degree: &Degree| spare.turned(*degree) == spare.turned(choice.degree);
        let degree = Degree::ALL.into_iter().find(alike).unwrap_or(choice.degree);
        Action::Play(Choice { degree, ..*choice })
    }

    fn kind(view: &View, action: &Action) -> &'static str {
        let is_homeward = view.quest().is_some_and(|quest| quest.homeward);
        match action {
            Action::Acknowledge => "acknowledge",
            _ if is_homeward => "home",
            _ => "to the treasure",
        }
    }

    /// To the goal, else as near to it as can be.
    fn quick_move(&self, seat: Seat, _: &mut Dice) -> Action {
        if self.ending.is_some() {
            return Action::Acknowledge;
        }
        let home = self.avatars[seat.index()].home;
        let goal = self.quests[seat.index()].target(home).unwrap_or(home);
        let choice = Strategy::Euclid.choose(&self.maze, self.position(seat), goal);
        choice.map_or(Action::Pass, Action::Play)
    }
}
