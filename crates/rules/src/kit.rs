//! The conformance kit: the promises of [`Game`], kept under random play.
//!
//! A game's tests implement [`Subject`] and call [`conform`]. Every failure names the seed.

use crate::{
    BotKind, Determinise, Dice, Exit, Game, Move, Scene, Seat, SeatSet, Seed, Step, Viewer, picture,
};

/// What a game supplies so that the kit can examine it. For tests only.
pub trait Subject: Determinise {
    /// No game, however it is played, has more turns than this.
    const TURN_BOUND: u64;

    /// The tables to try: configurations and numbers of seats.
    fn tables() -> Vec<(Self::Config, usize)>;

    /// Whether anything is hidden from any seat. If not, all views are the same.
    const HAS_SECRETS: bool = true;
}

/// Plays `seeds` random games at every table of the subject and asserts every promise.
pub fn conform<G: Subject>(seeds: u64) {
    for (table, (config, seats)) in G::tables().into_iter().enumerate() {
        let mut worlds_differed = false;
        for number in 0..seeds {
            let trial = Trial::<G> {
                config: &config,
                seats,
                seed: Seed::from_number(number),
                name: format!("{} table {table} ({seats} seats) seed {number}", G::NAME),
            };
            let steps = trial.play_out();
            trial.replays_alike(&steps);
            trial.survives_retirements();
            // These are slow, and depend little on the deal.
            if number < 5 {
                trial.views_read_back(&steps);
                trial.plays_on(&steps);
            }
            if G::HAS_SECRETS {
                worlds_differed |= trial.hides_secrets(&steps);
            } else {
                trial.hides_nothing(&steps);
            }
        }
        assert!(
            worlds_differed || !G::HAS_SECRETS,
            "{} table {table}: determinise always guessed right, so the leak test shows nothing",
            G::NAME
        );
    }
}

/// Seats every strategy at every table of the subject, among the others, and asserts that it gives
/// legal moves until the game is over, and the same ones for the same seed.
pub fn bots_conform<G: Subject>(kinds: &[BotKind<G>], seeds: u64) {
    for (table, (config, seats)) in G::tables().into_iter().enumerate() {
        for (first, number) in
            (0..kinds.len()).flat_map(|first| (0..seeds).map(move |n| (first, n)))
        {
            let seated: Vec<_> =
                (0..seats).map(|seat| kinds[(first + seat) % kinds.len()]).collect();
            let seed = Seed::from_number(number);
            let name = format!("{} table {table} ({seated:?}) seed {number}", G::NAME);
            let trial = Trial::<G> { config: &config, seats, seed, name };
            let game = trial.let_play(&seated);
            assert_eq!(trial.let_play(&seated), game, "{}: not the same game twice", trial.name);
        }
    }
}

/// A step that owns its moves.
enum Played<A> {
    Turn(Vec<(Seat, Move<A>)>),
    Departure(Vec<(Seat, Exit)>),
}

struct Trial<'a, G: Game> {
    config: &'a G::Config,
    seats: usize,
    seed: Seed,
    name: String,
}

