//! What gateways receive besides what their connections receive.

use games::sushi_go::SushiGo;
use games::tiger_dragon::TigerDragon;
use hall::{
    Answer, Command, Event, Introduction, Name, NewTable, Output, Role, TableEntry, TableEvent,
    TableRecord, TableSaid, Update,
};
use rules::any::AnyRules;
use rules::{Dice, Seed};
use wire::{AnyGame, Playable, Visitor};

use super::super::link::{Following, Frame};
use super::*;

/// A turn's clock that had been postponed ran out early at the next owner of the hall: gateways
/// learned of it only with the next turn.
#[test]
fn clocks_that_are_put_off_are_told_to_gateways() {
    let terms = SushiGo::terms(&Default::default()).expect("defaults are fine");
    let mut hall = Hall::new(terms, SushiGo::hooks(), 10, Seed::from_number(7));
    let mut gateways = Gateways::default();
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
    let rules = <dyn AnyRules>::of::<SushiGo>();
    let said = rules.reading(|| serde_json::from_slice(link::body(&said.bytes))).expect("JSON");
    let FromOwner::Frame(frame) = said else { panic!("{said:?}") };
    let [Spoken::Stands(no, stands)] = &frame.said[..] else { panic!("{frame:?}") };
    let known = |stands: &TableStanding| serde_json::to_value(stands).expect("plain data");
    assert_eq!(hall.table_standing(*no).as_ref().map(known), Some(known(stands)));
    assert!(gateways.wrap(&hall, &[]).is_empty(), "it is said once");
}

/// A game of house bots, a player, one who watches and an organiser, all of them at a gateway.
struct Game {
    game: &'static dyn AnyGame,
    hall: Hall,
    gateways: Gateways,
    following: Following,
    now: Time,
    said: u64,
    /// How its table stands, as the gateway knows it.
    stands: BTreeMap<TableNo, TableStanding>,
    /// How often the gateway has made what it told.
    made: usize,
    /// The number of turns that were sent as such.
    turns: usize,
}

/// What connections of the gateway receive.
#[derive(Default)]
struct Received {
    answers: Vec<(ConnId, Answer)>,
    updates: Vec<(ConnId, Arc<Update>)>,
    ends: Vec<(ConnId, Arc<hall::Over>)>,
}

impl Received {
    fn take(&mut self, conns: Vec<ConnId>, event: Event) {
        match event {
            Event::Update(update) => {
                self.updates.extend(conns.into_iter().map(|conn| (conn, update.clone())));
            }
            Event::Over(over) => {
                self.ends.extend(conns.into_iter().map(|conn| (conn, over.clone())));
            }
            _ => {}
        }
    }
}

/// In the JSON protocol players receive their legal moves, and their own.
#[derive(Clone, Copy, PartialEq)]
enum Wire {
    House,
    Native,
}

const PLAYER: ConnId = ConnId(2 << 32);

impl Game {
    fn new(game: &'static dyn AnyGame) -> Game {
        let terms = game.terms(&game.default_options()).expect("defaults are fine");
        let open = Some(OpenTables::new(OpenRecords::default()));
        let mut gateways = Gateways { open, ..Gateways::default() };
        gateways.known.insert(2, Gateway::default());
        Game {
            game,
            hall: Hall::new(terms, game.hooks(), 10, Seed::from_number(7)),
            gateways,
            following: Following::default(),
            now: Time(1000),
            said: 0,
            stands: BTreeMap::new(),
            made: 0,
            turns: 0,
        }
    }

    fn say(&mut self, conn: ConnId, command: Command) -> Vec<Output> {
        self.said += 1;
        let said = FromGateway::Said(conn, self.said, command);
        let input = self.gateways.hear(2, 0, said).expect("it is new");
        self.hear(input)
    }

    /// What the hall says, after it was compared with what the gateway makes of its frames.
    fn hear(&mut self, input: Input) -> Vec<Output> {
        let mut outputs = Vec::new();
        self.hall.handle(self.now, input, &mut outputs);
        self.compare(&outputs);
        outputs
    }

    fn compare(&mut self, outputs: &[Output]) {
        let mut expected = Received::default();
        expected.answers.extend(outputs.iter().filter_map(Output::answer));
        for (conn, event) in outputs.iter().flat_map(Output::events) {
            expected.take(vec![conn], event);
        }
        let (mut made, turns) = (Received::default(), self.turns);
        for frame in self.frames(outputs) {
            frame.said.into_iter().for_each(|said| self.take(said, &mut made));
            self.following.end_frame();
        }
        assert_eq!(made.updates, expected.updates, "{}", self.game.name());
        assert_eq!(made.answers, expected.answers, "{}", self.game.name());
        assert_eq!(
            format!("{:?}", made.ends),
            format!("{:?}", expected.ends),
            "{}",
            self.game.name()
        );
        for (conn, known) in &self.gateways.known[&2].attending {
            let is_same = self.hall.attendance(*conn) == *known;
            assert_eq!(self.hall.attends_as(*conn, known), is_same, "{}", self.game.name());
        }
        if self.turns > turns {
            for (no, known) in &self.stands {
                assert_eq!(
                    self.hall.table_standing(*no).as_ref(),
                    Some(known),
                    "{}",
                    self.game.name()
                );
            }
        }
    }

