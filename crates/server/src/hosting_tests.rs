//! A hall driven over real sockets while its clock is the test's: it stands still while anything
//! happens, and jumps to the next deadline when nothing does.

use std::net::SocketAddr;
use std::time::Duration;

use games::sushi_go::SushiGo;
use rules::Seed;
use store::memory::Memory;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::{advance, sleep};

use super::*;
use crate::listen::Gate;
use crate::metrics::Metrics;
use crate::scribe::Scribe;
use crate::settings::Limits;

struct Stage {
    door: Door<SushiGo>,
    address: SocketAddr,
}

/// Where the hall of a stage keeps its records.
enum Keeps {
    InMemory,
    /// Behind a thread of its own, which takes as long as it takes.
    Elsewhere,
}

fn terms() -> hall::Terms<SushiGo> {
    let options = <SushiGo as Playable>::Options::default();
    let mut terms = SushiGo::terms(&options).expect("defaults are fine");
    terms.policy.turn_ms = Some(2000);
    terms
}

/// Lets something happen at a hall whose turns take two seconds at most.
fn on_stage<F: Future<Output = ()>>(keeps: Keeps, act: impl FnOnce(Stage) -> F) {
    // The clock begins before any that stands still.
    clock::now();
    let runtime = Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build_local(LocalOptions::default())
        .expect("a runtime");
    runtime.block_on(async {
        let options = <SushiGo as Playable>::Options::default();
        let terms = terms();
        let hall = Hall::new(terms.clone(), SushiGo::fittings(), 100, Seed::from_number(7));
        let (door, knocks) = Door::new();
        let metrics = Metrics::new();
        let room = Arc::new(Room {
            door: door.clone(),
            options,
            terms,
            limits: Limits::default(),
            metrics: metrics.of_game("sushi-go"),
            closing: CancellationToken::new(),
            trace_folder: None,
            notes: tokio::sync::watch::Sender::new(0),
        });
        let mut memory = Memory::default();
        let epoch = store::Journal::load(&mut memory, "sushi-go").expect("memory").epoch;
        let (scribe, thread, _failed) = Scribe::start(Box::new(memory.clone())).expect("a thread");
        let memory = match keeps {
            Keeps::InMemory => Some(memory),
            Keeps::Elsewhere => None,
        };
        let ledger = Ledger::new(scribe.clone(), memory, "sushi-go", epoch);
        let hosting = Hosting { hall, outputs: Vec::new(), room, knocks, ledger };
        let hosted = spawn_local(async move { hosting.host(&TaskTracker::new()).await });

        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("binds");
        listener.set_nonblocking(true).expect("a listener");
        let address = listener.local_addr().expect("bound");
        let stop = CancellationToken::new();
        let gate = Gate::new(Limits::default(), metrics);
        let dialect = &SushiGo::dialects()[0];
        let (router, token) = (axum::Router::new(), stop.clone());
        let listening = Listening { listener, dialect, gate, stop: token, router };
        door.send(Knock::Listen(listening)).await;

        act(Stage { door: door.clone(), address }).await;
        stop.cancel();
        door.send(Knock::Stop).await;
        hosted.await.expect("ends in order");
        scribe.stop().await;
        thread.join().expect("ends in order");
    });
}

impl Stage {
    async fn open(&self, id: &str) -> hall::TableInfo {
        let new = hall::NewTable {
            terms: terms(),
            id: Some(id.into()),
            reserved: Vec::new(),
            seed: None,
        };
        match self.door.ask(Request::Open(Box::new(new))).await {
            Some(Reply::Table(info)) => *info,
            other => panic!("{other:?}"),
        }
    }

    /// Two who have sat down and hold their first hands.
    async fn begin(&self) -> [Client; 2] {
        self.open("mine").await;
        let mut players = [self.client().await, self.client().await];
        for (name, player) in ["Ann", "Ben"].into_iter().zip(&mut players) {
            player.say(&format!("JOIN mine {name}")).await;
            player.hear("WELCOME").await;
            player.say("READY").await;
        }
        players
    }

