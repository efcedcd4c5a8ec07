//! Coming back by name where names are free, and following the hall: what the hall promises to
//! the sessions of this game.

use hall::{
    Answer, Change, Closing, Command, Company, Conn, Dismissal, Event, Hall, Input, Joined, Output,
    Policy, Refusal, Reply, Request, Role, Time,
};
use rules::{Seat, Seed};
use wire::Playable;

use crate::tiger_dragon::{Options, TigerDragon};

struct Floor {
    hall: Hall<TigerDragon>,
    now: Time,
    heard: Vec<(Conn, Event<TigerDragon>)>,
}

impl Floor {
    fn new(options: &Options, adapt: impl FnOnce(&mut Policy)) -> Floor {
        let mut terms = TigerDragon::terms(options).unwrap();
        adapt(&mut terms.policy);
        let hall = Hall::new(terms, TigerDragon::bots(), 100, Seed::from_number(1));
        Floor { hall, now: Time(0), heard: Vec::new() }
    }

    fn of_two() -> Floor {
        Floor::new(&Options { players: 2, ..Options::default() }, |_| {})
    }

    fn input(&mut self, input: Input<TigerDragon>) -> Option<Answer> {
        let mut outputs = Vec::new();
        self.hall.handle(self.now, input, &mut outputs);
        let mut answer = None;
        for output in outputs {
            match output {
                Output::Answer(_, said) => answer = Some(said),
                Output::Tell(conn, event) => self.heard.push((conn, event)),
                Output::Reply(_, reply) => assert!(!matches!(reply, Reply::Refused(_))),
                Output::Record(_) => {}
            }
        }
        answer
    }

    fn ask(&mut self, conn: u64, command: Command<TigerDragon>) -> Answer {
        self.input(Input::Said(Conn(conn), command)).expect("every command has an answer")
    }

    fn join(&mut self, conn: u64, name: &str) -> Answer {
        self.ask(conn, Command::Join { table: None, name: name.into(), role: Role::Player })
    }

    /// Joins, and says at which table and seat.
    fn seat(&mut self, conn: u64, name: &str) -> (String, u8, bool) {
        let joined = joined(self.join(conn, name));
        let seat = joined.seat.expect("a player has a seat");
        (joined.company.table.to_string(), seat.0, joined.resumed)
    }

    /// Follows the hall, and says which table that is.
    fn follow(&mut self, conn: u64, table: Option<&str>) -> String {
        let table = table.map(Into::into);
        let command = Command::Join { table, name: "".into(), role: Role::Follower };
        joined(self.ask(conn, command)).company.table.to_string()
    }

    fn gone(&mut self, conn: u64) {
        self.input(Input::Gone(Conn(conn)));
    }

    fn wait(&mut self, ms: u64) {
        let until = self.now + ms;
        while let Some(next) = self.hall.deadline().filter(|next| *next <= until) {
            self.now = self.now.max(next);
            self.input(Input::Tick);
        }
        self.now = until;
    }

    fn close(&mut self, id: &str) {
        let request = Request::Close { id: id.into(), reason: "closed".to_owned() };
        self.input(Input::Asked(0, request));
    }

    /// The seat to move plays its first legal choice.
    fn act(&mut self, conns: [u64; 2]) {
        let (_, table) = self.hall.tables().last().unwrap();
        let (seq, game) = (table.seq, table.game.as_ref().unwrap());
        let seat = rules::Game::to_act(game).iter().next().unwrap();
        let action = rules::Game::default_action(game, seat).unwrap();
        let answer = self.ask(conns[seat.index()], Command::Act { seq, action });
        assert_eq!(answer, Answer::Accepted);
    }

    /// What one conn was told since the last time anybody asked.
    fn told(&mut self, conn: u64) -> Vec<String> {
        let heard = std::mem::take(&mut self.heard);
        heard.iter().filter(|(to, _)| *to == Conn(conn)).map(|(_, event)| brief(event)).collect()
    }
}

fn joined(answer: Answer) -> Joined {
    match answer {
        Answer::Joined(joined) => *joined,
        other => panic!("not joined: {other:?}"),
    }
}

fn brief(event: &Event<TigerDragon>) -> String {
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
    }
}

fn place(table: &str, seat: u8, resumed: bool) -> (String, u8, bool) {
    (table.to_owned(), seat, resumed)
}

