//! What cannot be rehearsed over a wire: a hall without room, a restart, draw after draw, a game
//! that breaks. Everybody plays the greatest number, and equal numbers are a draw.

use std::collections::BTreeMap;

use rules::{
    BotKind, Dice, Exit, Game, Grade, Illegal, Move, Outcome, Seat, SeatSet, Seed, SetupError,
};
use rules::{Scene, Step, Viewer};
use serde::{Deserialize, Serialize};
use tournament::{Fact, Format, How, PairingId, Plan, TournamentPhase};

use super::CLOSED_KEPT;
use crate::*;

#[derive(Clone, Debug, PartialEq)]
struct Numbers {
    broken: bool,
    /// What each seat has played, or how it went.
    played: Vec<Option<Result<u32, Exit>>>,
    outcome: Option<Outcome>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Config {
    broken: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Nothing;

impl Game for Numbers {
    const NAME: &'static str = "numbers";
    const VERSION: u32 = 1;
    type Config = Config;
    type Action = u32;
    type View = Nothing;

    fn setup(config: &Config, seats: usize, _: Seed) -> Result<Numbers, SetupError> {
        Ok(Numbers { broken: config.broken, played: vec![None; seats], outcome: None })
    }

    fn to_act(&self) -> SeatSet {
        let idle = |seat: &Seat| self.outcome.is_none() && self.played[seat.index()].is_none();
        Seat::all(self.played.len()).filter(idle).collect()
    }

    fn legal(&self, _: Seat) -> Option<Vec<u32>> {
        None
    }

    fn legal_at_most(&self, _: Seat) -> Option<usize> {
        None
    }

    fn sample(&self, _: Seat, dice: &mut Dice) -> u32 {
        *dice.pick(&[1, 2, 3])
    }

    fn check(&self, _: Seat, _: &u32) -> Result<(), Illegal> {
        Ok(())
    }

    fn default_action(&self, _: Seat) -> Option<u32> {
        Some(0)
    }

    fn advance(&mut self, step: Step<'_, u32>) {
        match step {
            Step::Turn(moves) => {
                for (seat, part) in moves {
                    self.played[seat.index()] = Some(match part {
                        Move::Act(number) => Ok(*number),
                        Move::Retire(exit) => Err(exit.clone()),
                    });
                }
            }
            Step::Departure(seats) => {
                for (seat, exit) in seats {
                    self.played[seat.index()] = Some(Err(exit.clone()));
                }
            }
        }
        let here = self.played.iter().filter(|played| !matches!(played, Some(Err(_)))).count();
        if self.to_act().is_empty() || here < 2 {
            let rank = |played: &Option<Result<u32, Exit>>| match played {
                Some(Ok(number)) => (0, 1 + *number, None),
                Some(Err(exit)) => (0, 0, Some(exit.clone())),
                None => (0, 1, None),
            };
            self.outcome = Some(Outcome::ranked(self.played.iter().map(rank).collect()));
        }
    }

    fn view(&self, _: Viewer) -> Nothing {
        assert!(!self.broken, "a view that cannot be made");
        Nothing
    }

    fn picture(_: &Scene<'_, Nothing>) -> String {
        "nothing to see".to_owned()
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }
}

static BOTS: &[BotKind<Numbers>] = &[BotKind {
    name: "seven",
    about: "plays 7",
    grade: Grade::Beginner,
    make: || Box::new(|_: &Nothing, _: &mut Dice| 7),
}];

fn terms(broken: bool) -> Terms<Numbers> {
    let policy = Policy {
        seats: 2,
        names: Names::UniqueAtTable,
        start: Start::WhenFull { ready_grace_ms: 0 },
        hold_waiting_ms: 5000,
        away_in_play: AwayInPlay::Hold,
        after_end: AfterEnd::Stay,
        way_back: WayBack::Token,
        turn_ms: Some(10_000),
        strikes: 0,
        pace_ms: 0,
        broadcast: Default::default(),
        away_stops_clock: false,
        too_slow_for: None,
        heartbeat_ms: None,
        house_bots: Vec::new(),
        house_bots_after_ms: 0,
        waiting_expire_ms: 3_600_000,
        resume_grace_ms: 60_000,
        always_open: false,
        single_table: false,
        hides_owed: false,
        hides_legal: false,
        ids: Ids::Words,
    };
    Terms { config: Config { broken }, policy }
}

/// A hall, its journal, and what each connection was told last.
struct Desk {
    hall: Hall<Numbers>,
    max_tables: usize,
    now: Time,
    records: BTreeMap<TableNo, Vec<TableRecord<Numbers>>>,
    tournament_records: BTreeMap<TournamentNo, Vec<TournamentRecord<Numbers>>>,
    answers: BTreeMap<ConnId, Answer>,
    /// The token and the round of each entrant's last game.
    paired: BTreeMap<ConnId, (String, u32)>,
    decided: BTreeMap<ConnId, Option<Name>>,
    replaced: Vec<ConnId>,
    reply: Option<Reply>,
}

impl Desk {
    fn new(max_tables: usize) -> Desk {
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

    fn give(&mut self, input: Input<Numbers>) {
        let mut outputs = Vec::new();
        self.hall.handle(self.now, input, &mut outputs);
        self.take(outputs);
    }

    fn take(&mut self, outputs: Vec<Output<Numbers>>) {
        for output in outputs {
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
                Output::Answer(conn, answer) => _ = self.answers.insert(conn, answer),
                Output::Reply(_, reply) => self.reply = Some(reply),
                Output::Tell(conn, Event::Paired(paired)) => {
                    if let Some((_, token)) = &paired.game {
                        self.paired.insert(conn, (token.clone(), paired.round));
                    }
                }
                Output::Tell(conn, Event::Decided(decided)) => {
                    self.decided.insert(conn, decided.winner.clone());
                }
                Output::Tell(conn, Event::Dismissed(crate::Dismissal::Replaced)) => {
                    self.replaced.push(conn);
                }
                Output::Tell(..) | Output::Recall(_) | Output::Think(..) | Output::Listed(_) => {}
            }
        }
    }

    fn say(&mut self, conn: u64, command: Command<Numbers>) -> Answer {
        self.give(Input::Said(ConnId(conn), command));
        self.answers.remove(&ConnId(conn)).expect("every command is answered")
    }

    fn tick(&mut self, ms: u64) {
        self.now = self.now + ms;
        self.give(Input::Tick);
    }

    fn convene(&mut self, id: &str, plan: Plan, entrants: &[(&str, Option<&str>)], broken: bool) {
        self.convene_with(id, plan, entrants, terms(broken));
    }

    fn convene_with(
        &mut self,
        id: &str,
        plan: Plan,
        entrants: &[(&str, Option<&str>)],
        terms: Terms<Numbers>,
    ) {
        let new = |(name, bot): &(&str, Option<&str>)| NewEntrant {
            name: (*name).into(),
            display: None,
            plays_as: None,
            bot: bot.map(Into::into),
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

    fn order(&mut self, id: &str, order: Order) {
        self.give(Input::Asked(0, Request::Order { id: id.into(), order }));
        assert!(matches!(self.reply, Some(Reply::Tournament(_))), "{:?}", self.reply);
    }

    /// The token to come back with.
    fn enrol(&mut self, conn: u64, name: &str) -> String {
        match self.say(conn, Command::Enrol { tournament: "cup".into(), name: name.into() }) {
            Answer::Enrolled(enrolled) => enrolled.token.expect("who enters gets a token"),
            other => panic!("{name} cannot enter: {other:?}"),
        }
    }

    /// Sits down to the game it was told of.
    fn attend(&mut self, conn: u64) {
        let (token, _) = self.paired.remove(&ConnId(conn)).expect("there is a game for it");
        let answer = self.say(conn, Command::Attend { token, joined_via: None });
        assert!(matches!(answer, Answer::Joined(_)), "{answer:?}");
    }

    fn play(&mut self, conn: u64, number: u32) {
        let answer = self.say(conn, Command::Act { seq: 0, action: number });
        assert_eq!(answer, Answer::Accepted);
    }

    fn come_back(&mut self, conn: u64, token: &str) -> Answer {
        self.say(conn, Command::Resume(Credential::Token(token.to_owned())))
    }

    fn open_bouts(&self) -> usize {
        let tables = self.hall.tables().filter(|(_, table)| table.closing().is_none());
        tables.filter(|(_, table)| table.opened().game_ref.is_some()).count()
    }

    /// A new hall takes up what the journal says is open, a while later.
    fn restart(&mut self) {
        self.try_restart().expect("a good journal");
    }

    fn try_restart(&mut self) -> Result<(), RestoreError> {
        let open = |(no, records): (&TableNo, &Vec<TableRecord<Numbers>>)| {
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

fn plan(max_entrants: usize) -> Plan {
    Plan { max_entrants, seed: Some(Seed::from_number(3)), ..Plan::default() }
}

#[test]
fn drawn_games_are_played_again_and_then_lots_decide() {
    let mut desk = Desk::new(10);
    desk.convene("cup", plan(2), &[], false);
    desk.enrol(1, "ann");
    desk.enrol(2, "bob");
    for game in 1..=3 {
        for conn in [1, 2] {
            let (_, round) = &desk.paired[&ConnId(conn)];
            assert_eq!(*round, 1, "game {game}");
            desk.attend(conn);
        }
        assert!(desk.decided.is_empty());
        desk.play(1, 5);
        desk.play(2, 5);
    }
    assert!(desk.paired.is_empty(), "two replays, then no more");
    let winner = desk.decided[&ConnId(1)].clone();
    assert!(winner.is_some() && winner == desk.decided[&ConnId(2)]);
    let (_, state) = desk.hall.tournaments().next().expect("still remembered");
    let pairing = &state.tournament.pairings()[0];
    assert_eq!(pairing.games.len(), 3);
    assert_eq!(pairing.decision.as_ref().map(|decision| decision.how), Some(How::Lot));
}

#[test]
fn a_hall_without_room_puts_games_off() {
    let mut desk = Desk::new(1);
    desk.convene("cup", plan(4), &[], false);
    for (conn, name) in (1..).zip(["ann", "bob", "cy", "dee"]) {
        desk.enrol(conn, name);
    }
    for left in [2, 1, 0] {
        assert_eq!((desk.open_bouts(), desk.paired.len()), (1, 2), "{left} more");
        let pair: Vec<u64> = desk.paired.keys().map(|conn| conn.0).collect();
        pair.iter().for_each(|conn| desk.attend(*conn));
        pair.iter().for_each(|conn| desk.play(*conn, *conn as u32));
    }
    assert_eq!(desk.decided[&ConnId(1)].as_deref(), Some("dee"));
}

#[test]
fn a_tournament_without_room_is_forgotten_whole() {
    let mut desk = Desk::new(1);
    let table = NewTable {
        terms: terms(false),
        id: Some("t".into()),
        reserved: vec![],
        seed: None,
        bots_at_once: false,
    };
    desk.give(Input::Asked(0, Request::Open(Box::new(table))));
    for number in 0..=CLOSED_KEPT {
        let (id, one) = (format!("cup-{number}"), format!("ann-{number}"));
        desk.convene(&id, plan(2), &[(&one, None), (&format!("bob-{number}"), None)], false);
        desk.order(&id, Order::Cancel);
    }
    desk.give(Input::Asked(0, Request::Close { id: "t".into(), reason: "enough".into() }));
    assert_eq!((desk.open_bouts(), desk.hall.tournaments().count()), (0, CLOSED_KEPT));
}

#[test]
fn a_game_that_breaks_is_not_played_for_ever() {
    let mut desk = Desk::new(10);
    desk.convene("cup", plan(2), &[("ann", Some("seven")), ("bob", Some("seven"))], true);
    for _ in 0..10 {
        desk.tick(0);
    }
    let (_, state) = desk.hall.tournaments().next().expect("still remembered");
    assert!(state.closed && state.tournament.winner().is_some());
    let voids = desk.records.values().flatten().filter(|record| {
        matches!(record, TableRecord::Closed(Closing::Void(why)) if why.contains("cannot be made"))
    });
    assert_eq!(voids.count(), 3);
}

#[test]
fn a_restart_keeps_places_invitations_and_results() {
    let mut desk = Desk::new(10);
    desk.convene("cup", plan(4), &[], false);
    let names = ["ann", "bob", "cy", "dee"];
    let tokens: Vec<String> = (1..).zip(names).map(|(conn, name)| desk.enrol(conn, name)).collect();
    let invitations = desk.paired.clone();
    // One game is over, one has not begun.
    let opponent = {
        let (_, state) = desk.hall.tournaments().next().expect("it runs");
        let ann = state.tournament.find("ann").expect("she is in");
        let due = state.tournament.open_game_of(ann).expect("she plays");
        due.seats.iter().find(|id| **id != ann).expect("she meets somebody").index() as u64 + 1
    };
    desk.attend(1);
    desk.attend(opponent);
    desk.play(1, 9);
    desk.play(opponent, 1);
    let others: Vec<u64> = (2..=4).filter(|conn| *conn != opponent).collect();
    desk.attend(others[0]);
    let before = desk.hall.tournaments().next().map(|(_, state)| state.clone());
    desk.restart();
    let after = desk.hall.tournaments().next().map(|(_, state)| state.clone());
    assert_eq!(before, after);
    // By its token a player comes to its place and to its seat; by its invitation as well.
    let answer = desk.come_back(10 + others[0], &tokens[others[0] as usize - 1]);
    assert!(matches!(answer, Answer::Enrolled(_)), "{answer:?}");
    let (token, _) = invitations[&ConnId(others[1])].clone();
    let answer = desk.say(10 + others[1], Command::Attend { token, joined_via: None });
    assert!(matches!(answer, Answer::Joined(_)), "{answer:?}");
    desk.play(10 + others[0], 1);
    desk.play(10 + others[1], 2);
    desk.come_back(11, &tokens[0]);
    desk.attend(11);
    desk.attend(10 + others[1]);
    desk.play(11, 9);
    desk.play(10 + others[1], 1);
    assert_eq!(desk.decided[&ConnId(11)].as_deref(), Some("ann"));
}

#[test]
fn a_tournament_of_other_rules_is_not_taken_up() {
    let mut desk = Desk::new(10);
    desk.convene("cup", plan(2), &[], false);
    for records in desk.tournament_records.values_mut() {
        let TournamentRecord::Convened(convened) = &mut records[0] else {
            panic!("it begins otherwise")
        };
        convened.version = 0;
    }
    let refused = desk.try_restart().expect_err("other rules").to_string();
    assert!(refused.starts_with("tournament cup was begun under version 0"), "{refused}");
    // One that is over is played no more, by no rules.
    desk.tournament_records.values_mut().for_each(|records| records.push(TournamentRecord::Closed));
    desk.restart();
}

#[test]
fn nobody_waits_for_who_has_withdrawn() {
    let by_itself = Start::WhenFull { ready_grace_ms: 0 };
    let on_call = Start::OnCall { min: 2 };
    for (start, seated_first) in
        [(by_itself, true), (by_itself, false), (on_call, true), (on_call, false)]
    {
        let mut terms = terms(false);
        terms.policy.start = start;
        let mut desk = Desk::new(10);
        desk.convene_with("cup", Plan { table_seats: 3, ..plan(3) }, &[], terms);
        (1..).zip(["ann", "bob", "cy"]).for_each(|(conn, name)| _ = desk.enrol(conn, name));
        if seated_first {
            [1, 2].into_iter().for_each(|conn| desk.attend(conn));
        }
        desk.order("cup", Order::Withdraw("cy".into()));
        if !seated_first {
            [1, 2].into_iter().for_each(|conn| desk.attend(conn));
        }
        if start == on_call {
            assert_eq!(desk.say(1, Command::Start), Answer::Accepted);
        }
        desk.play(1, 2);
        desk.play(2, 1);
        assert_eq!(desk.decided[&ConnId(1)].as_deref(), Some("ann"), "{start:?} {seated_first}");
    }
}

#[test]
fn a_place_has_one_token_and_one_connection() {
    let mut desk = Desk::new(10);
    desk.convene("cup", plan(3), &[], false);
    let first = desk.enrol(1, "ann");
    desk.give(Input::Gone(ConnId(1)));
    // Before the start a name that is not here is taken anew.
    let second = desk.enrol(2, "ann");
    assert_eq!(desk.come_back(3, &first), Answer::Refused(Refusal::UnknownCredential));
    assert!(desk.replaced.is_empty());
    assert!(matches!(desk.come_back(3, &second), Answer::Enrolled(_)));
    assert_eq!(desk.replaced, [ConnId(2)]);
    // Who is struck off may come again, and another may come under its name; the token is void.
    desk.order("cup", Order::Withdraw("ann".into()));
    assert_eq!(desk.come_back(4, &second), Answer::Refused(Refusal::UnknownCredential));
    desk.enrol(5, "ann");
    assert_eq!(desk.replaced, [ConnId(2), ConnId(3)]);
    desk.enrol(3, "bob");
}

#[test]
fn whoever_sits_under_a_listed_name_keeps_it() {
    let mut desk = Desk::new(10);
    desk.convene("cup", plan(2), &[("ann", None), ("bob", None)], false);
    let role = Role::Player;
    let join = Command::Join { table: None, name: "ann".into(), role, joined_via: None };
    assert!(matches!(desk.say(1, join), Answer::Joined(_)));
    let claim = Command::Enrol { tournament: "cup".into(), name: "ann".into() };
    assert_eq!(desk.say(2, claim), Answer::Refused(Refusal::AlreadyStarted));
    assert!(desk.replaced.is_empty());
}

#[test]
fn who_comes_back_in_a_pause_hears_of_its_game() {
    let mut desk = Desk::new(10);
    desk.convene("cup", plan(2), &[], false);
    let token = desk.enrol(1, "ann");
    desk.enrol(2, "bob");
    desk.order("cup", Order::Pause);
    desk.paired.clear();
    desk.give(Input::Gone(ConnId(1)));
    desk.come_back(3, &token);
    desk.attend(3);
    // What is decided in the pause leaves no table behind that could decide it again.
    desk.order("cup", Order::Adjudicate { pairing: PairingId(0), places: vec![1, 2] });
    assert_eq!(desk.open_bouts(), 0);
    assert_eq!(desk.decided.len(), 2);
}

#[test]
fn who_waits_for_its_table_may_rather_watch() {
    let mut desk = Desk::new(10);
    let bots = [("ann", None), ("bob", Some("seven")), ("cy", Some("seven"))];
    desk.convene("cup", plan(4), &bots, false);
    let join = |role| Command::Join { table: None, name: "ann".into(), role, joined_via: None };
    assert_eq!(desk.say(1, join(Role::Player)), Answer::Awaited);
    let taken = Answer::Refused(Refusal::NameTaken("ann".into()));
    assert_eq!(desk.say(2, join(Role::Player)), taken);
    assert!(matches!(desk.say(1, join(Role::Follower)), Answer::Joined(_)));
    assert_eq!(desk.say(2, join(Role::Player)), Answer::Awaited);
    // Withdrawn, the name is like anybody's.
    desk.order("cup", Order::Withdraw("ann".into()));
    let seated = desk.hall.tables().flat_map(|(_, table)| table.seated());
    assert_eq!(seated.map(|(_, chair)| &*chair.name).collect::<Vec<_>>(), ["ann"]);
}

#[test]
fn a_great_many_can_be_listed_and_no_two_have_one_name() {
    let mut desk = Desk::new(10);
    let names: Vec<String> = (0..20_000).map(|number| format!("player-{number}")).collect();
    let entrants: Vec<(&str, Option<&str>)> = names.iter().map(|name| (&**name, None)).collect();
    desk.convene("cup", plan(20_001), &entrants, false);
    assert_eq!(desk.hall.lobby.people.all_kept().len(), 20_000);
    let plays_as = Some("red".into());
    let red = NewEntrant { name: "ann".into(), display: None, plays_as, bot: None, key: None };
    desk.order("cup", Order::Withdraw("player-7".into()));
    desk.order("cup", Order::Enter(red));
    let enrol = |name: &str| Command::Enrol { tournament: "cup".into(), name: name.into() };
    // Both names are hers.
    assert!(matches!(desk.say(1, enrol("red")), Answer::Enrolled(_)));
    let taken = Answer::Refused(Refusal::NameTaken("ann".into()));
    assert_eq!(desk.say(2, enrol("ann")), taken);
    // Whoever has a token needs no name kept; whoever has gone keeps none.
    assert_eq!(desk.hall.lobby.people.all_kept().len(), 19_999);
    let kept = desk.hall.lobby.people.all_kept();
    desk.restart();
    assert_eq!(desk.hall.lobby.people.all_kept(), kept);
}

/// Organisers of small machines want few games at once.
#[test]
fn no_more_games_are_on_tables_than_the_plan_allows() {
    let mut desk = Desk::new(10);
    let format = Format::RoundRobin { cycles: 1 };
    let names = ["ann", "bob", "carl", "dora", "ed", "flo"];
    let entrants = names.map(|name| (name, None));
    let plan = Plan { format, concurrency: 2, ..plan(6) };
    desk.convene("cup", plan, &entrants, false);
    // Nobody comes, so two games are given up at a time, until nobody is waited for any more.
    let mut most = 0;
    for _ in 0..8 {
        most = most.max(desk.open_bouts());
        desk.tick(25_000);
    }
    assert_eq!((most, desk.open_bouts()), (2, 0));
}

mod running;
