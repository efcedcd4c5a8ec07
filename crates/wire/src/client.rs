//! The other side of the wire: a player of a protocol, as pure as the session it talks to.
//!
//! A [`Client`] reads the server's messages, keeps its seat's view of the game as far as the wire
//! shows it, lets a [`Bot`] choose, and writes what a player would send. It owns no socket and no
//! clock, so the same value plays over TCP, over WebSocket and in a test's memory.

use hall::Time;
use rules::{Bot, BotKind, Dice, Game, Seed};

/// One player of one protocol, for any number of games and connections.
///
/// The driver calls [`seek`](Client::seek) for every game it wants, [`open`](Client::open) for
/// every connection, [`on_text`](Client::on_text) for every message, and [`closed`](Client::closed)
/// when a connection is gone. A client that had a seat then sends on the next connection what its
/// protocol prescribes for reconnecting.
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

/// A client's reaction to a message.
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

/// How a game ended, as far as the wire shows this player.
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

/// A player: a name, a strategy, and its randomness.
pub struct Player<G: Game> {
    pub name: String,
    /// Whether to ask the server for information it doesn't send on its own.
    pub thorough: bool,
    make: Box<dyn Fn() -> Box<dyn Bot<G>> + Send>,
    bot: Box<dyn Bot<G>>,
    dice: Dice,
}

impl<G: Game> Player<G> {
    pub fn new(name: impl Into<String>, kind: BotKind<G>, seed: Seed) -> Player<G> {
        Player::with(name, kind.make, seed)
    }

    /// A player with the caller's strategy, created again for every game.
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

/// What an observer between client and server can tell from the messages of a dialect alone.
#[derive(Clone, Copy, Debug)]
pub struct Signs {
    /// Whether a client's message is a move, or the last piece of one.
    pub is_move: fn(&str) -> bool,
    /// Whether a server's message refuses what the client said.
    pub is_refusal: fn(&str) -> bool,
    /// Whether such a refusal is no mistake of the client: another player was faster.
    pub is_forgiven: fn(&str) -> bool,
    /// Whether a server's message ends the game for its receiver.
    pub is_end: fn(&str) -> bool,
    /// The server's answer to a refused move, made from that move; `None` if the player may not
    /// move again.
    pub refusal: Option<fn(&str) -> String>,
    /// The name under which a client's message asks to play, without its key; `None` if the message
    /// has no name.
    pub said_name: fn(&str) -> Option<String>,
    /// A name for the n-th of many players: one that the protocol accepts.
    pub nth_name: fn(usize) -> String,
    /// Whether players can only be called by words of the protocol's own, such as colours.
    pub given_names: bool,
}