#[test]
fn the_name_of_a_dropped_player_brings_its_seat_back() {
    let mut floor = Floor::of_two();
    assert_eq!(floor.seat(1, "ann"), place("room1", 0, false));
    assert_eq!(floor.seat(2, "bob"), place("room1", 1, false));
    floor.gone(2);
    assert_eq!(floor.told(1), ["room1 joined 1", "room1 turn 0", "room1 away 1"]);
    assert_eq!(floor.seat(3, "bob"), place("room1", 1, true));
    let told = std::mem::take(&mut floor.heard);
    let told: Vec<_> = told.iter().map(|(conn, event)| (conn.0, brief(event))).collect();
    assert_eq!(told, [(1, "room1 back 1".to_owned()), (3, "room1 stands".to_owned())]);
    floor.act([1, 3]);
    assert_eq!(floor.told(3), ["room1 turn 1"]);
}

#[test]
fn a_name_whose_player_is_here_brings_nothing_back() {
    let mut floor = Floor::of_two();
    floor.seat(1, "ann");
    floor.seat(2, "bob");
    assert_eq!(floor.seat(3, "bob"), place("room2", 0, false));
    floor.gone(2);
    assert_eq!(floor.seat(4, "eve"), place("room2", 1, false));
    assert_eq!(floor.join(3, "bob"), Answer::Refused(Refusal::AlreadySeated));
    assert_eq!(floor.seat(5, "bob"), place("room1", 1, true));
}

#[test]
fn namesakes_come_back_one_after_the_other_to_the_oldest_table_first() {
    let mut floor = Floor::of_two();
    for conn in 1..=4 {
        floor.seat(conn, "p");
    }
    for conn in 1..=4 {
        floor.gone(conn);
    }
    assert_eq!(floor.seat(5, "p"), place("room1", 0, true));
    assert_eq!(floor.seat(6, "p"), place("room1", 1, true));
    assert_eq!(floor.seat(7, "p"), place("room2", 0, true));
    assert_eq!(floor.seat(8, "p"), place("room2", 1, true));
    assert_eq!(floor.seat(9, "p"), place("room3", 0, false));
}

#[test]
fn before_the_start_a_seat_is_freed_at_once_and_the_lowest_is_given_first() {
    let mut floor = Floor::new(&Options::default(), |_| {});
    for (conn, name) in [(1, "a"), (2, "b"), (3, "c")] {
        floor.seat(conn, name);
    }
    floor.gone(1);
    floor.gone(2);
    assert_eq!(floor.seat(4, "b"), place("room1", 0, false));
    assert_eq!(floor.seat(5, "a"), place("room1", 1, false));
}

#[test]
fn where_seats_are_held_before_the_start_a_player_finds_its_own_chair() {
    let mut floor = Floor::new(&Options::default(), |policy| policy.hold_waiting_ms = 5_000);
    floor.seat(1, "a");
    floor.seat(2, "b");
    floor.gone(1);
    assert_eq!(floor.seat(3, "c"), place("room2", 0, false));
    assert_eq!(floor.seat(4, "a"), place("room1", 0, false));
}

#[test]
fn nobody_comes_back_as_a_house_bot() {
    let options = Options { players: 2, ..Options::default() };
    let mut floor = Floor::new(&options, |policy| policy.house_bots = vec!["random".to_owned()]);
    floor.seat(1, "ann");
    floor.wait(1_000);
    assert_eq!(floor.told(1).first().map(String::as_str), Some("room1 joined 1"));
    let (_, table) = floor.hall.tables().next().unwrap();
    assert_eq!(&*table.chair(Seat(1)).unwrap().name, "random-1");
    assert_eq!(floor.seat(2, "random-1"), place("room2", 0, false));
}

#[test]
fn a_house_bot_plays_for_the_absent_until_they_are_back() {
    let mut floor = Floor::of_two();
    floor.seat(1, "ann");
    floor.seat(2, "bob");
    floor.gone(1);
    floor.wait(299_999);
    floor.told(2);
    floor.wait(1);
    assert_eq!(floor.told(2), ["room1 turn 1"], "seat 0 attacks, seat 1 is here and thinks");
    assert_eq!(floor.seat(3, "ann"), place("room1", 0, true));
    floor.act([3, 2]);
    floor.told(3);
    floor.wait(1_000_000);
    assert_eq!(floor.told(3), Vec::<String>::new(), "nobody plays for who is here");
}

#[test]
fn deserted_matches_are_played_out_and_their_names_mean_nothing_then() {
    let mut floor = Floor::of_two();
    floor.seat(1, "ann");
    floor.seat(2, "bob");
    floor.gone(1);
    floor.gone(2);
    floor.wait(300_000);
    assert_eq!(floor.hall.open_tables(), 0);
    assert_eq!(floor.seat(3, "ann"), place("room2", 0, false));
}

