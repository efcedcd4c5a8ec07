//! Who writes down what one connection says and hears: a file of `--trace`, the ring of the name
//! whose key it has shown, both, or nobody, which costs nothing. What goes wrong is noted for whoever
//! organises, in any case.

mod exams;
mod trace;
mod troubles;
mod wires;

use std::sync::Arc;
use std::time::Instant;

use hall::{
    Answer, Command, Company, ConnId, Credential, Joined, KeyHash, Name, Role, Update, hide_keys,
};
use rules::{Exit, Game, Viewer};
use wire::{Frame, Playable, Signs, clause_behind, house};

use crate::gate::Peer;
use crate::hosting::HostedGame;

use trace::{Trace, without};
use wires::{Place, Thought, What, shortened};

pub use exams::{Exam, Report};
pub use troubles::{Trouble, Troubles};
pub use wires::{Line, Ring, Wires};

/// What one connection's messages are written to.
pub struct Transcript {
    file: Option<Box<Trace>>,
    wires: Arc<Wires>,
    place: Place,
    /// How the protocol looks from outside, and what stands behind its refusals.
    signs: Signs,
    clause: fn(&str) -> Option<String>,
    peer: Peer,
    troubles: Arc<Troubles>,
    /// Whom it plays for.
    player: Option<Name>,
    /// Whether what is said now is the session's own reply to what was heard.
    replies: bool,
    /// Why the hall has refused what was heard, and what to do, until it is known whether the
    /// protocol calls that a refusal.
    pending: Option<(String, &'static str)>,
    /// What was heard last is known to be refused.
    judged: bool,
    /// The key it has shown last, until that has a ring, and how many rings there were then.
    waits: Option<(KeyHash, u64)>,
    own: Option<Box<OwnWire>>,
}

/// What goes into the ring of the connection's own name.
struct OwnWire {
    key: KeyHash,
    ring: Arc<Ring>,
    secrets: Vec<String>,
    /// What was heard last, until it is known whether a secret was in it, and whether it was a move.
    heard: Option<String>,
    moved: Option<Thought>,
    /// A move waits for its answer.
    moving: bool,
    /// The line of what was heard last.
    line: u64,
    /// How many sat at its table when that was written down.
    company: usize,
    owed: Option<Owed>,
}

/// A move that a game waits for.
struct Owed {
    turn: u64,
    since: Instant,
    clock_ms: Option<u64>,
}

impl Owed {
    fn thought(&self) -> Thought {
        let took_ms = (self.since.elapsed().as_secs_f64() * 1e6).round() / 1e3;
        Thought { turn: self.turn, took_ms, clock_ms: self.clock_ms }
    }
}

impl Transcript {
    /// Of a connection at this place.
    pub fn new<G: Playable>(
        hosted: &HostedGame<G>,
        wire: &'static str,
        conn: ConnId,
        peer: Peer,
    ) -> Transcript {
        let known = G::dialects().iter().find(|dialect| dialect.name == wire);
        let file = hosted.trace_folder.as_ref().and_then(|folder| {
            Trace::open(folder, wire, conn.0, &peer.to_string())
                .inspect_err(|error| tracing::warn!(error = format!("{error:#}"), "no trace"))
                .ok()
        });
        Transcript {
            file: file.map(Box::new),
            wires: hosted.wires.clone(),
            place: Place { conn: conn.0, game: G::NAME, wire },
            signs: known.map_or(house::SIGNS, |dialect| dialect.signs),
            clause: clause_behind::<G>,
            peer,
            troubles: hosted.troubles.clone(),
            player: None,
            replies: false,
            pending: None,
            judged: false,
            waits: None,
            own: None,
        }
    }

    /// What the client says, until [`settle`](Transcript::settle) or whatever is written next.
    pub fn heard(&mut self, frame: Frame<'_>) {
        if let Some(file) = &mut self.file {
            file.heard(frame);
        }
        (self.replies, self.judged) = (true, false);
        self.look_again();
        if let Some(own) = &mut self.own {
            own.put_heard(&self.place);
            own.heard = Some(shown(frame));
        }
    }

    /// The client has shown a key, in this message if there is one.
    pub fn showed(&mut self, key: &KeyHash, in_message: Option<Frame<'_>>) {
        if self.own.as_ref().is_some_and(|own| own.key == *key) {
            return;
        }
        // Before it looks: a ring that is made meanwhile is found next time.
        let made = self.wires.made();
        match self.wires.of(key) {
            Some(ring) => self.attach(key.clone(), ring, in_message),
            None => self.waits = Some((key.clone(), made)),
        }
    }

    /// Whoever has the key may have asked for its wire meanwhile.
    fn look_again(&mut self) {
        let Some((key, made)) = &mut self.waits else { return };
        let now = self.wires.made();
        if std::mem::replace(made, now) == now {
            return;
        }
        let key = key.clone();
        if let Some(ring) = self.wires.of(&key) {
            self.attach(key, ring, None);
        }
    }

    fn attach(&mut self, key: KeyHash, ring: Arc<Ring>, heard: Option<Frame<'_>>) {
        self.waits = None;
        ring.put(&self.place, What::Connected { from: self.peer.to_string() });
        self.own = Some(Box::new(OwnWire {
            key,
            ring,
            secrets: Vec::new(),
            heard: heard.map(shown),
            moved: None,
            moving: false,
            line: 0,
            company: 0,
            owed: None,
        }));
    }

    /// From now on this is written nowhere.
    pub fn hide(&mut self, secret: Option<&str>) {
        let Some(secret) = secret.filter(|secret| !secret.is_empty()) else { return };
        if let Some(file) = &mut self.file {
            file.hide(secret);
        }
        if let Some(own) = &mut self.own
            && !own.secrets.iter().any(|known| known == secret)
        {
            own.secrets.push(secret.to_owned());
        }
    }

