//! The core of the server: all tables of one game, its lobby and its tournaments, as one pure state
//! machine.
//!
//! A [`Hall`] takes one [`Input`] at a time and pushes [`Output`]s; time and chance are arguments.
//! The driver
//!
//! 1. calls [`Hall::handle`] with the time and an input,
//! 2. writes the [`Output::TableRecord`]s to the journal,
//! 3. only then delivers the other outputs, in order,
//! 4. and sends [`Input::Tick`] when [`Hall::deadline`] has come.
//!
//! Inside, the lobby decides where a player goes and hands them to a table. Tables and tournaments
//! report what has happened to the lobby and to each other as values, which a steward carries
//! around.
//!
//! Nothing here knows a socket, a protocol's words, or a disk.

mod admin;
mod attendance;
mod bans;
mod contest;
mod desk;
mod inspection;
mod kept_names;
mod key;
mod lists;
mod lobby;
mod naming;
mod organiser;
mod ownership;
mod pace;
mod premises;
mod recall;
mod recovery;
mod register;
mod speech;
mod tables;
mod tournaments;
mod traffic;
mod whereabouts;

use std::collections::HashMap;

use foldhash::fast::FixedState;
use rules::{Exit, Seed};

use desk::Desk;
use lobby::{Lobby, Newcomer};
use ownership::Claimant;
use speech::Unwrapped;
use tournaments::{Steward, Tournaments};

pub use admin::{AdminGrant, AdminGrants, Scope};
pub use attendance::{Attendance, AwayPerson, Chance, Standing};
pub use bans::{Ban, BanSubject, Bans};
pub use contest::{
    Convened, EntrantKey, Entry, NewEntrant, NewTournament, Order, TournamentCard, TournamentEntry,
    TournamentInfo, TournamentRecord, TournamentState,
};
#[doc(hidden)]
pub use inspection::Inspection;
pub use key::{KeyHash, hide_keys, is_key, key_in, make_key, split_key};
pub use lists::{Listing, Lists};
pub use naming::{bot_name, hide_tokens};
pub use organiser::{NewTable, Reply, Request};
pub use recall::{OpenRecords, Recall, retell_so_far};
pub use recovery::{RestoreError, Unfinished};
pub use register::{ClaimedName, HouseEntry, HouseRecord, Register, check_claim};
pub use speech::{
    Answer, Command, Credential, Decided, Enrolled, Entered, Event, Paired, Reaction, Rematch,
    RematchSeat,
};
pub use table::{
    AfterEnd, AwayInPlay, Broadcast, CALLS, Cause, Chair, Change, Closing, Code, Company, ConnId,
    Dismissal, Eyes, Frame, GameHooks, GameRef, HOUSE_WIRE, How, Ids, Introduction, Joined,
    LeanUpdate, MadeMove, Member, Name, Names, Opened, Over, OverFrame, Page, Phase, Policy, Post,
    Promise, Recorded, Refusal, Rendering, Rerun, Retelling, Role, SeatFrame, SeatTurn, SeatTurns,
    Shown, ShownTurn, Start, Status, Summary, Table, TableEntry, TableEvent, TableFacts,
    TableFrame, TableInfo, TableList, TableNo, TableRecord, TableSaid, TableStanding, Terms,
    Thinking, Thought, Time, TokenHash, TournamentNo, Turn, Update, UpdateFrame, WayBack,
    check_version, guarded, is_control, is_invisible, is_legible, looks, one_line, replay,
};
pub use traffic::{Input, Output};

use table::TableInput;

/// Maximum length of the reason for a disqualification, in characters.
const LONGEST_REASON: usize = 200;

/// All tables of one game.
#[derive(Debug)]
pub struct Hall {
    lobby: Lobby,
    tournaments: Tournaments,
    desk: Desk,
    /// How many commands each connection has said.
    spoken: HashMap<ConnId, u64, FixedState>,
}

// Inputs.
impl Hall {
    /// An empty hall. `seed` is the source of every token, table id and deal.
    pub fn new(terms: Terms, hooks: impl Into<GameHooks>, max_tables: usize, seed: Seed) -> Hall {
        Hall {
            lobby: Lobby::new(hooks.into()),
            tournaments: Tournaments::default(),
            desk: Desk::new(terms, max_tables, &seed),
            spoken: HashMap::default(),
        }
    }

