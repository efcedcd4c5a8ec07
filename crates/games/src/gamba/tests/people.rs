//! Players known by name in the whole hall: what becomes of names and seats when commands cross
//! each other, connections break and windows run out.

use hall::{
    Answer, AwayInPlay, Change, Closing, Command, ConnId, Credential, Dismissal, Event, Input,
    Output, TableRecord, Terms,
};
use rules::{Exit, Seed};
use trials::stage::Stage;
use wire::Playable;

use crate::gamba::{Action, Gamba, Options};

const ALICE: ConnId = ConnId(1);
const BOB: ConnId = ConnId(2);
const WINDOW: u64 = 120_000;

struct Lobby {
    stage: Stage,
}

impl Lobby {
    fn new(terms: Terms) -> Lobby {
        Lobby { stage: Stage::new(terms, Gamba::hooks(), 100, Seed::from_number(1)) }
    }

    /// The server ends and begins again, with nothing but its journal.
    fn restart(&mut self) {
        self.stage.restart(Seed::from_number(2)).expect("its own records");
    }

    fn input(&mut self, input: Input) -> Vec<String> {
        self.stage.handle(input);
        self.pictured()
    }

    /// What has come out, a line each: `record`, `conn answer`, `conn event`.
    fn pictured(&self) -> Vec<String> {
        self.stage.outputs.iter().filter(|output| is_pictured(output)).flat_map(picture).collect()
    }

    fn say(&mut self, conn: ConnId, command: Command) -> Vec<String> {
        self.input(Input::Said(conn, command))
    }

    fn enter(&mut self, conn: ConnId, name: &str) -> Vec<String> {
        self.say(conn, Command::Enter { name: name.into() })
    }

    fn join(&mut self, conn: ConnId, name: &str) -> Vec<String> {
        self.stage.join(conn, name, None);
        self.pictured()
    }

    fn resume(&mut self, conn: ConnId, name: &str) -> Vec<String> {
        self.say(conn, Command::Resume(Credential::Name(name.into())))
    }

    fn part(&mut self, conn: ConnId) -> Vec<String> {
        self.say(conn, Command::Part(Exit::TimedOut))
    }

    fn gone(&mut self, conn: ConnId) -> Vec<String> {
        self.input(Input::Gone(conn))
    }

    fn wait(&mut self, ms: u64) -> Vec<String> {
        self.stage.pass(ms);
        self.pictured()
    }
}

/// The messages show who comes and goes; whether that is recorded is the hall's own business.
fn is_pictured(output: &Output) -> bool {
    match output {
        Output::Listed(_) => false,
        Output::TableRecord(entry) => {
            !matches!(*entry.record, TableRecord::Away { .. } | TableRecord::Back { .. })
        }
        _ => true,
    }
}

fn picture(output: &Output) -> Vec<String> {
    let record = match output {
        Output::TableRecord(entry) => match &*entry.record {
            TableRecord::Opened(opened) => format!("opened {}", opened.id),
            TableRecord::Seated { seat, name, .. } => format!("seated {seat} {name}"),
            TableRecord::Left { seat } => format!("left {seat}"),
            TableRecord::Started { order, .. } => format!("started {}{}", order[0], order[1]),
            TableRecord::Moved { seq, seat, .. } => format!("moved {seq} by {seat}"),
            TableRecord::Retired { seats } => format!("retired {seats:?}"),
            TableRecord::Closed(Closing::Over(outcome)) => {
                format!("closed {:?}", outcome.winners())
            }
            TableRecord::Closed(Closing::Void(why)) => format!("closed: {why}"),
            other => format!("{other:?}"),
        },
        Output::Answer(..) | Output::Tell(..) | Output::At(..) => {
            let answer = output.answer().map(|(conn, answer)| picture_of_answer(conn, &answer));
            let events = output.events().into_iter();
            let events = events.map(|(conn, event)| picture_of_event(conn, &event));
            return answer.into_iter().chain(events).collect();
        }
        other => format!("{other:?}"),
    };
    vec![record]
}

