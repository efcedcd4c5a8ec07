//! The session of Gamba's protocol.
//!
//! ```text
//! nobody ──100──▶ lobby ──101──▶ waiting ──105──▶ playing
//!   ▲               ▲               │                │
//!   │               └──────102──────┴────112, 102────┘
//!   └──── no PING for too long, from anywhere; the socket stays
//! ```
//!
//! From nobody, RECONNECT leads back to wherever the player was. The first line that is no
//! message closes the connection; a request that is merely refused never does.

use std::sync::Arc;

use hall::{
    Answer, Change, Command, Company, Credential, Dismissal, Event, Joined, Name, Refusal, Role,
    Terms, Time, split_key,
};
use rules::Exit;
use wire::{Garbage, Mark, Session, Speech, Unanswered, UpdateOf};

use super::lines::{self, Kick, Wrong};
use super::verb::{self, Verb};
use super::{Action, Gamba};

pub fn session(terms: &Terms) -> Box<dyn Session> {
    Box::new(BarSession { heartbeat_ms: terms.policy.heartbeat_ms, player: None, asked: None })
}

struct BarSession {
    heartbeat_ms: Option<u64>,
    /// Whom this connection speaks for.
    player: Option<ConnectedPlayer>,
    /// What the answer in flight is to.
    asked: Option<Asked>,
}

struct ConnectedPlayer {
    name: Name,
    /// The last PING, CONNECT or RECONNECT. Nothing else shows that a client is alive.
    heard: Time,
    room: Option<Room>,
}