    /// Limits the games a minute that a program plays in open play; 0 means no limit.
    pub fn pace_open_play(&mut self, games_per_min: u32) {
        self.desk.premises.pace_open_play(games_per_min);
    }

    /// House bots think where the owner of the hall lets them, not while an input is handled.
    pub fn think_elsewhere(&mut self) {
        self.lobby.whereabouts.tables.think_elsewhere();
    }

    /// From now on playing, entering and reconnecting need a key.
    pub fn require_key(&mut self) {
        self.desk.premises.require_key();
    }

    /// Handles one input and pushes what follows from it.
    pub fn handle(&mut self, now: Time, input: Input, outputs: &mut Vec<Output>) {
        self.desk.now = self.desk.now.max(now);
        std::mem::swap(&mut self.desk.out, outputs);
        self.desk.cause = self.cause(&input);
        match input {
            Input::Said(conn, command) => self.said(conn, command),
            Input::Showed(conn, key) => self.lobby.whereabouts.visitors.show(conn, key),
            Input::Gone(conn) => self.gone(conn),
            Input::Asked(number, request) => {
                let reply = self.asked(request);
                self.desk.out.push(Output::Reply(number, reply));
            }
            Input::Registered(register) => self.desk.premises.learn(register),
            Input::Barred(why) => {
                self.desk.premises.bar(why);
                self.tournaments.try_again();
            }
            Input::Thought(no, thought) => {
                // The table may be forgotten since.
                if self.lobby.whereabouts.tables.get(no).is_some() {
                    self.lobby.whereabouts.run(&mut self.desk, no, TableInput::Thought(thought));
                }
            }
            Input::Tick => {
                self.lobby.whereabouts.tick(&mut self.desk);
                self.tournaments.stir_ladders(self.desk.now);
                self.steward().let_go_of_guests();
            }
            Input::ShuttingDown => self.lobby.whereabouts.shut_down(&mut self.desk),
        }
        self.settle();
        std::mem::swap(&mut self.desk.out, outputs);
    }

    /// The cause of the records that follow from an input.
    fn cause(&mut self, input: &Input) -> Cause {
        match input {
            Input::Said(conn, _) => {
                let number = self.spoken.entry(*conn).or_default();
                *number += 1;
                Cause::Said(*conn, *number)
            }
            Input::Gone(conn) => {
                self.spoken.remove(conn);
                Cause::Gone(*conn)
            }
            Input::Asked(number, _) => Cause::Asked(*number),
            Input::ShuttingDown => Cause::Stopped,
            Input::Showed(..)
            | Input::Registered(_)
            | Input::Barred(_)
            | Input::Thought(..)
            | Input::Tick => Cause::Clock,
        }
    }

    /// Lets everything have its consequences.
    fn settle(&mut self) {
        self.lobby.settle_doubts(&mut self.desk);
        self.steward().mind();
        self.lobby.ensure_open(&mut self.desk);
        self.lobby.whereabouts.tables.tell_lists(&mut self.desk);
        self.lobby.whereabouts.tables.rearm();
    }

