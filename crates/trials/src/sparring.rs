//! Sparring: clients play whole games against sessions and a hall, in virtual time.
//!
//! Whatever a game's client cannot know of the wire it must do without; here it shows whether it
//! plays legally all the same, and whether it sees what its seat may see.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use hall::HOUSE_WIRE;
use rules::{Bot, Dice, Seed, Viewer};
use wire::{Client, Ending, Playable, Player, Reaction, house};

use crate::rehearsal::Rehearsal;
use crate::stage::Stage;

/// Clients at one hall.
pub struct Sparring<G: Playable> {
    rehearsal: Rehearsal<G>,
    dialect: &'static str,
    sides: Vec<Side<G>>,
}

/// One client, and what became of its games.
struct Side<G: Playable> {
    name: String,
    dialect: &'static str,
    client: Box<dyn Client>,
    truth: Truth<G>,
    /// How often it has chosen and was looked at.
    compared: Arc<AtomicUsize>,
    heard: usize,
    connected: bool,
    /// Games it still has to play.
    games: usize,
    endings: Vec<Ending>,
    refusals: Vec<String>,
}

/// What the hall would show this seat now.
type Truth<G> = Arc<Mutex<Option<<G as rules::Game>::View>>>;

/// Virtual time after which nothing can be moving any more.
const PATIENCE_MS: u64 = 200_000;
const STEP_MS: u64 = 100;

impl<G: Playable> Sparring<G> {
    /// A hall with these options, spoken to in this dialect.
    pub fn new(options: G::Options, dialect: &'static str, seed: u64) -> Sparring<G> {
        let rehearsal = Rehearsal::new(options, Seed::from_number(seed)).expect("good options");
        Sparring { rehearsal, dialect, sides: Vec::new() }
    }

    /// A player with a house strategy for a number of games. At each choice, `compare` gets what
    /// the player sees and what the hall would show.
    pub fn add(
        &mut self,
        name: &str,
        strategy: &str,
        games: usize,
        compare: fn(seen: &G::View, truth: &G::View),
    ) {
        self.add_over(self.dialect, name, strategy, games, compare);
    }

    /// The same, in another dialect than the others'.
    pub fn add_over(
        &mut self,
        dialect: &'static str,
        name: &str,
        strategy: &str,
        games: usize,
        compare: fn(seen: &G::View, truth: &G::View),
    ) {
        let kind = *G::bots().iter().find(|kind| kind.name == strategy).expect("a house strategy");
        let truth: Truth<G> = Arc::default();
        let compared: Arc<AtomicUsize> = Arc::default();
        let (known, count) = (truth.clone(), compared.clone());
        let make = move || -> Box<dyn Bot<G>> {
            let (known, count, mut bot) = (known.clone(), count.clone(), (kind.make)());
            Box::new(move |view: &G::View, dice: &mut Dice| {
                if let Some(truth) = &*known.lock().expect("nobody panics with it") {
                    compare(view, truth);
                    count.fetch_add(1, Ordering::Relaxed);
                }
                bot.choose(view, dice)
            })
        };
        let seed = Seed::from_number(self.sides.len() as u64);
        let player = Player::with(name, make, seed);
        let native = G::dialects().iter().find(|known| known.name == dialect);
        let client = match dialect {
            HOUSE_WIRE => house::client(player),
            _ => (native.expect("a dialect").client)(player),
        };
        self.sides.push(Side {
            name: name.to_owned(),
            dialect,
            client,
            truth,
            compared,
            heard: 0,
            connected: false,
            games,
            endings: Vec::new(),
            refusals: Vec::new(),
        });
    }

    /// Cuts a client's connection; the client reconnects.
    pub fn cut(&mut self, name: &str) {
        self.rehearsal.perform(&format!("drop {name}")).expect("it is connected");
    }