struct Room {
    company: Arc<Company>,
    /// The last update, once the game has begun.
    update: Option<UpdateOf<Gamba>>,
    /// Where that was said.
    state: Mark,
    /// The own turns that no move has answered yet.
    unanswered: Unanswered,
    /// This player called the start and was told so.
    called: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum Asked {
    Connect(Name),
    Reconnect(Name),
    Join,
    Start,
    Play,
    Pickup,
    /// The player fell silent.
    Part,
    /// The client broke the protocol; the reason.
    Kick(&'static str),
}

/// What comes of a message that is allowed.
enum Reply {
    Pong,
    Ask(Asked, Command),
}

impl BarSession {
    /// What a verb means here and now; the checks come in the protocol's order.
    fn hear(&mut self, now: Time, verb: Verb<'_>, out: &mut Speech) -> Result<Reply, Wrong> {
        match (verb, &mut self.player) {
            (Verb::Connect { .. }, Some(_)) => Err(Wrong::DifferentPlayer),
            (Verb::Connect { name }, None) => {
                let name = out.take_key(name);
                verb::check_name(name)?;
                let name: Name = name.into();
                Ok(Reply::Ask(Asked::Connect(name.clone()), Command::Enter { name }))
            }
            (Verb::Reconnect { name: "" }, _) => Err(Wrong::NameRequired),
            (Verb::Reconnect { name }, Some(player)) if *player.name != *split_key(name).0 => {
                Err(Wrong::DifferentPlayer)
            }
            (Verb::Reconnect { .. }, Some(_)) => Err(Wrong::ReconnectionFailed),
            (Verb::Reconnect { name }, None) => {
                let name: Name = out.take_key(name).into();
                let resume = Command::Resume(Credential::Name(name.clone()));
                Ok(Reply::Ask(Asked::Reconnect(name), resume))
            }
            (_, None) => Err(Wrong::MustConnect),
            (Verb::Ping, Some(player)) => {
                player.heard = now;
                Ok(Reply::Pong)
            }
            (Verb::JoinRoom, Some(player)) => Ok(Reply::Ask(Asked::Join, player.join()?)),
            (Verb::StartGame, Some(player)) => {
                player.room()?;
                Ok(Reply::Ask(Asked::Start, Command::Start))
            }
            // Whether cards are named at all is looked at before the room.
            (Verb::PlayCards(Err(Wrong::NoCards)), _) => Err(Wrong::NoCards),
            (Verb::PlayCards(cards), Some(player)) => {
                let wrong = (Wrong::PlayedEarly, Wrong::PlayedLate);
                let command = player.room()?.act(now, cards?, wrong, out)?;
                Ok(Reply::Ask(Asked::Play, command))
            }
            (Verb::PickupPile, Some(player)) => {
                let wrong = (Wrong::PickedUpEarly, Wrong::PickedUpLate);
                let command = player.room()?.act(now, Action::PickUp, wrong, out)?;
                Ok(Reply::Ask(Asked::Pickup, command))
            }
            (Verb::Foreign, Some(_)) => Err(Wrong::UnknownType),
        }
    }

    /// A kicked player keeps its name and seat for a while: the room hears why it is away before
    /// the socket closes.
    fn kick(&mut self, kick: Kick, out: &mut Speech) {
        out.text(kick.line());
        if self.player.take().is_none() {
            return out.hangup(kick.reason());
        }
        self.asked = Some(Asked::Kick(kick.reason()));
        out.ask(Command::Part(Exit::Disqualified(kick.reason().to_owned())));
    }

    fn enter(&mut self, now: Time, name: Name, room: Option<Room>, out: &mut Speech) {
        out.text(lines::connected(&name));
        self.player = Some(ConnectedPlayer { name, heard: now, room });
    }
}

impl ConnectedPlayer {
    fn room(&mut self) -> Result<&mut Room, Wrong> {
        self.room.as_mut().ok_or(Wrong::NoRoom)
    }

    fn join(&self) -> Result<Command, Wrong> {
        match self.room {
            Some(_) => Err(Wrong::JoiningRoom),
            None => Ok(Command::Join {
                table: None,
                name: self.name.clone(),
                role: Role::Player,
                joined_via: None,
            }),
        }
    }

    fn sit(&mut self, joined: Joined, out: &mut Speech) {
        let seat = joined.seat.expect("players have seats");
        out.text(lines::room_joined(&joined.company, seat));
        self.room = Some(Room::new(joined));
    }

    fn tell(&mut self, now: Time, event: &Event, out: &mut Speech) {
        if let Event::Seated(joined) = event {
            return self.sit((**joined).clone(), out);
        }
        let Some(room) = &mut self.room else {
            // It has waited for a room of a tournament, and there is none for it.
            if let Event::Dismissed(Dismissal::TableClosed(_)) = event {
                out.text(Wrong::JoiningRoom.line());
            }
            return;
        };
        match event {
            Event::Company(company, change) => {
                room.company = company.clone();
                match change {
                    Change::Joined(seat) => out.text(lines::player_joined(company, *seat)),
                    Change::Away(seat, exit) => {
                        let (gone, status) = (company.name(*seat), absence(exit));
                        out.text(lines::player_disconnected(&self.name, company, gone, status));
                    }
                    Change::Back(seat) => {
                        let back = company.name(*seat);
                        out.text(lines::player_reconnected(&self.name, company, back));
                    }
                    // A seat freed in a waiting room is told to nobody.
                    Change::Left(..) => {}
                }
            }
            // Every turn is one player's; the next update says it all.
            Event::Waiting(_) | Event::History(_) | Event::Doubted(_) => {}
            Event::Update(update) => {
                let Some(update) = UpdateOf::open(update, out) else { return };
                room.tell(now, &update, out);
            }
            Event::Over(over) => {
                let view = room.update.as_ref().map(|update| update.view());
                out.text(lines::game_over(&self.name, &over.company, view));
                out.text(lines::room_left(&self.name));
                self.room = None;
            }
            Event::Dismissed(Dismissal::TableClosed(_)) => {
                out.text(lines::room_left(&self.name));
                self.room = None;
            }
            // The protocol does not speak of tournaments.
            Event::Seated(_) | Event::Entered(_) | Event::Paired(_) | Event::Decided(_) => {}
            // Only the house wire asks for it.
            Event::Rematch(_) | Event::Reacted(..) => {}
            Event::Dismissed(Dismissal::Replaced) => {
                out.hangup("the seat was taken by a newer connection");
            }
        }
    }
}

impl Room {
    fn new(joined: Joined) -> Room {
        Room {
            company: joined.company,
            update: None,
            state: Mark::default(),
            unanswered: Unanswered::default(),
            called: false,
        }
    }

    /// Wrong before the start (early), and for a move that was meant for an earlier state (late). Whether
    /// the move is legal the rules decide.
    fn act(
        &mut self,
        now: Time,
        action: Action,
        (early, late): (Wrong, Wrong),
        out: &Speech,
    ) -> Result<Command, Wrong> {
        let is_late = self.unanswered.is_late(now);
        let update = self.update.as_ref().ok_or(early)?;
        if is_late || !out.had_sent(self.state) {
            return Err(late);
        }
        Ok(Command::act::<Gamba>(update.seq, action))
    }

    fn tell(&mut self, now: Time, update: &UpdateOf<Gamba>, out: &mut Speech) {
        let begins = self.update.is_none() && !update.catch_up;
        self.update = Some(update.clone());
        self.company = update.company.clone();
        if begins && !self.called {
            out.text(lines::game_was_started(&self.company.table));
        }
        // The end has words of its own and no last state.
        if let Some(seat) = update.view().viewer.seat().filter(|_| update.view().ending.is_none()) {
            out.text(lines::game_state(&self.company, seat, update.view()));
            self.state = out.mark();
            if update.owed.contains(seat) {
                self.unanswered.ask(now, update.seq);
            }
        }
    }
}

impl Session for BarSession {
    fn on_text(&mut self, now: Time, text: &str, out: &mut Speech) {
        if text.is_empty() {
            return;
        }
        match verb::parse(text).map(|verb| self.hear(now, verb, out)) {
            Ok(Ok(Reply::Pong)) => out.text(lines::PONG),
            Ok(Ok(Reply::Ask(asked, command))) => {
                self.asked = Some(asked);
                out.ask(command);
            }
            Ok(Err(wrong)) => {
                if let Some(cause) = wrong.cause() {
                    out.because(cause);
                }
                out.text(wrong.line());
            }
            Err(kick) => self.kick(kick, out),
        }
    }

    fn on_garbage(&mut self, _now: Time, garbage: Garbage, out: &mut Speech) {
        match garbage {
            // The room hears of a lost connection, nothing more.
            Garbage::TooLong => {
                out.text(Kick::TooLarge.line());
                out.hangup(Kick::TooLarge.reason());
            }
            Garbage::NotUtf8 | Garbage::NotJson | Garbage::Binary => {
                self.kick(Kick::InvalidFormat, out);
            }
        }
    }

    fn on_answer(&mut self, now: Time, answer: Answer, out: &mut Speech) {
        let asked = self.asked.take().expect("every answer has its question");
        if let Answer::Refused(refusal) = &answer {
            return out.text(explain(&asked, refusal).line());
        }
        match (asked, answer) {
            (Asked::Connect(name), _) => self.enter(now, name, None, out),
            (Asked::Reconnect(name), Answer::Joined(joined)) => {
                let room = joined.seat.map(|_| Room::new(*joined));
                self.enter(now, name, room, out);
            }
            (Asked::Kick(reason), _) => out.hangup(reason),
            (asked, answer) => {
                let Some(player) = &mut self.player else { return };
                match (asked, answer, &mut player.room) {
                    (Asked::Join, Answer::Joined(joined), _) => player.sit(*joined, out),
                    (Asked::Start, _, Some(room)) => {
                        room.called = true;
                        out.text(lines::game_started(&room.company.table));
                    }
                    (Asked::Play, ..) => out.text(lines::played(&player.name)),
                    (Asked::Pickup, ..) => out.text(lines::picked_up(&player.name)),
                    _ => {}
                }
            }
        }
    }

    fn on_event(&mut self, now: Time, event: &Event, out: &mut Speech) {
        if let Some(player) = &mut self.player {
            player.tell(now, event, out);
        }
    }

    /// A 105 must not overtake the 101 of whoever joined just before the start: clients take a 101
    /// for the end of the game.
    fn reply_first(&self) -> bool {
        false
    }

    fn on_tick(&mut self, _now: Time, out: &mut Speech) {
        if self.player.take().is_some() {
            self.asked = Some(Asked::Part);
            out.ask(Command::Part(Exit::TimedOut));
        }
    }

    fn deadline(&self) -> Option<Time> {
        Some(self.player.as_ref()?.heard + self.heartbeat_ms?)
    }
}

/// How the room is told that somebody is away.
fn absence(exit: &Exit) -> &'static str {
    match exit {
        Exit::Left | Exit::Lost | Exit::Crashed | Exit::NeverCame => "temporarily_disconnected",
        Exit::TimedOut => "timed_out",
        Exit::Disqualified(_) => "invalid_message",
    }
}

/// Every refusal as this protocol says it: mostly what was asked decides, not why it failed.
fn explain(asked: &Asked, refusal: &Refusal) -> Wrong {
    match refusal {
        Refusal::NameTaken(_) | Refusal::NameEntered { .. } => Wrong::NameTaken,
        Refusal::NeedsKey(_) => Wrong::NeedsKey,
        Refusal::KeyRequired(_) => Wrong::KeyRequired,
        Refusal::WrongKey(_) => Wrong::OtherKey,
        Refusal::BannedName(_) => Wrong::BannedName,
        Refusal::BannedKey => Wrong::BannedKey,
        Refusal::UnknownCredential => Wrong::ReconnectionFailed,
        Refusal::NotEntered => Wrong::MustConnect,
        Refusal::NotSeated => Wrong::NoRoom,
        Refusal::TooFewPlayers | Refusal::AlreadyStarted => Wrong::CannotStart,
        Refusal::AlreadySeated => match asked {
            Asked::Connect(_) | Asked::Reconnect(_) => Wrong::DifferentPlayer,
            _ => Wrong::JoiningRoom,
        },
        Refusal::NoSuchTable
        | Refusal::TableFull
        | Refusal::HallFull
        | Refusal::Draining
        | Refusal::DiskFull
        | Refusal::TooMany
        | Refusal::TooSoon
        | Refusal::IdTaken
        | Refusal::BadTable(_) => Wrong::JoiningRoom,
        Refusal::NotStarted
        | Refusal::AlreadyOver
        | Refusal::NotOver
        | Refusal::NotYourTurn
        | Refusal::AlreadyMoved
        | Refusal::Stale
        | Refusal::NoTurnYet(_)
        | Refusal::Illegal(_) => match asked {
            Asked::Pickup => Wrong::CannotPickup,
            Asked::Start => Wrong::CannotStart,
            _ => Wrong::InvalidPlay,
        },
    }
}
