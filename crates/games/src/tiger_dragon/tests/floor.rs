//! A hall without sessions: commands in, answers and events out.

use hall::{
    Answer, Change, Closing, Command, Company, ConnId, Dismissal, Event, Hall, Input, Joined,
    NewTable, Output, Phase, Policy, Recorded, Reply, Request, Role, TableEntry, TableNo,
    TableRecord, Terms, Time, Unfinished,
};
use rules::Seed;
use wire::Playable;

use crate::tiger_dragon::{Options, TigerDragon};

pub struct Floor {
    pub hall: Hall<TigerDragon>,
    terms: Terms<TigerDragon>,
    now: Time,
    pub heard: Vec<(ConnId, Event<TigerDragon>)>,
    journal: Vec<(TableNo, Vec<TableRecord<TigerDragon>>)>,
}

impl Floor {
    pub fn new(options: &Options, adapt: impl FnOnce(&mut Policy)) -> Floor {
        let mut terms = TigerDragon::terms(options).unwrap();
        adapt(&mut terms.policy);
        let hall = Hall::new(terms.clone(), TigerDragon::bots(), 100, Seed::from_number(1));
        Floor { hall, terms, now: Time(0), heard: Vec::new(), journal: Vec::new() }
    }

    /// Another hall that takes up what this one has written down.
    pub fn restarted(self) -> Floor {
        let (terms, journal) = (self.terms, self.journal);
        let mut hall = Hall::new(terms.clone(), TigerDragon::bots(), 100, Seed::from_number(2));
        let tables = journal.iter().cloned();
        let tables = tables.map(|(no, records)| (no, Recorded::written_at(self.now, records)));
        let unfinished = Unfinished { tables: tables.collect(), ..Unfinished::default() };
        hall.restore(self.now, unfinished, &mut Vec::new()).expect("the same rules");
        Floor { hall, terms, now: self.now, heard: Vec::new(), journal }
    }

    pub fn of_two() -> Floor {
        Floor::new(&Options { players: 2, turn_timeout_ms: 0, ..Options::default() }, |_| {})
    }

    fn input(&mut self, input: Input<TigerDragon>) -> Option<Answer> {
        let mut outputs = Vec::new();
        self.hall.handle(self.now, input, &mut outputs);
        let mut answer = None;
        for output in outputs {
            match output {
                Output::Answer(_, said) => answer = Some(said),
                Output::Tell(conn, event) => self.heard.push((conn, event)),
                Output::Show(conns, event) => {
                    self.heard.extend(conns.iter().map(|conn| (*conn, event.clone())));
                }
                Output::TournamentRecord(_)
                | Output::Recall(_)
                | Output::Think(..)
                | Output::Listed(_) => {}
                Output::Reply(_, reply) => assert!(!matches!(reply, Reply::Refused(_))),
                Output::TableRecord(TableEntry { table, record, .. }) => {
                    let record = TableRecord::clone(&record);
                    match record {
                        TableRecord::Opened(_) => self.journal.push((table, vec![record])),
                        _ => {
                            let known = self.journal.iter_mut().find(|(no, _)| *no == table);
                            known.expect("opened before").1.push(record);
                        }
                    }
                }
            }
        }
        answer
    }

    pub fn ask(&mut self, conn: u64, command: Command<TigerDragon>) -> Answer {
        self.input(Input::Said(ConnId(conn), command)).expect("every command has an answer")
    }

    pub fn join(&mut self, conn: u64, name: &str) -> Answer {
        self.ask(
            conn,
            Command::Join { table: None, name: name.into(), role: Role::Player, joined_via: None },
        )
    }

    /// Joins, and says at which table and seat.
    pub fn seat(&mut self, conn: u64, name: &str) -> (String, u8, bool) {
        let joined = joined(self.join(conn, name));
        let seat = joined.seat.expect("a player has a seat");
        (joined.company.table.to_string(), seat.0, joined.resumed)
    }

