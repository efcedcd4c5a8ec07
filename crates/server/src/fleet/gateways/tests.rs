//! What gateways are told beside what their connections hear.

use games::sushi_go::SushiGo;
use games::tiger_dragon::TigerDragon;
use hall::{
    Answer, Command, Event, Introduction, Name, NewTable, Output, Role, TableEntry, TableRecord,
    Update,
};
use rules::Seed;
use wire::{Playable, Visitor};

use super::super::link::{Following, Frame};
use super::*;

/// A turn's clock that had been put off ran out early for whoever took the hall over: gateways were
/// told of it with the next turn only.
#[test]
fn clocks_that_are_put_off_are_told_to_gateways() {
    let terms = SushiGo::terms(&Default::default()).expect("defaults are fine");
    let mut hall = Hall::new(terms, SushiGo::hooks(), 10, Seed::from_number(7));
    let mut gateways = Gateways::<SushiGo>::default();
    gateways.known.insert(2, Gateway::default());
    let mut outputs = Vec::new();
    for (number, name) in ["ann", "bob"].into_iter().enumerate() {
        let (name, conn) = (Name::from(name), ConnId(2 << 32 | number as u64));
        let join = Command::Join { table: None, name, role: Role::Player, joined_via: None };
        let said = FromGateway::Said(conn, 1 + number as u64, join);
        let input = gateways.hear(2, 0, said).expect("it is new");
        hall.handle(Time(1000), input, &mut outputs);
    }
    assert_eq!(gateways.wrap(&hall, &outputs).len(), 1);
    assert!(gateways.wrap(&hall, &[]).is_empty(), "nothing has changed");
    hall.give_back(5000);
    gateways.put_clocks_off();
    let parcels = gateways.wrap(&hall, &[]);
    let said = parcels.first().expect("something is said");
    let said: FromOwner<SushiGo> = serde_json::from_slice(link::body(&said.bytes)).expect("JSON");
    let FromOwner::Frame(frame) = said else { panic!("{said:?}") };
    let [Spoken::Stands(no, stands)] = &frame.said[..] else { panic!("{frame:?}") };
    let known = |stands: &TableStanding| serde_json::to_value(stands).expect("plain data");
    assert_eq!(hall.table_standing(*no).as_ref().map(known), Some(known(stands)));
    assert!(gateways.wrap(&hall, &[]).is_empty(), "it is said once");
}

/// A game of house bots, a player, one who watches and an organiser, all of them at a gateway.
struct Game<G: Playable> {
    hall: Hall<G>,
    gateways: Gateways<G>,
    following: Following<G>,
    now: Time,
    said: u64,
    /// How its table stands, as the gateway knows it.
    stands: BTreeMap<TableNo, TableStanding>,
    /// How often the gateway has made what it told.
    made: usize,
    /// How many turns were the usual ones.
    usual: usize,
}

/// On the house's wire players are told which moves they have, and of their own.
#[derive(Clone, Copy, PartialEq)]
enum Wire {
    House,
    Native,
}

const PLAYER: ConnId = ConnId(2 << 32);

impl<G: Playable> Game<G> {
    fn new() -> Game<G> {
        let terms = G::terms(&Default::default()).expect("defaults are fine");
        let open = Some(OpenTables::new(OpenRecords::default()));
        let mut gateways = Gateways { open, ..Gateways::default() };
        gateways.known.insert(2, Gateway::default());
        Game {
            hall: Hall::new(terms, G::hooks(), 10, Seed::from_number(7)),
            gateways,
            following: Following::default(),
            now: Time(1000),
            said: 0,
            stands: BTreeMap::new(),
            made: 0,
            usual: 0,
        }
    }

    fn say(&mut self, conn: ConnId, command: Command<G>) -> Vec<Output<G>> {
        self.said += 1;
        let said = FromGateway::Said(conn, self.said, command);
        let input = self.gateways.hear(2, 0, said).expect("it is new");
        self.hear(input)
    }