    fn said(&mut self, conn: ConnId, command: Command) {
        let Unwrapped { address, if_expected, command } = command.unwrapped();
        if if_expected && !self.expects(&command) {
            return self.desk.refuse(conn, Refusal::Draining);
        }
        let whereabouts = &self.lobby.whereabouts;
        let is_nobodys = whereabouts.tables.hooks().is_nobodys;
        let (visitors, desk) = (&whereabouts.visitors, &self.desk);
        let claimant = Claimant::new(conn, visitors, &self.tournaments, desk, is_nobodys);
        if let Err(refusal) = claimant.may_say(&command) {
            return self.desk.refuse(conn, refusal);
        }
        let owned = claimant.has_key_for(&command);
        let (lobby, desk) = (&mut self.lobby, &mut self.desk);
        lobby.is_alive(conn);
        match command {
            Command::Enter { name } => lobby.enter(desk, conn, name),
            Command::Introduce(introduction) => {
                lobby.whereabouts.introduce(desk, conn, introduction);
            }
            Command::Open { table, bots, name, joined_via } => {
                lobby.open_own(desk, conn, (*table, &bots), (name, joined_via));
            }
            Command::Join { table, name, role: Role::Player, joined_via } => {
                self.join(conn, (table, name, joined_via), owned, address);
            }
            Command::Join { table, role, .. } => lobby.watch(desk, conn, table, role),
            Command::Resume(Credential::Name(name)) => lobby.resume_person(desk, conn, &name),
            Command::Resume(Credential::Token(token)) => self.resume(conn, &token),
            Command::Ready => lobby.whereabouts.say(desk, conn, TableInput::Readied(conn)),
            Command::Start => lobby.whereabouts.say(desk, conn, TableInput::Called(conn)),
            Command::Act { seq, action } => lobby.whereabouts.act(desk, conn, seq, action),
            Command::Present => desk.answer(conn, Answer::Accepted),
            Command::Misspeak => lobby.whereabouts.say(desk, conn, TableInput::Misspoke(conn)),
            Command::Leave => self.leave(conn),
            Command::Rematch { table, token, wants } => {
                lobby.rematch(desk, conn, (&table, &token), wants);
            }
            Command::React(reaction) => lobby.react(desk, conn, reaction),
            Command::Part(exit) => {
                // The reason is written down, and may repeat what was said.
                let exit = match exit {
                    Exit::Disqualified(why) => {
                        Exit::Disqualified(one_line(&hide_keys(&why), LONGEST_REASON))
                    }
                    other => other,
                };
                desk.answer(conn, Answer::Accepted);
                if !desk.premises.is_shutting_down() {
                    lobby.away(desk, conn, exit);
                }
            }
            Command::List { only } => {
                let listed = lobby.whereabouts.tables.list(only);
                desk.answer(conn, listed.map_or_else(Answer::Refused, Answer::Listed));
            }
            Command::Tables { status, after, limit } => {
                let listed = lobby.whereabouts.tables.list_by_status(status, after, limit);
                desk.answer(conn, listed.map_or_else(Answer::Refused, Answer::Listed));
            }
            Command::History { from } => lobby.whereabouts.ask_history(desk, conn, from),
            Command::Enrol { tournament, name } => self.steward().enrol(conn, &tournament, name),
            Command::Attend { token, joined_via } => {
                self.steward().attend(conn, &token, joined_via);
            }
            Command::From { .. } | Command::IfExpected(_) => unreachable!("it was unwrapped"),
        }
    }

    /// Sits down, reconnects, or waits to learn which of the two applies.
    fn join(
        &mut self,
        conn: ConnId,
        (table, name, joined_via): (Option<Name>, Name, Option<Name>),
        owned: bool,
        address: Option<Name>,
    ) {
        let (lobby, desk) = (&mut self.lobby, &mut self.desk);
        let kept = desk.premises.kept(&name).map(|kept| kept.tournament);
        let (named, entrant) = ((name.clone(), joined_via.clone()), kept.is_some());
        let newcomer = Newcomer { conn, named, entrant };
        if table.is_none() && lobby.doubt(desk, newcomer, owned, address) {
            return;
        }
        let tables = |no| self.tournaments.tables_of(no);
        let expected = kept.map(|no| lobby.expected(desk, &name, tables(no)));
        lobby.join(desk, conn, (table, name, joined_via), expected);
        kept.into_iter().for_each(|no| self.tournaments.stir_ladder(no));
    }

    /// Whether a seat is, or will be, reserved for a player who wants to join.
    fn expects(&self, command: &Command) -> bool {
        let Command::Join { name, .. } = command else { return false };
        let is_entrant =
            |state: &TournamentState| !state.is_over() && state.table_names.contains(name);
        self.tournaments.states().any(|(_, state)| is_entrant(state))
            || self.lobby.whereabouts.tables.expect(name)
    }