    /// Plays until `enough`, or until every game is over.
    pub fn play_until(&mut self, enough: impl Fn(&Stage) -> bool) {
        let mut idle_ms = 0;
        while !enough(&self.rehearsal.stage)
            && self.sides.iter().any(|side| side.endings.len() < side.games)
        {
            if (0..self.sides.len()).any(|index| self.step(index)) {
                idle_ms = 0;
                continue;
            }
            assert!(idle_ms < PATIENCE_MS, "nothing moves any more\n{:?}", self.rehearsal);
            idle_ms += STEP_MS;
            self.rehearsal.perform(&format!("wait {STEP_MS}")).expect("time passes");
        }
    }

    /// Plays every game to its end; how each player's games ended, in order.
    pub fn play(&mut self) -> Vec<Vec<Ending>> {
        self.play_until(|_| false);
        for side in &self.sides {
            assert!(
                side.refusals.is_empty(),
                "{}: {:?}\n{:?}",
                side.name,
                side.refusals,
                self.rehearsal
            );
            let compared = side.compared.load(Ordering::Relaxed);
            assert!(compared > 0, "{} was never asked to choose\n{:?}", side.name, self.rehearsal);
        }
        self.sides.iter().map(|side| side.endings.clone()).collect()
    }

    /// Lets one client read one message or connect. Returns whether there was anything to do.
    fn step(&mut self, index: usize) -> bool {
        let (rehearsal, side) = (&mut self.rehearsal, &mut self.sides[index]);
        let now = rehearsal.stage.now;
        let mut out = Vec::new();
        let done = side.endings.len() >= side.games;
        if let Some(text) = rehearsal.received(&side.name).get(side.heard) {
            side.heard += 1;
            *side.truth.lock().expect("nobody panics with it") =
                truth::<G>(&rehearsal.stage, &side.name);
            side.client.on_text(now, text, &mut out);
        } else if side.connected && !rehearsal.is_connected(&side.name) {
            side.connected = false;
            side.client.closed(now, &mut out);
        } else if !side.connected && !done {
            if side.heard == 0 {
                side.client.seek(now, None, &mut out);
            }
            side.connected = true;
            rehearsal
                .perform(&format!("connect {} {}", side.name, side.dialect))
                .expect("a dialect");
            side.client.open(now, &mut out);
        } else if side.client.deadline().is_some_and(|deadline| deadline <= now) {
            side.client.on_tick(now, &mut out);
        } else {
            return false;
        }
        self.react(index, out);
        true
    }

    fn react(&mut self, index: usize, reactions: Vec<Reaction>) {
        for reaction in reactions {
            let (rehearsal, side) = (&mut self.rehearsal, &mut self.sides[index]);
            match reaction {
                Reaction::Say(text) | Reaction::Move(text) => {
                    rehearsal.perform(&format!("{}> {text}", side.name)).expect("it is connected");
                }
                Reaction::Refused(text) => side.refusals.push(text),
                Reaction::GiveUp(why) => panic!("{} gives up: {why}\n{rehearsal:?}", side.name),
                Reaction::Hangup => {
                    if rehearsal.is_connected(&side.name) {
                        rehearsal.perform(&format!("drop {}", side.name)).expect("it is connected");
                    }
                }
                Reaction::Over(ending) => {
                    side.endings.push(ending);
                    if side.endings.len() < side.games {
                        let mut further = Vec::new();
                        side.client.seek(rehearsal.stage.now, None, &mut further);
                        self.react(index, further);
                    }
                }
            }
        }
    }
}

/// What the seat with this name would be shown at the newest table that has it.
fn truth<G: Playable>(stage: &Stage, name: &str) -> Option<G::View> {
    let tables = stage.hall.tables().map(|(_, table)| table);
    let playing = tables.filter(|table| table.closing().is_none() && table.game().is_some());
    let seats = playing.filter_map(|table| {
        let (seat, _) = table.seated().find(|(_, chair)| *chair.name == *name)?;
        table.game()?.of::<G>().map(|game| game.view(Viewer::Seat(seat)))
    });
    seats.last()
}

impl<G: Playable> std::fmt::Debug for Sparring<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.rehearsal.fmt(f)
    }
}
