//! The simplest clients that finish games: they react to each message with a legal move.

/// One client of one protocol.
pub trait Player: Send {
    /// What to say first. `table`: where to sit, if the protocol names tables.
    fn open(&mut self, table: &str, say: &mut Vec<Saying>);

    /// Reacts to one message.
    fn hear(&mut self, message: &str, say: &mut Vec<Saying>) -> Heard;
}

/// Something a client says.
pub enum Saying {
    /// A move: the time to the next message is its latency.
    Move(String),
    Other(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    GoOn,
    /// The game is over; the connection stays.
    Over,
    /// The game is over and so is the connection.
    OverAndClosed,
}

/// How a game is benchmarked.
pub struct Sport {
    pub game: &'static str,
    pub port: &'static str,
    pub seats: usize,
    pub websocket: bool,
    /// Tables are made over HTTP and joined by name.
    pub named_tables: bool,
    /// Moves that make one turn.
    pub moves_per_turn: usize,
    /// Options of the server that make for whole, quick games.
    pub set: &'static [&'static str],
    pub player: fn(name: String) -> Box<dyn Player>,
}

pub const SPORTS: &[Sport] = &[Sport {
    game: "sushi-go",
    port: "sushi-go",
    seats: 2,
    websocket: false,
    named_tables: true,
    moves_per_turn: 2,
    set: &[],
    player: |name| Box::new(SushiGo { name }),
}];

struct SushiGo {
    name: String,
}

impl Player for SushiGo {
    fn open(&mut self, table: &str, say: &mut Vec<Saying>) {
        say.push(Saying::Other(format!("JOIN {table} {}", self.name)));
        say.push(Saying::Other("READY".to_owned()));
    }

    fn hear(&mut self, message: &str, say: &mut Vec<Saying>) -> Heard {
        if message.starts_with("HAND ") {
            say.push(Saying::Move("PLAY 0".to_owned()));
        }
        if message.starts_with("GAME_END ") { Heard::Over } else { Heard::GoOn }
    }
}