    /// The steward between the tournaments and the lobby.
    fn steward(&mut self) -> Steward<'_> {
        Steward::new(&mut self.tournaments, &mut self.lobby, &mut self.desk)
    }

    fn gone(&mut self, conn: ConnId) {
        if !self.desk.premises.is_shutting_down() {
            self.tournaments.give_up_place(&mut self.desk, conn);
            self.lobby.gone(&mut self.desk, conn);
        }
    }

    fn leave(&mut self, conn: ConnId) {
        let stayed = self.lobby.leave_rematch(&mut self.desk, conn);
        if self.lobby.whereabouts.leave(&mut self.desk, conn) {
            return;
        }
        let waited = self.lobby.stop_waiting(&mut self.desk, conn);
        match stayed || waited || self.steward().withdraw_before_start(conn) {
            true => self.desk.answer(conn, Answer::Accepted),
            false => self.desk.refuse(conn, Refusal::NotSeated),
        }
    }

    /// Reconnects with a token, to a seat or to a place in a tournament.
    fn resume(&mut self, conn: ConnId, token: &str) {
        let token = TokenHash::of(token);
        let Some((no, seat)) = self.lobby.whereabouts.tables.opened_by(&token) else {
            return match self.tournaments.claim(&token) {
                Some((tournament, entrant)) => self.steward().come_back(conn, tournament, entrant),
                None => self.desk.refuse(conn, Refusal::UnknownCredential),
            };
        };
        let live = self.lobby.whereabouts.tables.live(no);
        let place = self.tournaments.place_of(live.table(), seat);
        if live.phase() == Phase::Closed {
            let game = live.table().opened().game_ref.as_ref();
            let tournament = game.map(|game| game.tournament);
            let untold = live.has_not_told(seat);
            return match (place, tournament) {
                (Some((tournament, entrant)), _) => {
                    self.steward().come_back(conn, tournament, entrant);
                }
                (None, _) if untold => {
                    self.lobby.take_back(&mut self.desk, conn, (no, seat), true);
                }
                (None, tournament) => {
                    self.desk.refuse(conn, Refusal::AlreadyOver);
                    if let Some(tournament) = tournament {
                        self.tournaments.tell_if_decided(&mut self.desk, conn, tournament);
                    }
                }
            };
        }
        let elsewhere = self.lobby.whereabouts.seat_of(conn).filter(|here| *here != (no, seat));
        if elsewhere.is_some() && self.lobby.whereabouts.plays(conn) {
            return self.desk.refuse(conn, Refusal::AlreadySeated);
        }
        self.lobby.take_back(&mut self.desk, conn, (no, seat), true);
        if let Some((tournament, entrant)) = place {
            self.tournaments.take_place(&mut self.desk, conn, tournament, entrant);
        }
    }

    /// The server was late by `ms`, and no player pays for it: every deadline not yet enforced
    /// moves. Call this before the tick that would enforce them.
    pub fn give_back(&mut self, ms: u64) {
        self.lobby.give_back(ms);
        self.tournaments.give_back(ms);
    }

    /// Events of a table were sent only now: the clock of a turn that began with them runs from
    /// now.
    pub fn handed_out(&mut self, now: Time, no: TableNo, happened: Time) {
        self.lobby.whereabouts.tables.handed_out(now, no, happened);
    }
}

// Queries.
impl Hall {
    /// When a [`Input::Tick`] is due.
    pub fn deadline(&self) -> Option<Time> {
        // While nothing new may begin, no pairing is made and no place is given up.
        let tournaments =
            self.tournaments.deadline().filter(|_| !self.desk.premises.is_shutting_down());
        [self.lobby.deadline(), tournaments].into_iter().flatten().min()
    }

    /// Every table the hall remembers.
    pub fn tables(&self) -> impl Iterator<Item = (TableNo, &Table)> {
        self.lobby.whereabouts.tables.iter().map(|(no, live)| (no, live.table()))
    }

    pub fn table(&self, no: TableNo) -> Option<&Table> {
        self.lobby.whereabouts.tables.get(no).map(|live| live.table())
    }

    /// Tables that are not closed.
    pub fn open_tables(&self) -> usize {
        self.lobby.whereabouts.tables.open_count()
    }

    /// Every tournament the hall remembers.
    pub fn tournaments(&self) -> impl Iterator<Item = (TournamentNo, &TournamentState)> {
        self.tournaments.states()
    }

    pub fn tournament(&self, no: TournamentNo) -> Option<&TournamentState> {
        self.tournaments.get(no).map(|live| &live.state)
    }

    /// A tournament that is remembered, as organisers see it.
    pub fn tournament_info(&self, no: TournamentNo) -> Option<TournamentInfo> {
        self.tournaments.info(&self.lobby, no)
    }

    /// Queries for tests that check a hall's laws.
    #[doc(hidden)]
    pub fn inspection(&self) -> Inspection<'_> {
        Inspection::of(self)
    }

    pub fn visitors(&self) -> usize {
        self.lobby.whereabouts.visitors.count()
    }
}