    async fn client(&self) -> Client {
        Client(BufReader::new(TcpStream::connect(self.address).await.expect("connects")))
    }
}

struct Client(BufReader<TcpStream>);

impl Client {
    async fn say(&mut self, line: &str) {
        self.0.get_mut().write_all(format!("{line}\n").as_bytes()).await.expect("writes");
    }

    /// The next line that begins with a word; an error is none that is passed over.
    async fn hear(&mut self, word: &str) -> String {
        loop {
            let mut line = String::new();
            assert_ne!(self.0.read_line(&mut line).await.expect("reads"), 0, "{word} is awaited");
            assert!(!line.starts_with("ERROR"), "{line}");
            if line.starts_with(word) {
                return line;
            }
        }
    }
}

/// The last card of a hand: the clock never plays that one. Its command, and its name.
fn last_card(hand: &str) -> (String, String) {
    let (rest, name) = hand.trim_end().rsplit_once(':').expect("cards");
    let place = rest.rsplit_once(' ').expect("a place").1;
    (format!("PLAY {place}"), name.to_owned())
}

/// The time was taken before the wait for a request and used after it, so a table opened on an
/// idle server was stamped with when it had become idle, and its clocks had run out before they
/// began.
#[test]
fn f02_a_request_runs_at_the_time_it_comes() {
    on_stage(Keeps::InMemory, async |stage| {
        stage.open("before").await;
        sleep(Duration::from_secs(41)).await;
        let now = clock::now();
        assert_eq!(stage.open("after").await.opened_at, now);
    });
}

/// The deadline was enforced first and the sockets looked at after that, so whatever held the
/// server up made moves late that had come in time.
#[test]
fn f17_what_has_come_is_heard_before_a_deadline_is_enforced() {
    on_stage(Keeps::InMemory, async |stage| {
        let mut players = stage.begin().await;
        let mut cards = Vec::new();
        for player in &mut players {
            let (play, name) = last_card(&player.hear("HAND").await);
            cards.push((play, name));
        }
        sleep(Duration::from_millis(1900)).await;
        for (player, (play, _)) in players.iter_mut().zip(&cards) {
            player.say(play).await;
        }
        advance(Duration::from_millis(200)).await;
        let played = players[0].hear("PLAYED").await;
        let [(_, ann), (_, ben)] = &cards[..] else { panic!("two have played") };
        assert_eq!(played.trim_end(), format!("PLAYED Ann:{ann}; Ben:{ben}"));
    });
}

/// A process that was stopped for three seconds came back to clocks of two that had all run out.
#[test]
fn f17_time_that_the_server_has_lost_is_given_back() {
    on_stage(Keeps::InMemory, async |stage| {
        let mut players = stage.begin().await;
        let mut cards = Vec::new();
        for player in &mut players {
            cards.push(last_card(&player.hear("HAND").await));
        }
        sleep(Duration::from_millis(1000)).await;
        advance(Duration::from_secs(3)).await;
        sleep(Duration::from_millis(500)).await;
        for (player, (play, _)) in players.iter_mut().zip(&cards) {
            player.say(play).await;
        }
        let played = players[0].hear("PLAYED").await;
        let [(_, ann), (_, ben)] = &cards[..] else { panic!("two have played") };
        assert_eq!(played.trim_end(), format!("PLAYED Ann:{ann}; Ben:{ben}"));
    });
}

/// Clocks ran while their turn waited for the journal, before anybody had been told of it. Here
/// all the time there is passes while the journal is waited for.
#[test]
fn f17_no_clock_runs_while_the_journal_is_waited_for() {
    on_stage(Keeps::Elsewhere, async |stage| {
        let mut players = stage.begin().await;
        for _ in 0..30 {
            let mut cards = Vec::new();
            for player in &mut players {
                let (play, name) = last_card(&player.hear("HAND").await);
                player.say(&play).await;
                cards.push(name);
            }
            let played = players[0].hear("PLAYED").await;
            assert_eq!(played.trim_end(), format!("PLAYED Ann:{}; Ben:{}", cards[0], cards[1]));
        }
    });
}
