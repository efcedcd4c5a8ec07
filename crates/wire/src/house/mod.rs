//! The house wire: one JSON protocol that plays every game.
//!
//! [`HouseSession`] speaks it for any game: what differs is the view, the action and the
//! [`Manual`]. `hear.rs` holds everything a client can say, `say.rs` and [`hall::Frame`] everything
//! the server says.
//!
//! ```text
//! nowhere ──join──▶ (introduce, enter) ──▶ seated ──over──▶ nowhere
//!    ├────resume─────────────────────────────┘ ▲
//!    ├────join, an entrant whose game is not due: awaited
//!    ├────watch──▶ watching ──leave──▶ nowhere
//!    └────rematch──▶ staying ──all want to──▶ seated
//! ```

mod client;
mod daily;
mod hear;
mod pacing;
mod refusals;
mod say;
mod strangers;
mod telling;

use std::collections::VecDeque;
use std::sync::Arc;

use hall::{
    Answer, Code, Command, Credential, Dismissal, Event, GameHooks, HOUSE_WIRE, Introduction,
    Joined, Name, Names, NewTable, Refusal, Role, Start, Terms, Time,
};
use rules::Exit;
use serde_json::Value;

use crate::manual::LONGEST_NAME;
use crate::{AnyGame, Garbage, Session, Speech};
use hear::{Join, Message, Said, Wants};
use refusals::Refused;
use say::{Hello, Say, text};

pub use crate::manual::{Limit, Manual};
pub use client::{SIGNS, client};
pub use say::greeting;
pub use strangers::choices;
pub(crate) use telling::Telling;

/// The longest message a client may send, in bytes.
pub const MAX_MESSAGE: usize = 64 * 1024;

/// The rule for names. If a game allows longer names than this protocol, the limit isn't mentioned.
fn name_rule(hooks: &GameHooks) -> String {
    match (hooks.is_name)(&"a".repeat(LONGEST_NAME + 1)) {
        true => format!("{}; at most {LONGEST_NAME} characters", hooks.names),
        false => hooks.names.to_owned(),
    }
}

/// One connection that speaks the house wire.
pub struct HouseSession {
    game: &'static dyn AnyGame,
    options: Arc<Value>,
    terms: Terms,
    /// What this spectator of a table sees: everything, with the admin token.
    sees: Role,
    place: Whereabouts,
    /// Questions to the hall that are still open.
    asked: VecDeque<(Asked, Id)>,
    /// The name it has in the hall while it plays, where names are unique there.
    entered: Option<Name>,
    /// The last move that was accepted: said again, it is accepted again.
    accepted: Option<(u64, Value)>,
    telling: Telling,
}

/// The client's state, as far as it knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whereabouts {
    Nowhere,
    /// An entrant of a tournament whose game doesn't exist yet.
    Awaited,
    Seated,
    Watching,
    /// It has stayed after its game, to play it again.
    Staying,
}

/// The id that a direct answer repeats.
type Id = Option<Value>;

/// The question that the hall's next answer belongs to.
enum Asked {
    /// Introduces the player; then the command asks for a seat.
    Introduction(Box<Command>),
    /// Its name in the hall; then it asks for a seat.
    Name(Name, Box<Command>),
    Seat,
    Sight,
    Move(u64, Value),
    /// Something that its client need not know of.
    Formality,
    Ready,
    Start,
    History,
    Tables(usize),
    Rematch,
    Reaction,
    Leave,
}

impl std::fmt::Debug for HouseSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HouseSession").field("place", &self.place).finish_non_exhaustive()
    }
}

impl HouseSession {
    /// A session of a server with these options. An organiser sees everything of what it watches.
    pub fn new(
        game: &'static dyn AnyGame,
        options: Arc<Value>,
        terms: &Terms,
        organiser: bool,
    ) -> HouseSession {
        HouseSession {
            game,
            options,
            terms: terms.clone(),
            sees: if organiser { Role::Organiser } else { Role::Spectator },
            place: Whereabouts::Nowhere,
            asked: VecDeque::new(),
            entered: None,
            accepted: None,
            telling: Telling::new(game),
        }
    }

    fn ask(&mut self, asked: Asked, id: Id, command: Command, out: &mut Speech) {
        self.asked.push_back((asked, id));
        out.ask(command);
    }