    /// What the hall says, after it was compared with what the gateway makes of its frames.
    fn hear(&mut self, input: Input<G>) -> Vec<Output<G>> {
        let mut outputs = Vec::new();
        self.hall.handle(self.now, input, &mut outputs);
        self.compare(&outputs);
        outputs
    }

    fn compare(&mut self, outputs: &[Output<G>]) {
        let mut told: Vec<(ConnId, Arc<Update<G>>)> = Vec::new();
        let (mut ends, mut ended) = (Vec::new(), Vec::new());
        let (mut answers, mut answered, usual) = (Vec::new(), Vec::new(), self.usual);
        for output in outputs {
            match output {
                Output::Tell(conn, Event::Over(over)) => ends.push((*conn, over.clone())),
                Output::Show(conns, Event::Over(over)) => {
                    ends.extend(conns.iter().map(|conn| (*conn, over.clone())));
                }
                Output::Answer(conn, answer) => answers.push((*conn, answer.clone())),
                Output::Tell(conn, Event::Update(update)) => told.push((*conn, update.clone())),
                Output::Show(conns, Event::Update(update)) => {
                    told.extend(conns.iter().map(|conn| (*conn, update.clone())));
                }
                _ => {}
            }
        }
        let mut made = Vec::new();
        for frame in self.frames(outputs) {
            for said in frame.said {
                let (conns, event) = match said {
                    Spoken::Meet(company) => {
                        self.following.meet(&company);
                        continue;
                    }
                    Spoken::Follow(no, records) => {
                        self.following.begin(no, &records);
                        continue;
                    }
                    Spoken::Happened(no, record) => {
                        self.following.apply(no, &record);
                        continue;
                    }
                    Spoken::Play(no, players) => {
                        self.following.play(no, players);
                        continue;
                    }
                    Spoken::Moved(no, record, by, turn) => {
                        self.usual += 1;
                        self.following.apply(no, &record);
                        answered.extend(by.map(|by| (by, Answer::Accepted)));
                        let stands = turn.standing(&record).expect("a move");
                        self.stands.insert(no, stands);
                        for (conn, update) in self.following.turn(no, turn.deadline) {
                            self.made += 1;
                            made.push((conn, update.expect("it is followed")));
                        }
                        continue;
                    }
                    Spoken::Answer(conn, answer) => {
                        answered.push((conn, answer));
                        continue;
                    }
                    Spoken::Stands(no, stands) => {
                        self.stands.insert(no, *stands);
                        continue;
                    }
                    Spoken::See(conns, no, bare) => {
                        self.made += 1;
                        (conns, self.following.see(no, *bare).map(Event::Update))
                    }
                    Spoken::Over(conns, no) => (conns, self.following.over(no)),
                    Spoken::Tell(conns, event) => (conns, self.following.complete(event)),
                    _ => continue,
                };
                match event.expect("it is known") {
                    Event::Update(update) => {
                        made.extend(conns.iter().map(|conn| (*conn, update.clone())));
                    }
                    Event::Over(over) => {
                        ended.extend(conns.iter().map(|conn| (*conn, over.clone())));
                    }
                    _ => {}
                }
            }
            self.following.end_frame();
        }
        assert_eq!(made, told, "{}", G::NAME);
        assert_eq!(answered, answers, "{}", G::NAME);
        assert_eq!(format!("{ended:?}"), format!("{ends:?}"), "{}", G::NAME);
        for (conn, known) in &self.gateways.known[&2].attending {
            let is_same = self.hall.attendance(*conn) == *known;
            assert_eq!(self.hall.attends_as(*conn, known), is_same, "{}", G::NAME);
        }
        if self.usual > usual {
            for (no, known) in &self.stands {
                assert_eq!(self.hall.table_standing(*no).as_ref(), Some(known), "{}", G::NAME);
            }
        }
    }

    fn frames(&mut self, outputs: &[Output<G>]) -> Vec<Frame<G>> {
        let parcels = self.gateways.wrap(&self.hall, outputs).into_iter();
        let frame = |parcel: Parcel| {
            let said = serde_json::from_slice(link::body(&parcel.bytes)).expect("JSON");
            let FromOwner::<G>::Frame(frame) = said else { panic!("{said:?}") };
            frame
        };
        parcels.map(frame).collect()
    }