fn picture_of_answer(conn: ConnId, answer: &Answer) -> String {
    match answer {
        Answer::Joined(joined) => {
            let seat = joined.seat.map_or("lobby".to_owned(), |seat| format!("seat {seat}"));
            let back = if joined.resumed { "back at" } else { "joined" };
            format!("{}: {back} {} {seat}", conn.0, joined.company.table)
        }
        answer => format!("{}: {answer:?}", conn.0),
    }
}

fn picture_of_event(conn: ConnId, event: &Event) -> String {
    match event {
        Event::Company(company, change) => {
            let told = match change {
                Change::Joined(seat) => format!("{} joined", company.name(*seat)),
                Change::Left(_, name) => format!("{name} left"),
                Change::Away(seat, exit) => format!("{} away {exit:?}", company.name(*seat)),
                Change::Back(seat) => format!("{} back", company.name(*seat)),
            };
            format!("{} hears {told}", conn.0)
        }
        Event::Update(update) => format!("{} hears {}", conn.0, update.seq),
        Event::Over(_) => format!("{} hears over", conn.0),
        Event::Dismissed(Dismissal::TableClosed(why)) => format!("{} dismissed: {why}", conn.0),
        event => format!("{} hears {event:?}", conn.0),
    }
}

fn terms() -> Terms {
    // Windows are what is tried here, not clocks.
    Gamba::terms(&Options { turn_timeout_ms: 0, ..Options::default() }).unwrap()
}

/// Alice and Bob in one room.
fn waiting() -> Lobby {
    let mut lobby = Lobby::new(terms());
    for (conn, name) in [(ALICE, "Alice"), (BOB, "Bob")] {
        assert_eq!(lobby.enter(conn, name), [format!("{}: Entered", conn.0)]);
        lobby.join(conn, name);
    }
    lobby
}

/// ... and their game begun.
fn playing() -> Lobby {
    let mut lobby = waiting();
    lobby.say(ALICE, Command::Start);
    lobby
}

#[test]
fn two_joins_at_once_share_a_room_and_each_hears_the_truth() {
    let mut lobby = Lobby::new(terms());
    lobby.enter(ALICE, "Alice");
    lobby.enter(BOB, "Bob");
    assert_eq!(
        lobby.join(BOB, "Bob"),
        ["opened ROOM_1", "seated 0 Bob", "2: joined ROOM_1 seat 0"]
    );
    assert_eq!(
        lobby.join(ALICE, "Alice"),
        ["seated 1 Alice", "1: joined ROOM_1 seat 1", "2 hears Alice joined"]
    );
    assert_eq!(lobby.join(ALICE, "Alice"), ["1: Refused(AlreadySeated)"]);
    lobby.enter(ConnId(3), "Carol");
    let carol = lobby.join(ConnId(3), "Carol");
    assert_eq!(carol, ["opened ROOM_2", "seated 0 Carol", "3: joined ROOM_2 seat 0"]);
}

#[test]
fn two_calls_for_the_start_begin_one_game() {
    for (first, second) in [(ALICE, BOB), (BOB, ALICE)] {
        let mut lobby = waiting();
        let accepted = format!("{}: Accepted", first.0);
        let started = lobby.say(first, Command::Start);
        assert_eq!(started, [&accepted, "started 01", "1 hears 0", "2 hears 0"]);
        let refused = format!("{}: Refused(AlreadyStarted)", second.0);
        assert_eq!(lobby.say(second, Command::Start), [refused]);
    }
}

#[test]
fn of_two_who_come_back_by_one_name_the_first_is_it() {
    let mut lobby = playing();
    lobby.gone(ALICE);
    assert_eq!(
        lobby.resume(ConnId(3), "Alice"),
        ["3: back at ROOM_1 seat 0", "2 hears Alice back", "3 hears 0"]
    );
    assert_eq!(lobby.resume(ConnId(4), "Alice"), ["4: Refused(UnknownCredential)"]);
}