    fn refuse(&self, refused: &Refused, id: &Id, out: &mut Speech) {
        let seq = self.telling.seq().filter(|_| self.place == Whereabouts::Seated);
        out.text(text(&Say::refused(refused, seq), id.as_ref()));
    }

    fn accept(&self, seq: Option<u64>, id: &Id, out: &mut Speech) {
        out.text(text(&Say::Accepted { seq }, id.as_ref()));
    }

    /// Says who it is, enters if the game asks for that, and then asks for a seat.
    fn ask_for_seat(
        &mut self,
        introduction: Introduction,
        id: Id,
        command: Command,
        out: &mut Speech,
    ) {
        let asked = Asked::Introduction(Box::new(command));
        self.ask(asked, id, Command::Introduce(introduction), out);
    }

    fn introduced(&mut self, command: Command, id: Id, out: &mut Speech) {
        let name = match &command {
            Command::Join { name, .. } | Command::Open { name, .. } => Some(name.clone()),
            _ => None,
        };
        let enters = self.terms.policy.names == Names::UniqueInHall && self.entered.is_none();
        match name.filter(|_| enters) {
            Some(name) => {
                let asked = Asked::Name(name.clone(), Box::new(command));
                self.ask(asked, id, Command::Enter { name }, out);
            }
            None => self.ask(Asked::Seat, id, command, out),
        }
    }

    fn join(&mut self, now: Time, join: Join, id: Id, out: &mut Speech) {
        match self.join_command(now, &join) {
            Err(refused) => self.refuse(&refused, &id, out),
            Ok(command) => {
                self.telling.set(join.wants);
                if let Some(key) = &join.key {
                    out.show_key(key);
                }
                let legal = join.wants.legal.unwrap_or(true);
                let Join { person, version, .. } = join;
                self.ask_for_seat(Introduction { legal, person, version }, id, command, out);
            }
        }
    }

    fn join_command(&self, now: Time, join: &Join) -> Result<Command, Refused> {
        let name = &join.name;
        let hooks = self.game.hooks();
        if !(hooks.is_name)(name) || name.chars().count() > LONGEST_NAME {
            return Err(Refused::new(
                Code::BadName,
                "this cannot be a name here",
                name_rule(&hooks),
            ));
        }
        if let Some(entered) = self.entered.as_ref().filter(|entered| *entered != name) {
            let message = format!("this connection plays as {entered}");
            let hint = "play under another name over another connection";
            return Err(Refused::new(Code::AlreadySeated, message, hint));
        }
        let (name, joined_via) = (name.clone(), Some(HOUSE_WIRE.into()));
        if join.daily {
            let (table, bots) = daily::table(self.game, &self.options, now, &name)?;
            return Ok(Command::Open { table: Box::new(table), bots, name, joined_via });
        }
        let Some((bots, options)) = &join.own else {
            let (table, role) = (join.table.clone(), Role::Player);
            return Ok(Command::Join { table, name, role, joined_via });
        };
        let own = strangers::own_table(self.game, &self.options, options.clone(), bots.len())?;
        let table = Box::new(NewTable {
            terms: own,
            id: None,
            reserved: Vec::new(),
            seed: None,
            bots_at_once: false,
        });
        Ok(Command::Open { table, bots: bots.clone(), name, joined_via })
    }

    fn resume(&mut self, token: String, wants: Wants, id: Id, out: &mut Speech) {
        self.telling.set(wants);
        let legal = wants.legal.unwrap_or(true);
        let introduction = Introduction { legal, ..Introduction::default() };
        let command = Command::Resume(Credential::Token(token));
        self.ask_for_seat(introduction, id, command, out);
    }

    fn watch(&mut self, table: Option<Name>, id: Id, out: &mut Speech) {
        let role = if table.is_some() { self.sees } else { Role::Follower };
        let (name, joined_via) = ("".into(), Some(HOUSE_WIRE.into()));
        self.ask(Asked::Sight, id, Command::Join { table, name, role, joined_via }, out);
    }

