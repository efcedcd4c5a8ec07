//! The stage for tests of tournaments: a hall, its journal, and what each connection received last.

use std::collections::BTreeMap;

use rules::Seed;
use tournament::Plan;

use super::numbers::{BOTS, Numbers, terms};
use crate::*;

/// A hall, its journal, and what each connection received last.
pub struct Desk {
    pub hall: Hall,
    pub max_tables: usize,
    pub now: Time,
    pub records: BTreeMap<TableNo, Vec<TableRecord>>,
    pub tournament_records: BTreeMap<TournamentNo, Vec<TournamentRecord>>,
    pub answers: BTreeMap<ConnId, Answer>,
    /// The token and the round of each entrant's last game.
    pub paired: BTreeMap<ConnId, (String, u32)>,
    pub decided: BTreeMap<ConnId, Option<Name>>,
    pub replaced: Vec<ConnId>,
    pub reply: Option<Reply>,
}

impl Desk {
    pub fn new(max_tables: usize) -> Desk {
        Desk {
            hall: Hall::new(terms(false), BOTS, max_tables, Seed::from_number(1)),
            max_tables,
            now: Time(1000),
            records: BTreeMap::new(),
            tournament_records: BTreeMap::new(),
            answers: BTreeMap::new(),
            paired: BTreeMap::new(),
            decided: BTreeMap::new(),
            replaced: Vec::new(),
            reply: None,
        }
    }

    pub fn give(&mut self, input: Input) {
        let mut outputs = Vec::new();
        self.hall.handle(self.now, input, &mut outputs);
        self.take(outputs);
    }

    pub fn take(&mut self, outputs: Vec<Output>) {
        for output in outputs {
            self.answers.extend(output.answer());
            for (conn, event) in output.events() {
                self.hear(conn, event);
            }
            match output {
                Output::TableRecord(entry) => {
                    self.records
                        .entry(entry.table)
                        .or_default()
                        .push(TableRecord::clone(&entry.record));
                }
                Output::TournamentRecord(entry) => {
                    self.tournament_records
                        .entry(entry.tournament)
                        .or_default()
                        .push(TournamentRecord::clone(&entry.record));
                }
                Output::Reply(_, reply) => self.reply = Some(reply),
                _ => {}
            }
        }
    }

    fn hear(&mut self, conn: ConnId, event: Event) {
        match event {
            Event::Paired(paired) => {
                if let Some((_, token)) = &paired.game {
                    self.paired.insert(conn, (token.clone(), paired.round));
                }
            }
            Event::Decided(decided) => _ = self.decided.insert(conn, decided.winner.clone()),
            Event::Dismissed(crate::Dismissal::Replaced) => self.replaced.push(conn),
            _ => {}
        }
    }

    pub fn say(&mut self, conn: u64, command: Command) -> Answer {
        self.give(Input::Said(ConnId(conn), command));
        self.answers.remove(&ConnId(conn)).expect("every command is answered")
    }

    pub fn tick(&mut self, ms: u64) {
        self.now = self.now + ms;
        self.give(Input::Tick);
    }

    pub fn convene(
        &mut self,
        id: &str,
        plan: Plan,
        entrants: &[(&str, Option<&str>)],
        broken: bool,
    ) {
        self.convene_with(id, plan, entrants, terms(broken));
    }

    pub fn convene_with(
        &mut self,
        id: &str,
        plan: Plan,
        entrants: &[(&str, Option<&str>)],
        terms: Terms,
    ) {
        let new = |(name, bot): &(&str, Option<&str>)| NewEntrant {
            name: (*name).into(),
            display: None,
            plays_as: None,
            bot: bot.map(Into::into),
            version: None,
            key: None,
        };
        let new = NewTournament {
            id: Some(id.into()),
            plan,
            terms,
            no_show_ms: 25_000,
            starts_when_full: true,
            open: true,
            open_names: true,
            entry: Entry::Open,
            entrants: entrants.iter().map(new).collect(),
        };
        self.give(Input::Asked(0, Request::Convene(Box::new(new))));
        assert!(matches!(self.reply, Some(Reply::Tournament(_))), "{:?}", self.reply);
    }

    pub fn order(&mut self, id: &str, order: Order) {
        self.give(Input::Asked(0, Request::Order { id: id.into(), order }));
        assert!(matches!(self.reply, Some(Reply::Tournament(_))), "{:?}", self.reply);
    }

    /// Returns the token for reconnecting.
    pub fn enrol(&mut self, conn: u64, name: &str) -> String {
        match self.say(conn, Command::Enrol { tournament: "cup".into(), name: name.into() }) {
            Answer::Enrolled(enrolled) => enrolled.token.expect("who enters gets a token"),
            other => panic!("{name} cannot enter: {other:?}"),
        }
    }

    /// Sits down to the announced game.
    pub fn attend(&mut self, conn: u64) {
        let (token, _) = self.paired.remove(&ConnId(conn)).expect("there is a game for it");
        let answer = self.say(conn, Command::Attend { token, joined_via: None });
        assert!(matches!(answer, Answer::Joined(_)), "{answer:?}");
    }

    pub fn play(&mut self, conn: u64, number: u32) {
        let answer = self.say(conn, Command::act::<Numbers>(0, number));
        assert_eq!(answer, Answer::Accepted);
    }

    pub fn come_back(&mut self, conn: u64, token: &str) -> Answer {
        self.say(conn, Command::Resume(Credential::Token(token.to_owned())))
    }

    pub fn open_bouts(&self) -> usize {
        let tables = self.hall.tables().filter(|(_, table)| table.closing().is_none());
        tables.filter(|(_, table)| table.opened().game_ref.is_some()).count()
    }

    /// A new hall restores what the journal says is open, a while later.
    pub fn restart(&mut self) {
        self.try_restart().expect("a good journal");
    }

    pub fn try_restart(&mut self) -> Result<(), RestoreError> {
        let open = |(no, records): (&TableNo, &Vec<TableRecord>)| {
            let closed = matches!(records.last(), Some(TableRecord::Closed(_)));
            (!closed).then(|| (*no, Recorded::written_at(self.now, records.clone())))
        };
        let unfinished = Unfinished {
            tables: self.records.iter().filter_map(open).collect(),
            tournaments: self
                .tournament_records
                .iter()
                .map(|(no, records)| (*no, records.clone()))
                .collect(),
            next_table: self.records.last_key_value().map_or(1, |(no, _)| no.0 + 1),
            next_tournament: 100,
            ..Unfinished::default()
        };
        self.hall = Hall::new(terms(false), BOTS, self.max_tables, Seed::from_number(2));
        self.now = self.now + 5000;
        self.paired.clear();
        let mut outputs = Vec::new();
        self.hall.restore(self.now, unfinished, &mut outputs)?;
        self.take(outputs);
        Ok(())
    }
}