    fn spoken(&mut self, outputs: &[Output<G>]) -> Vec<Spoken<G>> {
        self.frames(outputs).into_iter().flat_map(|frame| frame.said).collect()
    }

    /// The player opens a table, and bots take all other seats.
    fn begin(&mut self, wire: Wire) -> Vec<Output<G>> {
        let terms = G::terms(&Default::default()).expect("defaults are fine");
        let bots = terms.policy.seats.max(2) - 1;
        let bots = vec![Name::from(G::bots()[0].name); bots];
        if wire == Wire::House {
            let wants = Introduction { legal: true, ..Introduction::default() };
            self.say(PLAYER, Command::Introduce(wants));
        }
        self.say(PLAYER, Command::Enter { name: "ann".into() });
        let (id, reserved) = (Some(Name::from("table")), Vec::new());
        let table = NewTable { terms, id, reserved, seed: None, bots_at_once: true };
        let via = (wire == Wire::House).then(|| Name::from("house"));
        let (name, joined_via) = (Name::from("ann"), via);
        let open = Command::Open { table: Box::new(table), bots, name, joined_via };
        let mut heard = self.say(PLAYER, open);
        let opened = |output: &Output<G>| matches!(output, Output::Answer(_, Answer::Joined(_)));
        assert!(heard.iter().any(opened), "{}: {heard:?}", G::NAME);
        heard.extend(self.say(PLAYER, Command::Ready));
        if wire == Wire::Native {
            // Where a game begins by itself, it is refused.
            heard.extend(self.say(PLAYER, Command::Start));
        }
        heard
    }

    fn play(mut self, wire: Wire) {
        let mut heard = self.begin(wire);
        for (number, role) in [(1, Role::Spectator), (2, Role::Organiser)] {
            let (table, name) = (Some(Name::from("table")), Name::from("watcher"));
            let join = Command::Join { table, name, role, joined_via: None };
            heard.extend(self.say(ConnId(PLAYER.0 + number), join));
        }
        for _ in 0..20_000 {
            let is_over = |output: &Output<G>| matches!(output, Output::Tell(_, Event::Over(_)));
            if heard.iter().any(is_over) {
                assert!(self.made > 10, "{}: {} times", G::NAME, self.made);
                assert!(self.usual > 0 || wire == Wire::House, "{}", G::NAME);
                return;
            }
            let update = heard.iter().rev().find_map(|output| match output {
                Output::Tell(PLAYER, Event::Update(update)) if update.owes => Some(update.clone()),
                _ => None,
            });
            let action = update.and_then(|update| {
                let game = self.hall.tables().find_map(|(_, table)| table.game())?;
                Some((update.seq, game.legal(update.viewer.seat()?)?.first()?.clone()))
            });
            heard = match action {
                Some((seq, action)) => self.say(PLAYER, Command::Act { seq, action }),
                None => {
                    self.now = self.hall.deadline().expect("something is due").max(self.now);
                    self.hear(Input::Tick)
                }
            };
        }
        panic!("{} has no end", G::NAME);
    }
}

struct EveryGame;

impl Visitor for EveryGame {
    fn visit<G: Playable>(&mut self) {
        Game::<G>::new().play(Wire::House);
        Game::<G>::new().play(Wire::Native);
    }
}

/// What a gateway makes of the records is what the owner would have told its connections.
#[test]
fn a_gateway_that_follows_a_table_sees_what_its_owner_sees() {
    games::each(&mut EveryGame);
}

/// A game, and how it was told the player first.
fn begun() -> (Game<SushiGo>, Arc<Update<SushiGo>>) {
    let mut game = Game::new();
    let heard = game.begin(Wire::House);
    let update = heard.iter().find_map(|output| match output {
        Output::Tell(PLAYER, Event::Update(update)) => Some(update.clone()),
        _ => None,
    });
    (game, update.expect("the game has begun"))
}

