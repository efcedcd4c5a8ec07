//! The player's side of the protocol.

use hall::{Time, split_key};
use rules::Seat;
use wire::{Client, Ending, Player, Reaction, Signs};

use super::board::{Board, sign};
use super::{TicTacToe, View};

pub const SIGNS: Signs = Signs {
    is_move: |text| text.starts_with("PLAY "),
    is_refusal: |text| text.starts_with("ERROR "),
    is_forgiven: |_| false,
    is_end: |text| text.starts_with("OVER "),
    refusal: Some(|_| "ERROR The rules do not allow this move: square 5 is not free.".to_owned()),
    said_name: |text| {
        let name = text.strip_prefix("JOIN ")?.split_whitespace().next()?;
        Some(split_key(name).0.to_owned())
    },
    nth_name: |number| format!("player{number}"),
    given_names: false,
};

pub fn client(player: Player<TicTacToe>) -> Box<dyn Client> {
    Box::new(LineClient { player, progress: Progress::Idle, connected: false, wanted: None })
}

struct LineClient {
    player: Player<TicTacToe>,
    progress: Progress,
    connected: bool,
    /// The table that was asked for.
    wanted: Option<String>,
}

enum Progress {
    Idle,
    /// JOIN is said, or will be as soon as there is a connection.
    Joining,
    Seated {
        token: String,
        own: Option<Seat>,
        board: Board,
    },
    /// BACK is said, or will be.
    Returning {
        token: String,
    },
}

impl LineClient {
    fn proceed(&mut self, out: &mut Vec<Reaction>) {
        let say = match &self.progress {
            _ if !self.connected => return,
            Progress::Joining => match &self.wanted {
                Some(table) => format!("JOIN {} {table}", self.player.name),
                None => format!("JOIN {}", self.player.name),
            },
            Progress::Returning { token } => format!("BACK {token}"),
            Progress::Idle | Progress::Seated { .. } => return,
        };
        out.push(Reaction::Say(say));
    }

    fn sit(&mut self, token: String) {
        self.progress = Progress::Seated { token, own: None, board: Board::default() };
    }

    fn look(&mut self, squares: &str, turn: &str, out: &mut Vec<Reaction>) {
        let Progress::Seated { own: Some(own), board, .. } = &mut self.progress else { return };
        let Ok(seen) = squares.parse() else { return };
        *board = seen;
        if turn == sign(*own).to_string() {
            let square = self.player.choose(&View { board: seen, to_move: Some(*own) });
            out.push(Reaction::Move(format!("PLAY {square}")));
        }
    }

    fn refused(&mut self, text: &str, out: &mut Vec<Reaction>) {
        match &self.progress {
            Progress::Joining => {
                out.push(Reaction::GiveUp(text.to_owned()));
                self.progress = Progress::Idle;
            }
            Progress::Returning { .. } => self.over(Ending::unknown(text), out),
            Progress::Idle => out.push(Reaction::Refused(text.to_owned())),
            Progress::Seated { board, .. } => {
                out.push(Reaction::Refused(text.to_owned()));
                // Any square will do.
                if let Some(square) = board.free().next() {
                    out.push(Reaction::Move(format!("PLAY {square}")));
                }
            }
        }
    }

    fn over(&mut self, ending: Ending, out: &mut Vec<Reaction>) {
        self.progress = Progress::Idle;
        out.push(Reaction::Over(ending));
    }
}

impl Client for LineClient {
    fn seek(&mut self, _now: Time, table: Option<&str>, out: &mut Vec<Reaction>) {
        self.wanted = table.map(str::to_owned);
        self.progress = Progress::Joining;
        self.proceed(out);
    }

    fn open(&mut self, _now: Time, out: &mut Vec<Reaction>) {
        self.connected = true;
        self.proceed(out);
    }

    fn on_text(&mut self, _now: Time, text: &str, out: &mut Vec<Reaction>) {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            ["JOINED", _, token] => {
                self.player.begin();
                self.sit(token.to_owned());
            }
            ["BACK", _] => {
                if let Progress::Returning { token } = &mut self.progress {
                    let token = std::mem::take(token);
                    self.sit(token);
                }
            }
            ["START", own, ..] => {
                if let Progress::Seated { own: seat, .. } = &mut self.progress {
                    *seat = Some(Seat(if own == "X" { 0 } else { 1 }));
                }
            }
            ["BOARD", squares, turn] => self.look(squares, turn, out),
            ["OVER", how] => {
                let won = match how {
                    "won" => Some(true),
                    "lost" | "drawn" => Some(false),
                    _ => None,
                };
                let points = won.map(i64::from);
                self.over(Ending { won, points, words: text.to_owned() }, out);
            }
            ["ERROR", ..] => self.refused(text, out),
            _ => {}
        }
    }

    fn closed(&mut self, _now: Time, _out: &mut Vec<Reaction>) {
        self.connected = false;
        if let Progress::Seated { token, .. } = &mut self.progress {
            self.progress = Progress::Returning { token: std::mem::take(token) };
        }
    }
}