#[test]
fn a_follower_who_takes_its_seat_back_no_longer_watches() {
    let mut floor = Floor::of_two();
    floor.seat(1, "ann");
    floor.seat(2, "bob");
    floor.gone(2);
    assert_eq!(floor.follow(3, None), "room1");
    floor.seat(3, "bob");
    floor.told(3);
    floor.act([1, 3]);
    assert_eq!(floor.told(3), ["room1 turn 1"]);
}

#[test]
fn followers_wait_for_a_table_and_go_from_one_to_the_next() {
    let mut floor = Floor::of_two();
    assert_eq!(floor.follow(9, None), "");
    floor.seat(1, "ann");
    assert_eq!(floor.told(9), ["room1 joined 0"]);
    floor.seat(2, "bob");
    assert_eq!(floor.told(9), ["room1 joined 1", "room1 turn 0"]);
    floor.seat(3, "carl");
    assert_eq!(floor.told(9), Vec::<String>::new(), "room1 is not over");
    floor.close("room1");
    assert_eq!(floor.told(9), ["room1 void"]);
    floor.seat(4, "dora");
    assert_eq!(floor.told(9), ["room2 joined 1", "room2 turn 0"]);
    floor.close("room2");
    assert_eq!(floor.told(9), ["room2 void"]);
    assert_eq!(floor.follow(8, Some("room1")), "room2", "what is over gives way to the newest");
    assert_eq!(floor.told(8), ["room2 stands", "room2 void"]);
    floor.seat(5, "emil");
    assert_eq!(floor.told(9), ["room3 joined 0"]);
}

#[test]
fn followers_of_a_finished_match_are_shown_the_running_one() {
    let mut floor = Floor::of_two();
    floor.follow(9, None);
    for conn in 1..=4 {
        floor.seat(conn, "p");
    }
    floor.told(9);
    floor.close("room1");
    assert_eq!(floor.told(9), ["room1 void", "room2 stands"]);
}

#[test]
fn a_follower_may_name_its_table() {
    let mut floor = Floor::of_two();
    for conn in 1..=5 {
        floor.seat(conn, "p");
    }
    assert_eq!(floor.follow(9, Some("room1")), "room1");
    assert_eq!(floor.told(9), ["room1 stands"]);
    assert_eq!(floor.follow(9, Some("room3")), "room3");
    assert_eq!(floor.told(9), Vec::<String>::new(), "not begun");
    assert_eq!(floor.follow(9, Some("nowhere")), "room3");
    assert_eq!(floor.follow(9, None), "room3");
    let playing = Command::Join { table: None, name: "".into(), role: Role::Follower };
    assert_eq!(floor.ask(1, playing), Answer::Refused(Refusal::AlreadySeated));
}

#[test]
fn followers_outlive_a_table_that_never_began_and_leave_no_trace() {
    let mut floor = Floor::of_two();
    floor.seat(1, "ann");
    assert_eq!(floor.follow(9, None), "room1");
    floor.close("room1");
    assert_eq!(floor.told(1), ["dismissed"]);
    floor.seat(2, "bob");
    assert_eq!(floor.told(9), ["room2 joined 0"]);
    floor.follow(8, None);
    for conn in [1, 2, 8, 9] {
        floor.gone(conn);
    }
    assert_eq!(floor.hall.visitors(), 0);
    floor.heard.clear();
    floor.seat(3, "carl");
    assert_eq!(floor.heard.len(), 0);
}

#[test]
fn a_hall_for_a_single_match_has_one_table_that_counts() {
    let options = Options { players: 2, single_match: true, ..Options::default() };
    let mut floor = Floor::new(&options, |_| {});
    floor.seat(1, "ann");
    floor.close("room1");
    assert_eq!(floor.seat(1, "ann"), place("room2", 0, false), "room1 never began");
    assert_eq!(floor.seat(2, "bob"), place("room2", 1, false));
    assert_eq!(floor.join(3, "carl"), Answer::Refused(Refusal::TableFull));
    floor.gone(1);
    assert_eq!(floor.join(3, "carl"), Answer::Refused(Refusal::TableFull));
    assert_eq!(floor.seat(4, "ann"), place("room2", 0, true));
    floor.close("room2");
    for conn in [3, 4] {
        assert_eq!(floor.join(conn, "ann"), Answer::Refused(Refusal::TableFull));
    }
}