    fn act(&mut self, seq: u64, action: Value, id: Id, out: &mut Speech) {
        if self.accepted.as_ref().is_some_and(|(at, made)| *at == seq && *made == action) {
            return self.accept(Some(seq), &id, out);
        }
        match self.game.rules().reading(|| serde_json::from_value(action.clone())) {
            Ok(read) => {
                let command = Command::Act { seq, action: read };
                self.ask(Asked::Move(seq, action), id, command, out);
            }
            Err(error) => {
                let message = format!("this is not an action: {error}");
                let refused = Refused::new(Code::BadMessage, message, self.game.manual().action);
                self.refuse(&refused, &id, out);
                if self.place == Whereabouts::Seated {
                    self.ask(Asked::Formality, None, Command::Misspeak, out);
                }
            }
        }
    }

    fn start(&mut self, id: Id, out: &mut Speech) {
        match self.terms.policy.start {
            Start::OnCall { .. } => self.ask(Asked::Start, id, Command::Start, out),
            // No call is needed here, which is as good as having called.
            _ => self.ask(Asked::Ready, id, Command::Ready, out),
        }
    }

    fn leave(&mut self, id: Id, out: &mut Speech) {
        match self.place {
            // The client gives up its name as well: without a seat there is nothing to reconnect
            // to.
            Whereabouts::Nowhere if self.entered.take().is_some() => {
                self.ask(Asked::Leave, id, Command::Part(Exit::Left), out);
            }
            Whereabouts::Nowhere => self.accept(None, &id, out),
            _ => self.ask(Asked::Leave, id, Command::Leave, out),
        }
    }

    fn look(&mut self, now: Time, wants: Wants, id: &Id, out: &mut Speech) {
        if !self.telling.look(now, wants, id.as_ref(), out) {
            let refused =
                Refused::new(Code::NotSeated, "there is nothing to look at", "join or watch");
            self.refuse(&refused, id, out);
        }
    }

    fn seated(&mut self, joined: &Joined, id: &Id, out: &mut Speech) {
        self.place = Whereabouts::Seated;
        if self.terms.policy.names == Names::UniqueInHall {
            self.entered = joined.seat.map(|seat| joined.company.name(seat).into());
        }
        self.accepted = None;
        self.telling.sit();
        out.text(text(&Say::joined(joined), id.as_ref()));
        self.telling.table(&joined.company, None, out);
    }

    fn refused(&mut self, asked: Asked, refusal: &Refusal, id: &Id, out: &mut Speech) {
        let harmless = matches!(refusal, Refusal::AlreadyStarted | Refusal::AlreadyOver);
        match asked {
            Asked::Formality => {}
            Asked::Start if harmless => self.accept(self.telling.seq(), id, out),
            Asked::Seat if self.place == Whereabouts::Nowhere && self.entered.take().is_some() => {
                self.refuse(&Refused::from(refusal), id, out);
                self.ask(Asked::Formality, None, Command::Part(Exit::Left), out);
            }
            _ => self.refuse(&Refused::from(refusal), id, out),
        }
    }
}

impl Session for HouseSession {
    fn open(&mut self, _now: Time, out: &mut Speech) {
        out.text(text(&Say::Hello(Hello::of(self.game)), None));
    }

    fn on_text(&mut self, now: Time, said: &str, out: &mut Speech) {
        let Message { id, said } = hear::read(said);
        match said {
            Err(refused) => self.refuse(&refused, &id, out),
            Ok(Said::Join(join)) => self.join(now, *join, id, out),
            Ok(Said::Resume { token, wants }) => self.resume(token, wants, id, out),
            Ok(Said::Watch { table, all, wants }) => {
                self.telling.set(wants);
                self.telling.watch(all);
                self.watch(table, id, out);
            }
            Ok(Said::Ready) => self.ask(Asked::Ready, id, Command::Ready, out),
            Ok(Said::Start) => self.start(id, out),
            Ok(Said::Act { seq, action }) => self.act(seq, action, id, out),
            Ok(Said::Look(wants)) => self.look(now, wants, &id, out),
            Ok(Said::History { from }) => {
                self.ask(Asked::History, id, Command::History { from }, out);
            }
            Ok(Said::Leave) => self.leave(id, out),
            Ok(Said::Rematch { table, token, wants }) => {
                let command = Command::Rematch { table, token, wants };
                self.ask(Asked::Rematch, id, command, out);
            }
            Ok(Said::React(reaction)) => {
                self.ask(Asked::Reaction, id, Command::React(reaction), out);
            }
            Ok(Said::Tables { status, after, limit }) => {
                let command = Command::Tables { status, after, limit };
                self.ask(Asked::Tables(limit), id, command, out);
            }
            Ok(Said::Ping) => out.text(text(&Say::Pong, id.as_ref())),
        }
    }