    /// What the client is told.
    pub fn said(&mut self, text: &str) {
        if let Some(file) = &mut self.file {
            file.said(text);
        }
        self.look_again();
        if let Some(own) = &mut self.own {
            own.put_heard(&self.place);
            own.ring.put(&self.place, What::Received { text: own.cleaned(text) });
        }
        // Only what may be one is looked at: most messages are no replies.
        let pending = self.pending.take();
        let is_known = self.own.is_some() || self.player.is_some();
        if (pending.is_some() || self.replies) && is_known && (self.signs.is_refusal)(text) {
            self.refuse(pending, text);
        }
    }

    /// Writes down what was heard, and what was refused without a word.
    pub fn settle(&mut self) {
        if let Some(file) = &mut self.file {
            file.settle();
        }
        self.replies = false;
        if let Some(own) = &mut self.own {
            own.put_heard(&self.place);
        }
        if let Some(pending) = self.pending.take() {
            self.refuse(Some(pending), "");
        }
    }

    pub fn closed(&mut self, reason: &str) {
        self.settle();
        if let Some(file) = &mut self.file {
            file.closed(reason);
        }
        if let Some(player) = &self.player {
            self.troubles.closed(player, reason);
        }
        if let Some(own) = &mut self.own {
            own.ring.put(&self.place, What::Closed { text: own.cleaned(reason) });
        }
    }

    /// What was heard last is refused: says what stands behind it.
    fn refuse(&mut self, why: Option<(String, &'static str)>, answer: &str) {
        self.judged = true;
        let (why, hint) = why.unwrap_or_default();
        if let Some(player) = &self.player {
            self.troubles.refused(player, if why.is_empty() { answer } else { &why });
        }
        if let Some(own) = &mut self.own {
            let clause = (self.clause)(&format!("{why} {answer}"));
            let (line, text) = (own.line, own.cleaned(&why));
            own.ring.put(&self.place, What::Refused { line, text, hint, clause });
        }
    }

    /// What the client asks of the hall.
    pub fn asks<G: Game>(&mut self, command: &Command<G>) {
        self.replies = false;
        match command {
            Command::Act { .. } => {
                if let Some(own) = &mut self.own {
                    own.moved = own.owed.as_ref().map(Owed::thought);
                    own.moving = true;
                }
            }
            Command::Enter { name }
            | Command::Open { name, .. }
            | Command::Join { name, role: Role::Player, .. }
            | Command::Enrol { name, .. }
            | Command::Resume(Credential::Name(name)) => self.player = Some(name.clone()),
            // It broke the protocol, and may have been told so.
            Command::Part(Exit::Disqualified(why)) if !self.judged => {
                self.pending = Some((why.clone(), ""));
            }
            _ => {}
        }
    }

    /// What the hall has answered.
    pub fn answered(&mut self, answer: &Answer) {
        let moved = self.own.as_mut().is_some_and(|own| std::mem::take(&mut own.moving));
        match (answer, &mut self.own) {
            (Answer::Refused(refusal), _) => {
                self.pending = Some((refusal.cause(), refusal.hint().unwrap_or_default()));
            }
            (Answer::Joined(joined), _) => self.seated(joined),
            (Answer::Accepted, Some(own)) if moved => own.owed = None,
            _ => {}
        }
    }

    /// The client sits at a table, or watches one.
    pub fn seated(&mut self, joined: &Joined) {
        let Some(seat) = joined.seat else { return };
        self.player = Some(joined.company.name(seat).into());
        if let Some(own) = &mut self.own {
            own.owed = None;
            own.seated(&self.place, &joined.company);
        }
    }

    /// The state of play has changed.
    pub fn updated<G: Game>(&mut self, update: &Update<G>) {
        let Some(own) = &mut self.own else { return };
        if update.company.count() != own.company && update.viewer != Viewer::Public {
            own.seated(&self.place, &update.company);
        }
        if own.owed.as_ref().is_some_and(|owed| owed.turn != update.seq) {
            own.time_out(&self.place);
        }
        if update.owes && own.owed.is_none() {
            let (turn, since) = (update.seq, Instant::now());
            own.owed = Some(Owed { turn, since, clock_ms: update.turn_ms });
        }
    }

    pub fn over(&mut self) {
        if let Some(own) = &mut self.own {
            own.time_out(&self.place);
            own.ring.put(&self.place, What::Over);
        }
    }
}

impl OwnWire {
    fn cleaned(&self, text: &str) -> String {
        shortened(without(&hide_keys(text), &self.secrets))
    }

    fn put_heard(&mut self, place: &Place) {
        if let Some(heard) = self.heard.take() {
            let text = self.cleaned(&heard);
            self.line = self.ring.put(place, What::Sent { text, thought: self.moved.take() });
        }
    }

    /// Who sits at its table.
    fn seated(&mut self, place: &Place, company: &Company) {
        self.company = company.count();
        let names = company.seats.iter().flatten().map(|member| member.name.clone()).collect();
        self.ring.put(place, What::Seated { table: company.table.to_string(), names });
    }

    /// The game has gone on without the move it waited for, or could wait no longer.
    fn time_out(&mut self, place: &Place) {
        let Some(owed) = self.owed.take() else { return };
        let thought = owed.thought();
        // Others may have ended the turn as well, by leaving.
        if thought.clock_ms.is_some_and(|clock| thought.took_ms >= clock as f64) {
            self.ring.put(place, What::TimedOut { thought });
        }
    }
}

fn shown(frame: Frame<'_>) -> String {
    match frame {
        Frame::Text(text) => text.to_owned(),
        Frame::Garbage(garbage, bytes) => garbage.shown(bytes),
    }
}