#[test]
fn nobody_comes_back_while_the_old_socket_lingers() {
    let mut lobby = playing();
    assert_eq!(lobby.resume(ConnId(3), "Alice"), ["3: Refused(UnknownCredential)"]);
    assert_eq!(lobby.enter(ConnId(3), "Alice"), [r#"3: Refused(NameTaken("Alice"))"#]);
    assert_eq!(lobby.part(ALICE), ["1: Accepted", "2 hears Alice away TimedOut"]);
    assert_eq!(lobby.resume(ConnId(3), "Alice")[0], "3: back at ROOM_1 seat 0");
    // The old socket belongs to no player now, and its end changes nothing.
    assert_eq!(lobby.resume(ALICE, "Alice"), ["1: Refused(UnknownCredential)"]);
    assert_eq!(lobby.say(ALICE, Command::Start), ["1: Refused(NotSeated)"]);
    assert!(lobby.gone(ALICE).is_empty());
    assert!(lobby.wait(2 * WINDOW).is_empty(), "Alice is here");
}

#[test]
fn who_parted_is_not_away_twice_and_its_window_is_not_prolonged() {
    let mut lobby = playing();
    lobby.part(ALICE);
    lobby.wait(WINDOW - 1);
    assert!(lobby.gone(ALICE).is_empty());
    assert_eq!(lobby.wait(1)[0], "retired [(Seat(0), Lost)]");
}

#[test]
fn a_window_that_runs_out_in_the_lobby_frees_the_name() {
    let mut lobby = Lobby::new(terms());
    lobby.enter(ALICE, "Alice");
    assert!(lobby.gone(ALICE).is_empty());
    lobby.wait(WINDOW - 1);
    assert_eq!(lobby.enter(BOB, "Alice"), [r#"2: Refused(NameTaken("Alice"))"#]);
    assert!(lobby.wait(1).is_empty());
    assert_eq!(lobby.resume(BOB, "Alice"), ["2: Refused(UnknownCredential)"]);
    assert_eq!(lobby.enter(BOB, "Alice"), ["2: Entered"]);
    assert_eq!(lobby.stage.hall.deadline(), None);
}

#[test]
fn a_window_that_runs_out_in_a_waiting_room_frees_the_seat() {
    let mut lobby = waiting();
    assert_eq!(lobby.gone(ALICE), ["2 hears Alice away Lost"]);
    assert_eq!(lobby.wait(WINDOW), ["left 0", "2 hears Alice left"]);
    assert_eq!(lobby.say(BOB, Command::Start), ["2: Refused(TooFewPlayers)"]);
    // Bob was there before Carol, whatever her chair.
    lobby.enter(ConnId(3), "Carol");
    lobby.join(ConnId(3), "Carol");
    let started = lobby.say(ConnId(3), Command::Start);
    assert_eq!(started, ["3: Accepted", "started 10", "2 hears 0", "3 hears 0"]);
    assert_eq!(lobby.gone(BOB), ["3 hears Bob away Lost"]);
    assert_eq!(lobby.resume(BOB, "Bob")[0], "2: back at ROOM_1 seat 0");
}

#[test]
fn the_last_window_of_a_waiting_room_closes_it() {
    let mut lobby = waiting();
    lobby.gone(ALICE);
    lobby.gone(BOB);
    let closed = lobby.wait(WINDOW);
    assert_eq!(closed, ["left 0", "left 1", "closed: everybody has left"]);
    assert_eq!((lobby.stage.hall.open_tables(), lobby.stage.hall.deadline()), (0, None));
    lobby.enter(ALICE, "Alice");
    assert_eq!(lobby.join(ALICE, "Alice")[0], "opened ROOM_2");
}

#[test]
fn a_window_that_runs_out_in_a_running_game_gives_it_to_the_other() {
    let mut lobby = playing();
    lobby.gone(ALICE);
    assert!(lobby.wait(WINDOW - 1).is_empty());
    assert_eq!(
        lobby.wait(1),
        ["retired [(Seat(0), Lost)]", "closed {1}", "2 hears 1", "2 hears over"]
    );
    assert_eq!(lobby.join(BOB, "Bob")[0], "opened ROOM_2");
    assert_eq!(lobby.enter(ALICE, "Alice"), ["1: Entered"]);
}

#[test]
fn windows_that_end_together_give_the_game_to_nobody() {
    for (first, second) in [(ALICE, BOB), (BOB, ALICE)] {
        let mut lobby = playing();
        lobby.gone(first);
        lobby.gone(second);
        let over = lobby.wait(WINDOW);
        assert_eq!(over, ["retired [(Seat(0), Lost), (Seat(1), Lost)]", "closed {0, 1}"]);
        assert_eq!(lobby.stage.hall.deadline(), None);
    }
}

#[test]
fn a_game_that_ends_while_a_player_is_away_leaves_it_in_the_lobby() {
    let mut lobby = playing();
    lobby.gone(ALICE);
    lobby.wait(1);
    lobby.gone(BOB);
    assert_eq!(lobby.wait(WINDOW - 1), ["retired [(Seat(0), Lost)]", "closed {1}"]);
    assert_eq!(lobby.resume(ConnId(3), "Bob"), ["3: back at  lobby"]);
    assert_eq!(lobby.say(ConnId(3), Command::Start), ["3: Refused(NotSeated)"]);
    assert_eq!(lobby.join(ConnId(3), "Bob")[0], "opened ROOM_2");
}

#[test]
fn a_window_begun_in_the_waiting_room_goes_on_in_the_game() {
    let mut lobby = waiting();
    lobby.gone(ALICE);
    lobby.wait(WINDOW / 2);
    assert_eq!(lobby.say(BOB, Command::Start), ["2: Accepted", "started 01", "2 hears 0"]);
    assert!(lobby.wait(WINDOW / 2 - 1).is_empty());
    assert_eq!(lobby.wait(1)[0], "retired [(Seat(0), Lost)]");
}

#[test]
fn a_long_window_outlasts_the_patience_for_deserted_tables() {
    let options = Options { reconnect_window_s: 7200, ..Options::default() };
    let mut lobby = Lobby::new(Gamba::terms(&options).unwrap());
    for (conn, name) in [(ALICE, "Alice"), (BOB, "Bob")] {
        lobby.enter(conn, name);
        lobby.join(conn, name);
    }
    lobby.say(ALICE, Command::Start);
    lobby.gone(ALICE);
    lobby.gone(BOB);
    assert!(lobby.wait(7_199_999).is_empty());
    assert_eq!(lobby.resume(ALICE, "Alice")[0], "1: back at ROOM_1 seat 0");
}

#[test]
fn who_leaves_a_room_comes_back_to_the_lobby() {
    let mut lobby = waiting();
    let left = lobby.say(ALICE, Command::Leave);
    assert_eq!(left, ["1: Accepted", "left 0", "2 hears Alice left"]);
    lobby.gone(ALICE);
    lobby.enter(ConnId(3), "Carol");
    lobby.join(ConnId(3), "Carol");
    assert_eq!(lobby.resume(ALICE, "Alice"), ["1: back at  lobby"]);
}

#[test]
fn no_parting_counts_once_the_server_goes_down() {
    let mut lobby = playing();
    lobby.input(Input::ShuttingDown);
    assert_eq!(lobby.part(ALICE), ["1: Accepted"]);
    assert!(lobby.gone(BOB).is_empty());
    assert!(lobby.wait(WINDOW).is_empty());
}

#[test]
fn a_house_bot_is_nobody_to_come_back_as_and_goes_with_its_table() {
    let mut terms = terms();
    terms.policy.house_bots = vec!["thrifty".to_owned()];
    let mut lobby = Lobby::new(terms);
    lobby.enter(ALICE, "Alice");
    lobby.enter(BOB, "thrifty1");
    lobby.join(ALICE, "Alice");
    assert_eq!(lobby.wait(1000), ["seated 1 thrifty2", "1 hears thrifty2 joined"]);
    assert_eq!(lobby.resume(ConnId(3), "thrifty2"), ["3: Refused(UnknownCredential)"]);
    assert_eq!(lobby.enter(ConnId(3), "thrifty2"), [r#"3: Refused(NameTaken("thrifty2"))"#]);
    lobby.gone(ALICE);
    assert_eq!(lobby.wait(WINDOW), ["left 0", "closed: everybody has left"]);
    assert_eq!(lobby.enter(ConnId(3), "thrifty2"), ["3: Entered"]);
}

#[test]
fn a_move_that_crosses_the_end_of_the_game_finds_no_room() {
    let mut lobby = playing();
    lobby.gone(BOB);
    lobby.wait(WINDOW);
    let late = lobby.say(ALICE, Command::act::<Gamba>(0, Action::Reserve));
    assert_eq!(late, ["1: Refused(NotSeated)"]);
}

#[test]
fn after_a_restart_players_come_back_by_name_and_bots_keep_theirs() {
    let mut terms = terms();
    terms.policy.house_bots = vec!["random".to_owned()];
    let mut lobby = Lobby::new(terms);
    for (conn, name) in [(ALICE, "Alice"), (BOB, "Bob"), (ConnId(3), "Carol"), (ConnId(4), "Dave")]
    {
        lobby.enter(conn, name);
    }
    lobby.join(ALICE, "Alice");
    lobby.join(BOB, "Bob");
    lobby.join(ConnId(3), "Carol");
    lobby.wait(1000);
    lobby.say(BOB, Command::Start);
    lobby.restart();

    let back = |conn: u64, room: &str| format!("{conn}: back at {room} seat 0");
    assert_eq!(lobby.resume(ConnId(5), "Alice")[0], back(5, "ROOM_1"));
    assert_eq!(lobby.resume(ConnId(6), "Carol")[0], back(6, "ROOM_2"));
    assert_eq!(lobby.enter(ConnId(7), "Bob"), [r#"7: Refused(NameTaken("Bob"))"#]);
    assert_eq!(lobby.resume(ConnId(7), "random2"), ["7: Refused(UnknownCredential)"]);
    assert_eq!(lobby.enter(ConnId(7), "random2"), [r#"7: Refused(NameTaken("random2"))"#]);
    // Who sat at no table has left no trace.
    assert_eq!(lobby.resume(ConnId(7), "Dave"), ["7: Refused(UnknownCredential)"]);
    assert_eq!(lobby.enter(ConnId(7), "Dave"), ["7: Entered"]);
    // Bob does not come in time.
    assert_eq!(lobby.wait(WINDOW)[0], "retired [(Seat(1), Lost)]");
}

/// A join was recorded and then cut off by a kill: the player returned by name, and was refused the
/// room because it had never learned that it was in it.
#[test]
fn a_join_cut_off_by_a_restart_is_answered_when_repeated() {
    let mut lobby = Lobby::new(terms());
    lobby.enter(ALICE, "Alice");
    lobby.join(ALICE, "Alice");
    lobby.restart();
    assert_eq!(lobby.resume(ConnId(5), "Alice"), ["5: back at ROOM_1 seat 0"]);
    assert_eq!(lobby.join(ConnId(5), "Alice"), ["5: joined ROOM_1 seat 0"]);
    assert_eq!(lobby.join(ConnId(5), "Alice"), ["5: Refused(AlreadySeated)"], "now it has heard");
    lobby.enter(BOB, "Bob");
    assert_eq!(lobby.join(BOB, "Bob").last().unwrap(), "5 hears Bob joined");
    assert_eq!(lobby.say(BOB, Command::Start)[0], "2: Accepted");
}

/// The hall's own simulation, with windows short enough to run out all the time.
#[test]
fn the_hall_keeps_its_laws_under_fire() {
    for seed in 0..100 {
        let mut terms = terms();
        let window = [1, 300, 5000, WINDOW][seed as usize % 4];
        terms.policy.away_in_play = AwayInPlay::RetireAfter { ms: window };
        terms.policy.turn_ms = (seed % 3 == 0).then_some(2000);
        if seed % 2 == 0 {
            terms.policy.house_bots = vec!["random".to_owned()];
        }
        trials::simulation::run(&terms, Gamba::bots(), seed, 2000);
    }
}