    /// Follows the hall, and says which table that is.
    pub fn follow(&mut self, conn: u64, table: Option<&str>) -> String {
        let table = table.map(Into::into);
        let command =
            Command::Join { table, name: "".into(), role: Role::Follower, joined_via: None };
        joined(self.ask(conn, command)).company.table.to_string()
    }

    pub fn gone(&mut self, conn: u64) {
        self.input(Input::Gone(ConnId(conn)));
    }

    pub fn wait(&mut self, ms: u64) {
        let until = self.now + ms;
        while let Some(next) = self.hall.deadline().filter(|next| *next <= until) {
            self.now = self.now.max(next);
            self.input(Input::Tick);
        }
        self.now = until;
    }

    pub fn close(&mut self, id: &str) {
        let request = Request::Close { id: id.into(), reason: "closed".to_owned() };
        self.input(Input::Asked(0, request));
    }

    /// An organiser opens a table that house bots fill at once.
    pub fn open_for_bots(&mut self, id: &str) {
        let mut terms = self.terms.clone();
        terms.policy.house_bots = vec!["random".to_owned(); terms.policy.seats];
        let new = NewTable {
            terms,
            id: Some(id.into()),
            reserved: Vec::new(),
            seed: None,
            bots_at_once: true,
        };
        self.input(Input::Asked(0, Request::Open(Box::new(new))));
    }

    /// At the oldest running table, the seat to move plays its first legal choice.
    pub fn act(&mut self, conns: [u64; 2]) {
        let running = self.hall.tables().find(|(_, table)| table.phase() == Phase::Playing);
        let (_, table) = running.unwrap();
        let (seq, game) = (table.seq(), table.game().unwrap());
        let seat = rules::Game::to_act(game).iter().next().unwrap();
        let action = rules::Game::default_action(game, seat).unwrap();
        let answer = self.ask(conns[seat.index()], Command::Act { seq, action });
        assert_eq!(answer, Answer::Accepted);
    }

    /// What one conn was told since the last time anybody asked.
    pub fn told(&mut self, conn: u64) -> Vec<String> {
        let heard = std::mem::take(&mut self.heard);
        heard.iter().filter(|(to, _)| *to == ConnId(conn)).map(|(_, event)| brief(event)).collect()
    }
}

fn joined(answer: Answer) -> Joined {
    match answer {
        Answer::Joined(joined) => *joined,
        other => panic!("not joined: {other:?}"),
    }
}

pub fn brief(event: &Event<TigerDragon>) -> String {
    let room = |company: &Company| company.table.to_string();
    match event {
        Event::Company(company, Change::Joined(seat)) => format!("{} joined {seat}", room(company)),
        Event::Company(company, Change::Left(seat, _)) => format!("{} left {seat}", room(company)),
        Event::Company(company, Change::Away(seat, _)) => format!("{} away {seat}", room(company)),
        Event::Company(company, Change::Back(seat)) => format!("{} back {seat}", room(company)),
        Event::Update(update) if update.catch_up => format!("{} stands", room(&update.company)),
        Event::Update(update) => format!("{} turn {}", room(&update.company), update.seq),
        Event::Over(over) => match over.closing {
            Closing::Over(_) => format!("{} over", room(&over.company)),
            Closing::Void(_) => format!("{} void", room(&over.company)),
        },
        Event::Dismissed(Dismissal::TableClosed(_)) => "dismissed".to_owned(),
        Event::Dismissed(Dismissal::Replaced) => "replaced".to_owned(),
        Event::Waiting(_) => "waiting".to_owned(),
        Event::History(_) => "history".to_owned(),
        Event::Seated(joined) => format!("seated at {}", room(&joined.company)),
        Event::Entered(_) | Event::Paired(_) | Event::Decided(_) => "tournament".to_owned(),
    }
}

pub fn place(table: &str, seat: u8, resumed: bool) -> (String, u8, bool) {
    (table.to_owned(), seat, resumed)
}