/// A table that is over leaves its id to another. What is told of the first is not made from the second.
#[test]
fn a_table_with_the_id_of_another_is_not_taken_for_it() {
    let (mut game, update) = begun();
    let open = game.gateways.open.as_mut().expect("it is in a fleet");
    open.speak_of_others();
    assert!(open.with(&game.hall, &update.company).is_some());
    let other = Arc::new((*update.company).clone());
    assert_eq!(open.with(&game.hall, &other), None);
}

/// When somebody came or went between two updates that crossed together, the first said so, too.
#[test]
fn each_update_has_the_company_that_it_was_made_with() {
    let (mut game, update) = begun();
    let tell = |name: &str| {
        let mut company = (*update.company).clone();
        company.seats[0].as_mut().expect("somebody sits there").name = name.into();
        let update = Update::new(update.seq, update.view.clone(), Arc::new(company));
        Output::Tell(PLAYER, Event::Update(Arc::new(update)))
    };
    game.compare(&[tell("zed"), tell("yan"), tell("zed")]);
}

/// A move after which nobody is told anything, and an update of another table behind it, were taken for a
/// usual turn: the players of the one would have heard of the other.
#[test]
fn an_update_of_another_table_does_not_follow_a_move() {
    let mut game = Game::<TigerDragon>::new();
    let mut heard = game.begin(Wire::Native);
    let (entry, update) = loop {
        let entry = heard.iter().rev().find_map(|output| match output {
            Output::TableRecord(entry) if matches!(*entry.record, TableRecord::Moved { .. }) => {
                Some(entry.clone())
            }
            _ => None,
        });
        let update = heard.iter().rev().find_map(|output| match output {
            Output::Tell(PLAYER, Event::Update(update)) => Some(update.clone()),
            _ => None,
        });
        if let (Some(entry), Some(update)) = (entry, update) {
            break (entry, update);
        }
        game.now = game.hall.deadline().expect("something is due").max(game.now);
        heard = game.hear(Input::Tick);
    };
    let mut company = (*update.company).clone();
    company.table = "another".into();
    let mut other = Update::new(update.seq, update.view.clone(), Arc::new(company));
    (other.viewer, other.deadline) = (update.viewer, update.deadline);
    let told = Output::Tell(PLAYER, Event::Update(Arc::new(other)));
    for said in game.spoken(&[Output::TableRecord(entry), told]) {
        assert!(!matches!(said, Spoken::Moved(..) | Spoken::See(..)), "{said:?}");
    }
}

/// Two games that end in one moment have each its own end.
#[test]
fn the_end_of_another_table_is_told_as_such() {
    let (mut game, update) = begun();
    let closing = hall::Closing::Over(rules::Outcome { standings: Vec::new() });
    let mut tables = game.hall.tables();
    let (no, _) = tables.find(|(_, table)| table.game().is_some()).expect("it is open");
    drop(tables);
    let record = Arc::new(TableRecord::Closed(closing.clone()));
    let (at, cause) = (game.now, hall::Cause::Clock);
    let entry = TableEntry { table: no, at, cause, record, summary: None };
    let over = |company| {
        let (closing, last_views) = (closing.clone(), Vec::new());
        Output::Tell(PLAYER, Event::Over(Arc::new(hall::Over { company, closing, last_views })))
    };
    let mut other = (*update.company).clone();
    other.table = "another".into();
    let outputs = [Output::TableRecord(entry), over(update.company.clone()), over(Arc::new(other))];
    let said = game.spoken(&outputs);
    let is_short = |said: &&Spoken<SushiGo>| matches!(said, Spoken::Over(conns, of) if (&conns[..], *of) == (&[PLAYER], no));
    let is_whole = |said: &&Spoken<SushiGo>| matches!(said, Spoken::Tell(_, Event::Over(_)));
    assert_eq!(said.iter().filter(is_short).count(), 1, "{said:?}");
    assert_eq!(said.iter().filter(is_whole).count(), 1, "{said:?}");
}