    /// What a gateway does with one thing that its owner says.
    fn take(&mut self, said: Spoken, made: &mut Received) {
        match said {
            Spoken::Meet(company) => self.following.meet(&company),
            Spoken::Follow(no, records) => self.following.begin(no, &records),
            Spoken::Happened(no, record) => self.following.apply(no, &record),
            Spoken::Play(no, players) => self.following.play(no, players),
            Spoken::Turn(no, turn) => {
                self.turns += 1;
                self.stands.insert(no, turn.standing());
                for (conn, update) in self.following.turn(no, turn.deadline) {
                    self.made += 1;
                    made.updates.push((conn, update.expect("it is followed")));
                }
            }
            Spoken::Answer(conn, answer) => made.answers.push((conn, answer)),
            Spoken::Stands(no, stands) => _ = self.stands.insert(no, *stands),
            Spoken::See(conns, no, bare) => {
                self.made += 1;
                let update = self.following.see(no, *bare).expect("it is known");
                made.take(conns, Event::Update(update));
            }
            Spoken::Over(conns, no) => {
                made.take(conns, self.following.over(no).expect("it is known"));
            }
            Spoken::Tell(conns, event) => {
                made.take(conns, self.following.complete(event).expect("it is known"));
            }
            Spoken::Reply(..) | Spoken::Attends(..) => {}
        }
    }

    fn frames(&mut self, outputs: &[Output]) -> Vec<Frame> {
        let parcels = self.gateways.wrap(&self.hall, outputs).into_iter();
        let rules = self.game.rules();
        let frame = |parcel: Parcel| {
            let read = || serde_json::from_slice(link::body(&parcel.bytes)).expect("JSON");
            let said = rules.reading(read);
            let FromOwner::Frame(frame) = said else { panic!("{said:?}") };
            frame
        };
        parcels.map(frame).collect()
    }

    fn spoken(&mut self, outputs: &[Output]) -> Vec<Spoken> {
        self.frames(outputs).into_iter().flat_map(|frame| frame.said).collect()
    }

    /// The player opens a table, and bots take all other seats.
    fn begin(&mut self, wire: Wire) -> Vec<Output> {
        let terms = self.game.terms(&self.game.default_options()).expect("defaults are fine");
        let bots = terms.policy.seats.max(2) - 1;
        let bots = vec![Name::from(self.game.hooks().bots[0].name); bots];
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
        let opened = |output: &Output| matches!(output.answer(), Some((_, Answer::Joined(_))));
        assert!(heard.iter().any(opened), "{}: {heard:?}", self.game.name());
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
            let is_over = |(_, event): (_, Event)| matches!(event, Event::Over(_));
            if heard.iter().flat_map(Output::events).any(is_over) {
                assert!(self.made > 10, "{}: {} times", self.game.name(), self.made);
                assert!(self.turns > 0 || wire == Wire::House, "{}", self.game.name());
                return;
            }
            let update = updates(&heard).rfind(|update| update.owes);
            let seed = Seed::from_number(self.made as u64);
            let action = update.and_then(|update| {
                let game = self.hall.tables().find_map(|(_, table)| table.game())?;
                Some((
                    update.seq,
                    game.sample(update.viewer.seat()?, &mut Dice::new(&seed, "test", 0)),
                ))
            });
            heard = match action {
                Some((seq, action)) => self.say(PLAYER, Command::Act { seq, action }),
                None => {
                    self.now = self.hall.deadline().expect("something is due").max(self.now);
                    self.hear(Input::Tick)
                }
            };
        }
        panic!("{} has no end", self.game.name());
    }
}

struct EveryGame;

impl Visitor for EveryGame {
    fn visit<G: Playable>(&mut self) {
        let game = <dyn AnyGame>::of::<G>();
        Game::new(game).play(Wire::House);
        Game::new(game).play(Wire::Native);
    }
}

/// What a gateway makes of the records is what the owner would have told its connections.
#[test]
fn a_gateway_that_follows_a_table_sees_what_its_owner_sees() {
    games::each(&mut EveryGame);
}

/// A game, and how its player received it first.
fn begun() -> (Game, Arc<Update>) {
    let mut game = Game::new(<dyn AnyGame>::of::<SushiGo>());
    let heard = game.begin(Wire::House);
    let update = updates(&heard).next();
    (game, update.expect("the game has begun"))
}