impl<G: Subject> Trial<'_, G> {
    fn setup(&self) -> G {
        G::setup(self.config, self.seats, self.seed)
            .unwrap_or_else(|why| panic!("{}: setup refused: {why}", self.name))
    }

    /// Plays legal turns to the end, checking each state on the way.
    fn play_out(&self) -> Vec<Played<G::Action>> {
        let mut dice = Dice::new(&self.seed, "kit play", 0);
        let mut game = self.setup();
        let mut steps = Vec::new();
        self.inspect(&game);
        while !game.to_act().is_empty() {
            let turn = self.sample_turn(&game, &mut dice);
            game.advance(Step::Turn(&turn));
            steps.push(Played::Turn(turn));
            self.inspect(&game);
            assert!(steps.len() as u64 <= G::TURN_BOUND, "{}: does not end", self.name);
        }
        steps
    }

    /// Bots play to the end.
    fn let_play(&self, seated: &[BotKind<G>]) -> G {
        let mut bots: Vec<_> = seated.iter().map(|kind| (kind.make)()).collect();
        let mut dice = Dice::new(&self.seed, "kit bots", 0);
        let mut game = self.setup();
        for _ in 0..=G::TURN_BOUND {
            if game.to_act().is_empty() {
                return game;
            }
            let act = |seat: Seat| {
                let view = game.view(Viewer::Seat(seat));
                let action = bots[seat.index()].choose(&view, &mut dice);
                if let Err(why) = game.check(seat, &action) {
                    panic!("{}: seat {seat} gives {action:?}: {why}", self.name);
                }
                (seat, Move::Act(action))
            };
            let turn: Vec<_> = game.to_act().iter().map(act).collect();
            game.advance(Step::Turn(&turn));
        }
        panic!("{}: does not end", self.name);
    }

    fn sample_turn(&self, game: &G, dice: &mut Dice) -> Vec<(Seat, Move<G::Action>)> {
        let act = |seat| {
            let action = game.sample(seat, dice);
            if let Err(why) = game.check(seat, &action) {
                panic!("{}: sample gave {action:?}, which is illegal: {why}", self.name);
            }
            if let Some(legal) = game.legal(seat) {
                assert!(legal.contains(&action), "{}: {action:?} is not listed", self.name);
            }
            (seat, Move::Act(action))
        };
        game.to_act().iter().map(act).collect()
    }

    /// What must hold in every state.
    fn inspect(&self, game: &G) {
        let name = &self.name;
        assert_eq!(
            game.to_act().is_empty(),
            game.outcome().is_some(),
            "{name}: nobody to act exactly when there is an outcome"
        );
        if let Some(outcome) = game.outcome() {
            assert_eq!(outcome.standings.len(), self.seats, "{name}: one standing a seat");
        }
        for seat in game.to_act().iter() {
            assert!(seat.index() < self.seats, "{name}: seat {seat} does not exist");
            let most = game.legal_at_most(seat);
            assert_eq!(most.is_some(), game.legal(seat).is_some(), "{name}: listed or counted");
            if let Some(legal) = game.legal(seat) {
                assert!(Some(legal.len()) <= most, "{name}: {} actions, not {most:?}", legal.len());
                assert!(!legal.is_empty(), "{name}: seat {seat} owes a move and has none");
                for action in &legal {
                    let verdict = game.check(seat, action);
                    assert_eq!(verdict, Ok(()), "{name}: listed but refused: {action:?}");
                }
                self.round_trips(&legal[0]);
            }
            if let Some(action) = game.default_action(seat) {
                assert_eq!(game.check(seat, &action), Ok(()), "{name}: default {action:?}");
                self.round_trips(&action);
            }
        }
        let names: Vec<String> = (0..self.seats).map(|seat| format!("player-{seat}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        for viewer in Viewer::all(self.seats) {
            let view = game.view(viewer);
            serde_json::to_string(&view).unwrap_or_else(|e| panic!("{name}: {viewer:?}: {e}"));
            self.draws(&Scene::of(&view, &names));
        }
        let seat_views: Vec<G::View> =
            Seat::all(self.seats).map(|seat| game.view(Viewer::Seat(seat))).collect();
        let view = &game.view(Viewer::Public);
        self.draws(&Scene { view, seat_views: &seat_views, names: &names });
    }

    /// A picture is there, and fits a terminal.
    fn draws(&self, scene: &Scene<'_, G::View>) {
        let picture = G::picture(scene);
        let name = &self.name;
        assert!(!picture.trim().is_empty(), "{name}: nothing is drawn of {:?}", scene.view);
        let wide = picture.lines().find(|line| line.chars().count() > picture::WIDTH);
        assert_eq!(wide, None, "{name}: too wide for a terminal");
    }

    /// A view that was sent as JSON is the same view when it is read.
    fn views_read_back(&self, steps: &[Played<G::Action>]) {
        let name = &self.name;
        let mut game = self.setup();
        let stride = steps.len() / 20 + 1;
        for (index, played) in steps.iter().enumerate() {
            game.advance(played.step());
            if index % stride != 0 && index + 1 != steps.len() {
                continue;
            }
            for view in Viewer::all(self.seats).map(|viewer| game.view(viewer)) {
                let text = serde_json::to_string(&view).expect("inspected");
                let back: G::View = serde_json::from_str(&text)
                    .unwrap_or_else(|e| panic!("{name}: {text} does not read back: {e}"));
                assert_eq!(back, view, "{name}: {text}");
            }
        }
    }

    fn round_trips(&self, action: &G::Action) {
        let text = serde_json::to_string(action).expect("actions serialise");
        let back: G::Action = serde_json::from_str(&text)
            .unwrap_or_else(|e| panic!("{}: {text} does not read back: {e}", self.name));
        assert_eq!(&back, action, "{}: {text}", self.name);
    }

    /// The same seed and moves give the same game.
    fn replays_alike(&self, steps: &[Played<G::Action>]) {
        let (mut one, mut two) = (self.setup(), self.setup());
        for played in steps {
            one.advance(played.step());
            two.advance(played.step());
        }
        assert_eq!(one, two, "{}: not deterministic", self.name);
        assert!(one.outcome().is_some(), "{}: replay did not end", self.name);
    }

    /// Seats go at random, in turns and between them, until the game is over.
    fn survives_retirements(&self) {
        let mut dice = Dice::new(&self.seed, "kit retirement", 0);
        let mut game = self.setup();
        let mut retired = SeatSet::EMPTY;
        // The choices that leaving seats had made in this turn.
        let mut chosen = Vec::new();
        // Leaving in the middle of a turn doesn't end it, so each seat may add a step.
        for _ in 0..=G::TURN_BOUND + self.seats as u64 {
            let owed = game.to_act();
            if owed.is_empty() {
                let outcome = game.outcome().expect("inspected");
                for seat in retired.iter() {
                    let exit = &outcome.standings[seat.index()].exit;
                    assert!(exit.is_some(), "{}: seat {seat} retired, not finished", self.name);
                }
                return;
            }
            let staying = SeatSet::all(self.seats).without(retired);
            let goes: Vec<Seat> = staying.iter().filter(|_| dice.one_in(12)).collect();
            let completes = owed.iter().all(|seat| goes.contains(&seat));
            let mut turn = self.sample_turn(&game, &mut dice);
            let played = if !goes.is_empty() && !completes && dice.one_in(2) {
                turn.retain(|(seat, _)| goes.contains(seat) && dice.one_in(2));
                chosen.append(&mut turn);
                Played::Departure(goes.iter().map(|&seat| (seat, exit(&mut dice))).collect())
            } else {
                turn.retain(|(seat, _)| !goes.contains(seat));
                turn.extend(goes.iter().map(|&seat| (seat, Move::Retire(exit(&mut dice)))));
                turn.append(&mut chosen);
                turn.sort_by_key(|(seat, _)| *seat);
                Played::Turn(turn)
            };
            game.advance(played.step());
            retired = goes.into_iter().chain(retired.iter()).collect();
            self.inspect(&game);
        }
        panic!("{}: does not end once seats retire", self.name);
    }

    /// All viewers see the same.
    fn hides_nothing(&self, steps: &[Played<G::Action>]) {
        let mut game = self.setup();
        for (index, played) in steps.iter().enumerate() {
            let seen = game.view(Viewer::Public);
            for viewer in Viewer::all(self.seats) {
                let name = &self.name;
                assert_eq!(game.view(viewer), seen, "{name}: after {index} turns {viewer:?}");
            }
            game.advance(played.step());
        }
    }

    /// Dealing again what a viewer can't see doesn't change its view. Returns whether any deal
    /// differed.
    fn hides_secrets(&self, steps: &[Played<G::Action>]) -> bool {
        let mut dice = Dice::new(&self.seed, "kit secrets", 0);
        let mut game = self.setup();
        let mut differed = false;
        // Long games are sampled: about fifty states of each.
        let stride = steps.len() / 50 + 1;
        for (index, played) in steps.iter().enumerate() {
            if index % stride == 0 {
                for viewer in Viewer::all(self.seats) {
                    differed |= self.imagine(&game, viewer, &mut dice) != game;
                }
            }
            game.advance(played.step());
        }
        differed
    }

    fn imagine(&self, game: &G, viewer: Viewer, dice: &mut Dice) -> G {
        let (name, view) = (&self.name, game.view(viewer));
        let other = G::determinise(&view, dice)
            .unwrap_or_else(|| panic!("{name}: nothing to be made of {view:?}"));
        assert_eq!(other.view(viewer), view, "{name}: {viewer:?} sees what it must not");
        other
    }

    /// A seat's legal actions don't depend on what it can't see, and a game made from its view can
    /// be continued.
    fn plays_on(&self, steps: &[Played<G::Action>]) {
        let name = &self.name;
        let mut dice = Dice::new(&self.seed, "kit imagined", 0);
        let mut game = self.setup();
        let stride = steps.len() / 20 + 1;
        for (index, played) in steps.iter().enumerate() {
            for seat in game.to_act().iter().filter(|_| index % stride == 0) {
                let mut other = self.imagine(&game, Viewer::Seat(seat), &mut dice);
                assert!(other.to_act().contains(seat), "{name}: seat {seat} owes no move");
                assert_eq!(other.legal(seat), game.legal(seat), "{name}: seat {seat}");
                for _ in 0..5 {
                    let turn = self.sample_turn(&other, &mut dice);
                    other.advance(Step::Turn(&turn));
                    let is_over = other.outcome().is_some();
                    assert_eq!(other.to_act().is_empty(), is_over, "{name}");
                    if is_over {
                        break;
                    }
                }
            }
            game.advance(played.step());
        }
    }
}

impl<A> Played<A> {
    fn step(&self) -> Step<'_, A> {
        match self {
            Played::Turn(moves) => Step::Turn(moves),
            Played::Departure(exits) => Step::Departure(exits),
        }
    }
}

fn exit(dice: &mut Dice) -> Exit {
    match dice.below(6) {
        0 => Exit::Left,
        1 => Exit::TimedOut,
        2 => Exit::Lost,
        3 => Exit::Crashed,
        4 => Exit::NeverCame,
        _ => Exit::Disqualified("kit".to_owned()),
    }
}
