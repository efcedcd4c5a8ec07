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

pub const SPORTS: &[Sport] = &[
    Sport {
        game: "sushi-go",
        port: "sushi-go",
        seats: 2,
        websocket: false,
        named_tables: true,
        moves_per_turn: 2,
        set: &[],
        player: |name| Box::new(SushiGo { name }),
    },
    Sport {
        game: "gamba",
        port: "gamba",
        seats: 2,
        websocket: false,
        named_tables: false,
        moves_per_turn: 1,
        set: &[],
        player: |name| Box::new(Gamba { name, entered: false }),
    },
    Sport {
        game: "tiger-dragon",
        port: "tiger-dragon",
        seats: 4,
        websocket: true,
        named_tables: false,
        moves_per_turn: 1,
        set: &[],
        player: |name| Box::new(TigerDragon { name }),
    },
];

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

struct Gamba {
    name: String,
    entered: bool,
}

impl Player for Gamba {
    fn open(&mut self, _table: &str, say: &mut Vec<Saying>) {
        if !self.entered {
            self.entered = true;
            say.push(Saying::Other(format!("0|||name={}", self.name)));
        }
        say.push(Saying::Other("2|||".to_owned()));
    }

    fn hear(&mut self, message: &str, say: &mut Vec<Saying>) -> Heard {
        match message.split('|').next() {
            // Whoever makes the room full starts the game.
            Some("101")
                if !message.contains("broadcast_type") && message.contains("room_full=true") =>
            {
                say.push(Saying::Other("5|||".to_owned()));
            }
            Some("106") if message.ends_with("your_turn=true") => {
                say.push(Saying::Move(gamba_move(message)));
            }
            Some("102") => return Heard::Over,
            _ => {}
        }
        Heard::GoOn
    }
}

/// The first card that fits, a reserve, or the pile.
fn gamba_move(state: &str) -> String {
    let field = |key: &str| {
        let value = state.split('|').find_map(|part| part.strip_prefix(key)?.strip_prefix('='));
        value.unwrap_or_default()
    };
    let value = |card: &str| match &card[..card.len() - 1] {
        "J" => 11,
        "Q" => 12,
        "K" => 13,
        "A" => 14,
        number => number.parse().unwrap_or(0),
    };
    let (top, low) = (field("top_card"), field("must_play_low") == "true");
    let fits = |card: &&str| match value(card) {
        _ if top == "1S" || value(top) == 2 => true,
        2 => true,
        value if low => value <= 7,
        7 | 10 => true,
        card => card >= value(top),
    };
    match field("hand") {
        "" => "7|||cards=RESERVE".to_owned(),
        hand => match hand.split(',').find(fits) {
            Some(card) => format!("7|||cards={card}"),
            None => "8|||".to_owned(),
        },
    }
}

struct TigerDragon {
    name: String,
}

impl Player for TigerDragon {
    fn open(&mut self, _table: &str, say: &mut Vec<Saying>) {
        let name = &self.name;
        say.push(Saying::Other(format!(
            r#"{{"type":"join","room_id":"room1","player_id":"{name}","role":"player"}}"#
        )));
    }

    fn hear(&mut self, message: &str, say: &mut Vec<Saying>) -> Heard {
        if message.starts_with(r#"{"type":"game_over""#) {
            return Heard::OverAndClosed;
        }
        let legal = message.split_once(r#""legal":""#).map_or("", |(_, rest)| rest);
        let choice = legal.split([',', '"']).next().unwrap_or_default();
        if !choice.is_empty() {
            say.push(Saying::Move(format!(r#"{{"type":"action","choice":"{choice}"}}"#)));
        }
        Heard::GoOn
    }
}