    fn on_garbage(&mut self, _now: Time, garbage: Garbage, out: &mut Speech) {
        let message = match garbage {
            Garbage::TooLong => format!("a message has at most {MAX_MESSAGE} bytes"),
            _ => "a message is text".to_owned(),
        };
        let hint = "send one JSON object a text frame";
        self.refuse(&Refused::new(Code::BadMessage, message, hint), &None, out);
    }

    fn on_answer(&mut self, _now: Time, answer: Answer, out: &mut Speech) {
        let (asked, id) = self.asked.pop_front().expect("the hall answers what it was asked");
        match (asked, answer) {
            (asked, Answer::Refused(refusal)) => self.refused(asked, &refusal, &id, out),
            (Asked::Introduction(command), _) => self.introduced(*command, id, out),
            (Asked::Name(name, command), _) => {
                self.entered = Some(name);
                self.ask(Asked::Seat, id, *command, out);
            }
            (Asked::Seat, Answer::Joined(joined)) => self.seated(&joined, &id, out),
            (Asked::Seat, _) => {
                self.place = Whereabouts::Awaited;
                self.telling.nowhere(id.as_ref(), out);
            }
            (Asked::Sight, Answer::Joined(joined)) => {
                self.place = Whereabouts::Watching;
                self.telling.table(&joined.company, id.as_ref(), out);
            }
            (Asked::Move(seq, action), _) => {
                self.accepted = Some((seq, action));
                self.accept(Some(seq), &id, out);
            }
            (Asked::Tables(limit), Answer::Listed(tables)) => {
                out.text(text(&Say::tables(&tables.tables, limit), id.as_ref()));
            }
            (Asked::Rematch, _) => {
                self.place = Whereabouts::Staying;
                self.accept(None, &id, out);
            }
            (Asked::Reaction, _) => self.accept(None, &id, out),
            (Asked::Ready | Asked::Start, _) => self.accept(self.telling.seq(), &id, out),
            (Asked::Leave, _) => {
                if self.place == Whereabouts::Seated {
                    self.entered = None;
                }
                self.place = Whereabouts::Nowhere;
                self.accept(None, &id, out);
            }
            // The event that follows is the answer.
            (Asked::History, _) => self.telling.awaits_history(id),
            (Asked::Formality | Asked::Sight | Asked::Tables(_), _) => {}
        }
    }

    fn on_event(&mut self, now: Time, event: &Event, out: &mut Speech) {
        match event {
            Event::Seated(joined) => self.seated(joined, &None, out),
            Event::Update(update) => {
                self.telling.update(now, update, out);
                if let Some(action) = self.game.formality(&update.view).filter(|_| update.owes) {
                    let command = Command::Act { seq: update.seq, action };
                    self.ask(Asked::Formality, None, command, out);
                }
            }
            Event::Dismissed(Dismissal::Replaced) => {
                let reason = "another connection has taken your seat";
                out.text(text(&Say::Closed { reason, resume: true }, None));
                out.hangup(reason);
            }
            Event::Over(_) | Event::Dismissed(Dismissal::TableClosed(_)) => {
                self.telling.event(now, event, out);
                if self.place == Whereabouts::Seated {
                    self.place = Whereabouts::Nowhere;
                    self.entered = None;
                }
            }
            Event::Reacted(seat, reaction) => {
                out.text(text(&Say::Reacted { seat: *seat, reaction: *reaction }, None));
            }
            Event::Rematch(rematch) => out.text(text(&Say::rematch(rematch), None)),
            _ => self.telling.event(now, event, out),
        }
    }

    fn on_tick(&mut self, now: Time, out: &mut Speech) {
        self.telling.tick(now, out);
    }

    fn deadline(&self) -> Option<Time> {
        self.telling.deadline()
    }
}
