//! Records one connection's messages: in a file of `--trace`, in the ring of the name whose key it
//! has shown, both, or neither, which costs nothing. Problems are always noted for organisers.

mod exams;
mod trace;
mod troubles;
mod wires;

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;

use hall::{
    Answer, Command, Company, ConnId, Credential, Joined, KeyHash, Name, Refusal, Role, Update,
    hide_keys, key_in,
};
use rules::{Exit, Viewer};
use wire::{Clause, Frame, Signs, clause_behind, house};

use crate::gate::Peer;
use crate::hosting::HostedGame;

use trace::{Trace, without};
use wires::{Place, Thought, What, shortened};

pub use exams::{Exam, Report};
use troubles::Connected;
pub use troubles::{Trouble, Troubles};
pub use wires::{Line, Ring, Wires};

/// This many bytes are shown of a message that has no end.
const SHOWN: usize = 200;

/// Where one connection's messages are recorded.
pub struct Transcript {
    file: Option<Box<Trace>>,
    wires: Arc<Wires>,
    place: Place,
    /// How the protocol looks from outside, and what explains its refusals.
    signs: Signs,
    clauses: &'static [Clause],
    peer: Peer,
    troubles: Arc<Troubles>,
    /// The player of this connection.
    player: Option<Name>,
    /// It has asked for something under this name, and has no answer.
    asks_as: Option<Name>,
    /// The name that the hall has let it go by.
    goes_by: Option<Connected>,
    /// It has played, or may play.
    has_joined: bool,
    /// Whether the current message is the session's own reply to the client's last one.
    replies: bool,
    /// Why the hall refused the client's message, and what to do, until it is known whether the
    /// protocol calls that a refusal.
    pending: Option<(String, &'static str)>,
    /// The client's last message is known to be refused.
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
    /// The client's last message, until it is known whether it contained a secret, and whether it
    /// was a move.
    heard: Option<String>,
    moved: Option<Thought>,
    /// A move waits for its answer.
    moving: bool,
    /// The line number of the client's last message.
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
    pub fn new(hosted: &HostedGame, wire: &'static str, conn: ConnId, peer: Peer) -> Transcript {
        let known = hosted.dialects.iter().find(|dialect| dialect.name == wire);
        let file = hosted.trace_folder.as_ref().and_then(|folder| {
            Trace::open(folder, wire, conn.0, &peer.to_string())
                .inspect_err(|error| tracing::warn!(error = format!("{error:#}"), "no trace"))
                .ok()
        });
        Transcript {
            file: file.map(Box::new),
            wires: hosted.wires.clone(),
            place: Place { conn: conn.0, game: hosted.name(), wire },
            signs: known.map_or(house::SIGNS, |dialect| dialect.signs),
            clauses: hosted.game.clauses(),
            peer,
            troubles: hosted.troubles.clone(),
            player: None,
            asks_as: None,
            goes_by: None,
            has_joined: false,
            replies: false,
            pending: None,
            judged: false,
            waits: None,
            own: None,
        }
    }

    /// The client's message, held until [`settle`](Transcript::settle) or the next record.
    pub fn heard(&mut self, frame: Frame<'_>) {
        if let Some(file) = &mut self.file {
            file.heard(frame);
        }
        (self.replies, self.judged) = (true, false);
        self.look_again();
        // What cannot be read otherwise may still say whose it is.
        if let Frame::Text(text) = frame {
            self.recognise(text);
        }
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

    /// Attaches the connection to the owner of a key in this text, if it has no owner yet.
    fn recognise(&mut self, text: &str) {
        if self.own.is_none()
            && let Some(key) = key_in(text)
        {
            self.showed(&KeyHash::of(key), None);
        }
    }

    /// The key's owner may have asked for the recording meanwhile.
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

    /// A message to the client.
    pub fn said(&mut self, text: &str) {
        if let Some(file) = &mut self.file {
            file.said(text);
        }
        self.look_again();
        if let Some(own) = &mut self.own {
            own.put_heard(&self.place);
            own.ring.put(&self.place, What::Received { text: own.cleaned(text) });
        }
        // Only possible replies are examined: most messages aren't.
        let pending = self.pending.take();
        let is_known = self.own.is_some() || self.player.is_some();
        if (pending.is_some() || self.replies) && is_known && (self.signs.is_refusal)(text) {
            self.refuse(pending, text);
        }
    }

    /// Records the client's message, and a refusal without a reply.
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

    /// Why what was heard last is refused, where the protocol does not say it.
    pub fn because(&mut self, why: String) {
        self.pending = Some((why, ""));
    }

    /// The server ends the connection. If that is its reply, what was heard last is refused.
    pub fn hangs_up(&mut self, reason: &str) {
        if self.replies && !self.judged && self.pending.is_none() {
            self.pending = Some((reason.to_owned(), ""));
        }
        let rejected = self.judged || self.pending.is_some();
        if rejected && !self.has_joined {
            let Place { conn, game, wire } = self.place;
            let (peer, reason) = (&self.peer, hide_keys(reason));
            tracing::info!(conn, game, wire, %peer, %reason, "rejected a client that had not joined");
        }
    }

    /// A message has begun and has no end, and the connection ends.
    pub fn unfinished(&mut self, begun: &[u8]) {
        if begun.is_empty() {
            return;
        }
        let begun = String::from_utf8_lossy(&begun[..begun.len().min(SHOWN)]).into_owned();
        self.recognise(&begun);
        let Place { conn, game, wire } = self.place;
        let (peer, text) = (&self.peer, hide_keys(&begun));
        tracing::info!(conn, game, wire, %peer, %text, "closed with a message that has no end");
        self.settle();
        if let Some(own) = &mut self.own {
            own.heard = Some(begun);
            own.put_heard(&self.place);
            let (line, text) = (own.line, "the message has no end, so it was not read".to_owned());
            let hint = Cow::Borrowed(
                "End each line with \\n. A JSON value ends with its last bracket or quotation mark.",
            );
            let (clause, anchor) = (None, None);
            own.ring.put(&self.place, What::Refused { line, text, hint, clause, anchor });
        }
    }

    pub fn closed(&mut self, reason: &str) {
        self.settle();
        if let Some(file) = &mut self.file {
            file.closed(reason);
        }
        self.goes_by = None;
        if let Some(player) = &self.player {
            self.troubles.closed(player, reason);
        }
        if let Some(own) = &mut self.own {
            own.ring.put(&self.place, What::Closed { text: own.cleaned(reason) });
        }
    }

    /// The client's last message is refused: records the explanation.
    fn refuse(&mut self, why: Option<(String, &'static str)>, answer: &str) {
        self.judged = true;
        let (why, hint) = why.unwrap_or_default();
        let clause = clause_behind(self.clauses, &format!("{why} {answer}"));
        if let Some(player) = &self.player {
            self.troubles.refused(player, if why.is_empty() { answer } else { &why });
        }
        if let Some(own) = &mut self.own {
            let sentence = clause.map(Clause::sentence);
            let text = if why.is_empty() { sentence.as_deref().unwrap_or("") } else { &why };
            let (line, text) = (own.line, own.cleaned(text));
            let hint = match (clause, hint) {
                (Some(clause), "") => Cow::Owned(clause.advice()),
                (None, "") => Cow::Borrowed("Compare it with the page of the protocol."),
                (_, hint) => Cow::Borrowed(hint),
            };
            let anchor = clause.map(|clause| clause.anchor);
            own.ring.put(&self.place, What::Refused { line, text, hint, clause: sentence, anchor });
        }
    }

    /// The client's request to the hall.
    pub fn asks(&mut self, command: &Command) {
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
            | Command::Resume(Credential::Name(name)) => {
                (self.player, self.asks_as) = (Some(name.clone()), Some(name.clone()));
            }
            // It broke the protocol, and may have received an error already.
            Command::Part(Exit::Disqualified(why)) if !self.judged => {
                self.pending = Some((why.clone(), ""));
            }
            _ => {}
        }
    }

    /// The hall's answer.
    pub fn answered(&mut self, answer: &Answer) {
        let moved = self.own.as_mut().is_some_and(|own| std::mem::take(&mut own.moving));
        if let Some(name) = self.asks_as.take()
            && !matches!(answer, Answer::Refused(_))
        {
            self.goes_by = Some(self.troubles.connect(&name));
            self.has_joined = true;
        }
        match (answer, &mut self.own) {
            (Answer::Refused(refusal), _) => {
                // The page of the game says more about its rules.
                let by_rules = matches!(refusal, Refusal::Illegal(_));
                let hint = refusal.hint().filter(|_| !by_rules).unwrap_or_default();
                self.pending = Some((refusal.cause(), hint));
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
        self.has_joined = true;
        if let Some(own) = &mut self.own {
            own.owed = None;
            own.seated(&self.place, &joined.company);
        }
    }

    /// The state of play has changed.
    pub fn updated(&mut self, update: &Update) {
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

    /// The client sits at a table.
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
