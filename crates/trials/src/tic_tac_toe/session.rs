//! The server's side of the protocol.
//!
//! ```text
//! client: JOIN <name>[:<key>] [<table>]   BACK <token>   PLAY <1-9>   LEAVE
//! server: JOINED <table> <token>   BACK <table>   WAIT   START <X|O> <opponent>
//!         BOARD <squares> <X|O|->   OVER <won|lost|drawn|void>   LEFT   ERROR <why>
//! ```

use hall::{
    Answer, Closing, Command, Credential, Dismissal, Event, Joined, Over, Refusal, Role, Terms,
    Time,
};
use rules::Seat;
use wire::{Garbage, Session, Speech, UpdateOf};

use super::TicTacToe;
use super::board::{Square, sign};

pub fn session(_terms: &Terms) -> Box<dyn Session> {
    Box::new(LineSession::default())
}

/// Names stand between spaces.
pub fn is_name(name: &str) -> bool {
    (1..=20).contains(&name.chars().count())
        && hall::is_legible(name)
        && !name.contains(char::is_whitespace)
}

#[derive(Default)]
struct LineSession {
    seat: Option<Seat>,
    /// The last update, once the game has begun.
    update: Option<UpdateOf<TicTacToe>>,
    /// What was asked and not yet answered is to leave.
    leaving: bool,
}

impl LineSession {
    /// The command in a line. The error is the text for the client.
    fn hear(&self, line: &str, out: &mut Speech) -> Result<Command, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["JOIN", name, ref table @ ..] if table.len() <= 1 => {
                let name = out.take_key(name);
                if !is_name(name) {
                    return Err("A name has 1 to 20 characters.".to_owned());
                }
                let table = table.first().map(|&table| table.into());
                let (name, role) = (name.into(), Role::Player);
                Ok(Command::Join { table, name, role, joined_via: None })
            }
            ["BACK", token] => Ok(Command::Resume(Credential::Token(token.to_owned()))),
            ["PLAY", square] => {
                let action: Square = square.parse().map_err(|_| "Say PLAY and 1 to 9.")?;
                match &self.update {
                    Some(update) => Ok(Command::act::<TicTacToe>(update.seq, action)),
                    None => Err(Refusal::NotStarted.to_string()),
                }
            }
            ["LEAVE"] => Ok(Command::Leave),
            _ => Err("Say JOIN, BACK, PLAY or LEAVE.".to_owned()),
        }
    }

    fn sit(&mut self, joined: &Joined, out: &mut Speech) {
        (self.seat, self.update) = (joined.seat, None);
        let table = &joined.company.table;
        out.text(match &joined.token {
            Some(token) => format!("JOINED {table} {token}"),
            None => format!("BACK {table}"),
        });
    }

    fn tell(&mut self, update: &UpdateOf<TicTacToe>, out: &mut Speech) {
        let Some(seat) = update.viewer.seat() else { return };
        if self.update.is_none() {
            let opponent = update.company.name(Seat(1 - seat.0));
            out.text(format!("START {} {opponent}", sign(seat)));
        }
        let to_move = update.view().to_move.map_or('-', sign);
        out.text(format!("BOARD {} {to_move}", update.view().board));
        self.update = Some(update.clone());
    }

    fn end(&mut self, over: &Over, out: &mut Speech) {
        let winners = match &over.closing {
            Closing::Over(outcome) => Some(outcome.winners()),
            Closing::Void(_) => None,
        };
        let how = match (winners, self.seat) {
            (Some(winners), Some(seat)) if !winners.contains(seat) => "lost",
            (Some(winners), _) if winners.len() == 1 => "won",
            (Some(_), _) => "drawn",
            (None, _) => "void",
        };
        out.text(format!("OVER {how}"));
        (self.seat, self.update) = (None, None);
    }
}

impl Session for LineSession {
    fn on_text(&mut self, _now: Time, text: &str, out: &mut Speech) {
        match self.hear(text, out) {
            Ok(command) => {
                self.leaving = matches!(command, Command::Leave);
                out.ask(command);
            }
            Err(why) => out.text(format!("ERROR {why}")),
        }
    }

    fn on_garbage(&mut self, _now: Time, _garbage: Garbage, out: &mut Speech) {
        out.text("ERROR This is not a line of text.");
        out.hangup("not a line of text");
    }

    fn on_answer(&mut self, _now: Time, answer: Answer, out: &mut Speech) {
        match answer {
            Answer::Joined(joined) => self.sit(&joined, out),
            Answer::Awaited => out.text("WAIT"),
            Answer::Refused(refusal) => out.text(format!("ERROR {refusal}")),
            Answer::Accepted if self.leaving => {
                (self.seat, self.update) = (None, None);
                out.text("LEFT");
            }
            // The next BOARD answers a move.
            Answer::Accepted | Answer::Entered | Answer::Listed(_) | Answer::Enrolled(_) => {}
        }
    }

    fn on_event(&mut self, _now: Time, event: &Event, out: &mut Speech) {
        match event {
            Event::Seated(joined) => self.sit(joined, out),
            Event::Update(update) => {
                let Some(update) = UpdateOf::open(update, out) else { return };
                self.tell(&update, out);
            }
            Event::Over(over) => self.end(over, out),
            Event::Dismissed(Dismissal::TableClosed(_)) => {
                (self.seat, self.update) = (None, None);
                out.text("OVER void");
            }
            Event::Dismissed(Dismissal::Replaced) => out.hangup("another connection has come"),
            // The protocol has no words for who comes and goes, for history and for tournaments.
            Event::Company(..) | Event::Waiting(_) | Event::History(_) | Event::Doubted(_) => {}
            Event::Entered(_)
            | Event::Paired(_)
            | Event::Decided(_)
            | Event::Rematch(_)
            | Event::Reacted(..) => {}
        }
    }
}
