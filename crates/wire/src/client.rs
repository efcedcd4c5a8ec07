//! The other side of the wire: a player of a protocol, as pure as the session it talks to.
//!
//! A [`Client`] reads what a server says, keeps its seat's view of the game as far as the wire
//! tells it, lets a [`Bot`] choose, and writes what a player would send. It owns no socket and no
//! clock, so the same value plays over TCP, over WebSocket and in a test's memory.

use hall::Time;
use rules::{Bot, BotKind, Dice, Game, Seed};

/// One player of one protocol, for any number of games and connections.
///
/// Whoever drives it calls [`seek`](Client::seek) for every game that is wanted,
/// [`open`](Client::open) for every connection, [`on_text`](Client::on_text) for every message,
/// and [`closed`](Client::closed) when a connection is gone. A client that had a seat then says
/// on the next connection what its protocol prescribes for coming back.
pub trait Client: Send {
    /// One more game is wanted: at this table, or wherever there is room. It is asked for at
    /// once, or as soon as there is a connection.
    fn seek(&mut self, now: Time, table: Option<&str>, out: &mut Vec<Reaction>);

    /// A connection is there, the first one or another.
    fn open(&mut self, now: Time, out: &mut Vec<Reaction>);

    /// One message of the server, whole, without its ending.
    fn on_text(&mut self, now: Time, text: &str, out: &mut Vec<Reaction>);

    /// The connection is gone.
    fn closed(&mut self, now: Time, out: &mut Vec<Reaction>);

    /// The client's own [`deadline`](Client::deadline) has come.
    fn on_tick(&mut self, _now: Time, _out: &mut Vec<Reaction>) {}

    fn deadline(&self) -> Option<Time> {
        None
    }
}

/// What a client does about what it heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// A message to the server, without its ending.
    Say(String),
    /// The same, and it is the last piece of a move: the server answers it.
    Move(String),
    /// The server refused something; its words.
    Refused(String),
    /// The game is over, or lost with the connection.
    Over(Ending),
    /// The next game needs another connection.
    Hangup,
    /// The game that was sought cannot be had, and why.
    GiveUp(String),
}

/// How a game ended, as far as the wire tells this player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// None: without a result.
    pub won: Option<bool>,
    pub points: Option<i64>,
    /// The server's own words.
    pub words: String,
}

impl Ending {
    /// A game that ended out of this player's sight, or without a result.
    pub fn unknown(words: &str) -> Ending {
        Ending { won: None, points: None, words: words.to_owned() }
    }
}

/// Who plays: a name, a strategy, and its chance.
pub struct Player<G: Game> {
    pub name: String,
    /// Whether to ask the server for what it knows and does not tell by itself.
    pub thorough: bool,
    make: Box<dyn Fn() -> Box<dyn Bot<G>> + Send>,
    bot: Box<dyn Bot<G>>,
    dice: Dice,
}

impl<G: Game> Player<G> {
    pub fn new(name: impl Into<String>, kind: BotKind<G>, seed: Seed) -> Player<G> {
        Player::with(name, kind.make, seed)
    }

    /// A player with a strategy of the caller's, made anew for every game.
    pub fn with(
        name: impl Into<String>,
        make: impl Fn() -> Box<dyn Bot<G>> + Send + 'static,
        seed: Seed,
    ) -> Player<G> {
        let bot = make();
        let dice = Dice::new(&seed, "client", 0);
        Player { name: name.into(), thorough: true, make: Box::new(make), bot, dice }
    }

    /// Forgets the last game.
    pub fn begin(&mut self) {
        self.bot = (self.make)();
    }

    pub fn choose(&mut self, view: &G::View) -> G::Action {
        self.bot.choose(view, &mut self.dice)
    }

    pub fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }
}

impl<G: Game> std::fmt::Debug for Player<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Player({})", self.name)
    }
}

/// What a stranger between client and server can tell from the messages of a dialect alone.
#[derive(Clone, Copy, Debug)]
pub struct Signs {
    /// Whether a client's message is a move, or the last piece of one.
    pub is_move: fn(&str) -> bool,
    /// Whether a server's message refuses what the client said.
    pub is_refusal: fn(&str) -> bool,
    /// Whether a server's message ends the game for its receiver.
    pub is_end: fn(&str) -> bool,
    /// What the server says to a move it refuses, if the player may then move again.
    pub refusal: Option<&'static str>,
    /// A name for the n-th of many players: one that the protocol accepts.
    pub nth_name: fn(usize) -> String,
    /// Whether players can only be called by words of the protocol's own, such as colours.
    pub given_names: bool,
}