/// The updates for the player.
fn updates(heard: &[Output]) -> impl DoubleEndedIterator<Item = Arc<Update>> {
    let update = |(conn, event): (ConnId, Event)| match event {
        Event::Update(update) if conn == PLAYER => Some(update),
        _ => None,
    };
    heard.iter().flat_map(Output::events).filter_map(update)
}

/// The number of the table in play.
fn table_of(game: &Game) -> TableNo {
    let mut tables = game.hall.tables();
    tables.find(|(_, table)| table.game().is_some()).expect("it is open").0
}

/// A table that is over leaves its id to another. Messages of the first are not made from the
/// second.
#[test]
fn a_table_with_the_id_of_another_is_not_taken_for_it() {
    let (mut game, update) = begun();
    let (own, other) = (table_of(&game), TableNo(1000));
    let tell = |no| Output::At(no, TableSaid::Tell(PLAYER, TableEvent::Update(update.clone())));
    let said = game.spoken(&[tell(own)]);
    assert!(matches!(said[..], [Spoken::See(_, no, _), ..] if no == own), "{said:?}");
    let said = game.spoken(&[tell(other)]);
    assert!(matches!(said[..], [Spoken::Tell(_, Event::Update(_)), ..]), "{said:?}");
}

/// When a player came or left between two updates that were sent together, the first showed it,
/// too.
#[test]
fn each_update_has_the_company_that_it_was_made_with() {
    let (mut game, update) = begun();
    let no = table_of(&game);
    let tell = |name: &str| {
        let mut company = (*update.company).clone();
        company.seats[0].as_mut().expect("somebody sits there").name = name.into();
        let mut told = Update::new(update.seq, update.view.clone(), Arc::new(company));
        (told.viewer, told.owed, told.owes) = (update.viewer, update.owed, update.owes);
        (told.deadline, told.turn_ms) = (update.deadline, update.turn_ms);
        (told.legal, told.moves) = (update.legal.clone(), update.moves.clone());
        Output::At(no, TableSaid::Tell(PLAYER, TableEvent::Update(Arc::new(told))))
    };
    game.compare(&[tell("zed"), tell("yan"), tell("zed")]);
}

/// A move after which nothing is sent, followed by a turn of another table: the players of the
/// first would have received the second.
#[test]
fn a_turn_of_another_table_is_not_taken_for_the_one_after_a_move() {
    let mut game = Game::new(<dyn AnyGame>::of::<TigerDragon>());
    let mut heard = game.begin(Wire::Native);
    let (entry, update) = loop {
        let entry = heard.iter().rev().find_map(|output| match output {
            Output::TableRecord(entry) if matches!(*entry.record, TableRecord::Moved { .. }) => {
                Some(entry.clone())
            }
            _ => None,
        });
        if let (Some(entry), Some(update)) = (entry, updates(&heard).next_back()) {
            break (entry, update);
        }
        game.now = game.hall.deadline().expect("something is due").max(game.now);
        heard = game.hear(Input::Tick);
    };
    let (seq, at, deadline) = (update.seq, game.now, update.deadline);
    let turn = hall::Turn { seq, at, deadline, updates: vec![(PLAYER, update)] };
    let other = Output::At(TableNo(1000), TableSaid::Turn(turn));
    for said in game.spoken(&[Output::TableRecord(entry), other]) {
        assert!(!matches!(said, Spoken::Turn(..) | Spoken::See(..)), "{said:?}");
    }
}

/// Two games that end in one moment have each its own end.
#[test]
fn the_end_of_another_table_is_told_as_such() {
    let (mut game, update) = begun();
    let closing = hall::Closing::Over(rules::Outcome { standings: Vec::new() });
    let no = table_of(&game);
    let record = Arc::new(TableRecord::Closed(closing.clone()));
    let (at, cause) = (game.now, hall::Cause::Clock);
    let entry = TableEntry { table: no, at, cause, record, summary: None };
    let over = |no| {
        let (company, closing) = (update.company.clone(), closing.clone());
        let over = Arc::new(hall::Over { company, closing, last_views: Vec::new() });
        Output::At(no, TableSaid::Tell(PLAYER, TableEvent::Over(over)))
    };
    let outputs = [Output::TableRecord(entry), over(no), over(TableNo(1000))];
    let said = game.spoken(&outputs);
    let is_short = |said: &&Spoken| matches!(said, Spoken::Over(conns, of) if (&conns[..], *of) == (&[PLAYER], no));
    let is_whole = |said: &&Spoken| matches!(said, Spoken::Tell(_, Event::Over(_)));
    assert_eq!(said.iter().filter(is_short).count(), 1, "{said:?}");
    assert_eq!(said.iter().filter(is_whole).count(), 1, "{said:?}");
}
