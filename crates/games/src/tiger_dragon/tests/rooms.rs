//! The hall without sessions, in short form: who sits where, and what each client receives.

use hall::{
    Answer, Change, Closing, Command, Company, ConnId, Dismissal, Event, Input, Joined, NewTable,
    Phase, Policy, Reply, Request, Role,
};
use rules::Seed;
use trials::stage::Stage;
use wire::Playable;

use crate::tiger_dragon::{Options, TigerDragon};

pub struct Rooms {
    pub stage: Stage,
    pub heard: Vec<(ConnId, Event)>,
}

impl Rooms {
    pub fn new(options: &Options, adapt: impl FnOnce(&mut Policy)) -> Rooms {
        let mut terms = TigerDragon::terms(options).unwrap();
        adapt(&mut terms.policy);
        let stage = Stage::new(terms, TigerDragon::hooks(), 100, Seed::from_number(1));
        Rooms { stage, heard: Vec::new() }
    }

    pub fn of_two() -> Rooms {
        Rooms::new(&Options { players: 2, turn_timeout_ms: 0, ..Options::default() }, |_| {})
    }

    /// Another hall continues from this one's records.
    pub fn restart(&mut self) {
        self.stage.restart(Seed::from_number(2)).expect("the same rules");
        self.heard.clear();
    }

    /// Keeps what the hall has just told.
    fn listen(&mut self) {
        self.heard.extend(self.stage.events());
    }

    pub fn ask(&mut self, conn: u64, command: Command) -> Answer {
        let answer = self.stage.command(ConnId(conn), command);
        self.listen();
        answer
    }

    pub fn join(&mut self, conn: u64, name: &str) -> Answer {
        let answer = self.stage.join(ConnId(conn), name, None);
        self.listen();
        answer
    }

    /// Joins, and returns the table and the seat. A player with the same name answers that it is
    /// there, so no one loses a seat by this.
    pub fn seat(&mut self, conn: u64, name: &str) -> (String, u8, bool) {
        let before = self.heard.len();
        let joined = match self.join(conn, name) {
            Answer::Awaited => self.seated(conn, before),
            answer => joined(answer),
        };
        let seat = joined.seat.expect("a player has a seat");
        (joined.company.table.to_string(), seat.0, joined.resumed)
    }

    /// Where a player is seated once its namesake has answered, who was asked after `before`
    /// events.
    fn seated(&mut self, conn: u64, before: usize) -> Joined {
        let asked =
            self.heard[before..].iter().filter(|(_, event)| matches!(event, Event::Doubted(_)));
        let asked: Vec<ConnId> = asked.map(|(namesake, _)| *namesake).collect();
        assert_eq!(asked.len(), 1, "one namesake is asked");
        assert_eq!(self.ask(asked[0].0, Command::Present), Answer::Accepted);
        let seated = self.heard[before..].iter().find_map(|(to, event)| match event {
            Event::Seated(joined) if *to == ConnId(conn) => Some((**joined).clone()),
            _ => None,
        });
        seated.expect("who waited has a seat")
    }

    /// Follows the hall, and says which table that is.
    pub fn follow(&mut self, conn: u64, table: Option<&str>) -> String {
        let table = table.map(Into::into);
        let command =
            Command::Join { table, name: "".into(), role: Role::Follower, joined_via: None };
        joined(self.ask(conn, command)).company.table.to_string()
    }

    pub fn gone(&mut self, conn: u64) {
        self.stage.handle(Input::Gone(ConnId(conn)));
        self.listen();
    }

    pub fn wait(&mut self, ms: u64) {
        self.stage.pass(ms);
        self.listen();
    }

    fn organise(&mut self, request: Request) {
        assert!(!matches!(self.stage.ask(request), Reply::Refused(_)));
        self.listen();
    }

    pub fn close(&mut self, id: &str) {
        self.organise(Request::Close { id: id.into(), reason: "closed".to_owned() });
    }

    /// An organiser opens a table that house bots fill at once.
    pub fn open_for_bots(&mut self, id: &str) {
        let mut terms = self.stage.terms.clone();
        terms.policy.house_bots = vec!["random".to_owned(); terms.policy.seats];
        let (id, reserved) = (Some(id.into()), Vec::new());
        let new = NewTable { terms, id, reserved, seed: None, bots_at_once: true };
        self.organise(Request::Open(Box::new(new)));
    }

    /// At the oldest running table, the seat to move plays its first legal choice.
    pub fn act(&mut self, conns: [u64; 2]) {
        let running = self.stage.hall.tables().find(|(_, table)| table.phase() == Phase::Playing);
        let (_, table) = running.unwrap();
        let (seq, game) = (table.seq(), table.game().unwrap());
        let seat = game.to_act().iter().next().unwrap();
        let action = game.default_action(seat).unwrap();
        let answer = self.ask(conns[seat.index()], Command::Act { seq, action });
        assert_eq!(answer, Answer::Accepted);
    }

    /// What one connection received since the last call.
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

pub fn brief(event: &Event) -> String {
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
        Event::Doubted(_) => "doubted".to_owned(),
        Event::Entered(_) | Event::Paired(_) | Event::Decided(_) => "tournament".to_owned(),
        Event::Rematch(_) => "rematch".to_owned(),
        Event::Reacted(..) => "reacted".to_owned(),
    }
}

pub fn place(table: &str, seat: u8, resumed: bool) -> (String, u8, bool) {
    (table.to_owned(), seat, resumed)
}
