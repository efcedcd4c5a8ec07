//! A hall driven over real sockets while its clock is the test's: it stands still unless the test
//! lets time pass.

use std::future::Future;
use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::time::Duration;

use games::subsim::SubSim;
use games::sushi_go::SushiGo;
use hall::{OpenRecords, Reply, Request};
use rules::Seed;
use store::Journal;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, LocalOptions};
use tokio::time::advance;
use tokio_util::sync::CancellationToken;
use trials::disk::Disk;
use wire::{AnyGame, Playable};

use super::*;
use crate::gate::{Entrance, Gate, Limits};
use crate::house::{Metrics, Settings};
use crate::http::HttpThreads;
use crate::journal::JournalWriter;
use crate::reading::{Directory, Replays};
use crate::transcript::Wires;

struct Stage {
    handle: HallHandle,
    address: SocketAddr,
    disk: Disk,
}

/// Threads that answer HTTP with the name of the thread they do it on.
fn http_threads() -> (tokio::runtime::Runtime, HttpThreads) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name("http")
        .enable_all()
        .build()
        .expect("a runtime");
    let name = || async { std::thread::current().name().unwrap_or_default().to_owned() };
    let threads = HttpThreads {
        runtime: runtime.handle().clone(),
        tasks: TaskTracker::new(),
        closing: CancellationToken::new(),
        router: axum::Router::new().fallback(name),
    };
    (runtime, threads)
}

/// Time passes, and the hall may notice all the while.
async fn pass(ms: u64) {
    for _ in 0..ms / 100 {
        advance(Duration::from_millis(100)).await;
        hear_all_out().await;
    }
}

fn terms() -> hall::Terms {
    let options = <SushiGo as Playable>::Options::default();
    let mut terms = SushiGo::terms(&options).expect("defaults are fine");
    terms.policy.turn_ms = Some(2000);
    terms
}

/// Lets something happen at a hall whose turns take two seconds at most.
fn on_stage<F: Future<Output = ()>>(act: impl FnOnce(Stage) -> F) {
    on_stage_of(<dyn AnyGame>::of::<SushiGo>(), terms(), act);
}

/// A game as a server of tests hosts it.
fn hosted(
    game: &'static dyn AnyGame,
    terms: hall::Terms,
    handle: HallHandle,
    metrics: &Arc<Metrics>,
) -> HostedGame {
    HostedGame {
        handle,
        game,
        dialects: game.own_wires(),
        options: Arc::new(game.default_options()),
        terms,
        node: 1,
        limits: Limits::default(),
        requires_key: false,
        metrics: metrics.of_game(game.name()),
        closing: CancellationToken::new(),
        trace_folder: None,
        wires: Arc::new(Wires::new(None)),
        troubles: Arc::default(),
        directory: Arc::new(Directory::new(game.name(), OpenRecords::default())),
        replays: Replays::new(2, metrics.clone()),
        door: Arc::default(),
    }
}

fn on_stage_of<F: Future<Output = ()>>(
    game: &'static dyn AnyGame,
    terms: hall::Terms,
    act: impl FnOnce(Stage) -> F,
) {
    // The clock begins before any that stands still.
    clock::now();
    let runtime = Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build_local(LocalOptions::default())
        .expect("a runtime");
    runtime.block_on(async {
        // While something blocks, a clock that stands still does not jump to the next deadline.
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let blocks = tokio::task::spawn_blocking(move || ended.recv());
        let hall = Hall::new(terms.clone(), game.hooks(), 100, Seed::from_number(7));
        let (handle, messages) = HallHandle::new();
        let metrics = Metrics::new();
        let hosted = Arc::new(hosted(game, terms, handle.clone(), &metrics));
        let mut disk = Disk::default();
        let epoch = disk.load(game.name()).expect("memory").epoch;
        let (writer, thread, _failed) =
            JournalWriter::start(Box::new(disk.clone())).expect("a thread");
        let pending = PendingBatches::new(writer.clone(), None, game.name(), epoch);
        let thinkers = Thinkers::start().expect("threads");
        let outputs = Vec::new();
        let (tenure, is_up) = (None, None);
        let hosting = Hosting { hall, outputs, hosted, messages, pending, thinkers, tenure, is_up };
        let hosted = spawn_local(async move { hosting.host(&TaskTracker::new()).await });

        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("binds");
        listener.set_nonblocking(true).expect("a listener");
        let address = listener.local_addr().expect("bound");
        let stop = CancellationToken::new();
        let gate = Gate::new(&Settings::default(), metrics, None);
        let dialect = game.own_wires()[0].name;
        let (http_runtime, threads) = http_threads();
        let (http, token) = (HttpPort::Elsewhere(threads), stop.clone());
        let entrance =
            Entrance { gate, proxies_introduce: false, banned: String::new(), stop: token };
        let listening = Listening { listener, dialect, entrance, http };
        handle.send(HallMessage::Listen(listening)).await;

        act(Stage { handle: handle.clone(), address, disk }).await;
        stop.cancel();
        handle.send(HallMessage::Stop).await;
        hosted.await.expect("ends in order");
        writer.stop().await;
        thread.join().expect("ends in order");
        http_runtime.shutdown_background();
        end.send(()).expect("it waits");
        blocks.await.expect("ends").expect("is sent for");
    });
}

impl Stage {
    async fn client(&self) -> Client {
        Client(BufReader::new(TcpStream::connect(self.address).await.expect("connects")))
    }
}

impl Stage {
    async fn open(&self, id: &str) -> hall::TableInfo {
        let new = hall::NewTable {
            terms: terms(),
            id: Some(id.into()),
            reserved: Vec::new(),
            seed: None,
            bots_at_once: false,
        };
        match self.handle.ask(Request::Open(Box::new(new))).await {
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
fn a_request_runs_at_the_time_it_arrives() {
    on_stage(async |stage| {
        stage.open("before").await;
        pass(41_000).await;
        let now = clock::now();
        assert_eq!(stage.open("after").await.opened_at, now);
    });
}

/// Each player plays a card; what the turn must then have come to.
async fn choose(players: &mut [Client; 2], hands: [String; 2]) -> String {
    let cards = hands.map(|hand| last_card(&hand));
    for (player, (play, _)) in players.iter_mut().zip(&cards) {
        player.say(play).await;
    }
    let [(_, ann), (_, ben)] = cards;
    format!("PLAYED Ann:{ann}; Ben:{ben}\n")
}

async fn hands([ann, ben]: &mut [Client; 2]) -> [String; 2] {
    [ann.hear("HAND").await, ben.hear("HAND").await]
}

/// The deadline was enforced first and the sockets looked at after that, so whatever held the
/// server up made moves late that had come in time.
#[test]
fn messages_already_received_are_handled_before_a_deadline_is_enforced() {
    on_stage(async |stage| {
        let mut players = stage.begin().await;
        let hands = hands(&mut players).await;
        pass(1900).await;
        let chosen = choose(&mut players, hands).await;
        advance(Duration::from_millis(200)).await;
        assert_eq!(players[0].hear("PLAYED").await, chosen);
    });
}

/// A process that was stopped for three seconds found that all clocks of two seconds had run out.
#[test]
fn time_lost_while_the_server_was_stopped_is_given_back() {
    on_stage(async |stage| {
        let mut players = stage.begin().await;
        let hands = hands(&mut players).await;
        pass(1000).await;
        advance(Duration::from_secs(3)).await;
        pass(500).await;
        let chosen = choose(&mut players, hands).await;
        assert_eq!(players[0].hear("PLAYED").await, chosen);
    });
}

/// A turn's clock ran out while the turn waited for the journal, before any player had received it.
#[test]
fn no_clock_runs_while_waiting_for_the_journal() {
    on_stage(async |stage| {
        let mut players = stage.begin().await;
        let first = hands(&mut players).await;
        stage.disk.stick(true);
        let chosen = choose(&mut players, first).await;
        pass(5000).await;
        stage.disk.stick(false);
        assert_eq!(players[0].hear("PLAYED").await, chosen);
        let second = hands(&mut players).await;
        pass(1500).await;
        let chosen = choose(&mut players, second).await;
        assert_eq!(players[0].hear("PLAYED").await, chosen);
    });
}

/// A turn's clock ran from when it was worked out, not from when it was sent.
#[test]
fn a_turns_clock_starts_when_the_turn_is_sent() {
    on_stage(async |stage| {
        let mut players = stage.begin().await;
        let first = hands(&mut players).await;
        stage.disk.stick(true);
        let chosen = choose(&mut players, first).await;
        pass(200).await;
        stage.disk.stick(false);
        assert_eq!(players[0].hear("PLAYED").await, chosen);
        let second = hands(&mut players).await;
        pass(1900).await;
        let chosen = choose(&mut players, second).await;
        assert_eq!(players[0].hear("PLAYED").await, chosen);
    });
}

/// Lists were made, and bodies of two megabytes read, on the thread on which all games are played.
#[test]
fn http_on_a_games_port_is_served_by_the_http_threads() {
    on_stage(async |stage| {
        let mut client = stage.client().await;
        client.say("POST /api/v1/tables HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r").await;
        assert_eq!(client.hear("HTTP/1.1 ").await.trim_end(), "HTTP/1.1 200 OK");
        client.hear("http").await;
    });
}

impl Stage {
    /// Two who have placed their submarines and are asked for their first orders.
    async fn dive(&self) -> [Client; 2] {
        let mut players = [self.client().await, self.client().await];
        for (place, player) in ["ann|5|5", "bob|15|15"].into_iter().zip(&mut players) {
            player.say(&format!("J|{place}")).await;
            player.hear("J|").await;
        }
        for player in &mut players {
            player.hear("B|1").await;
        }
        players
    }

    /// Waits until everything that was sent before has been handled, and lets no time pass.
    async fn settle(&self) {
        for _ in 0..20 {
            hear_all_out().await;
        }
    }

    fn commits(&self) -> usize {
        self.disk.commits.load(Ordering::Relaxed)
    }
}

fn duel() -> hall::Terms {
    let set = serde_json::json!({"max_players": 2});
    let options = serde_json::from_value(set).expect("options");
    SubSim::terms(&options).expect("terms")
}

/// Every order was synced by itself, although the protocol acknowledges none: a turn of two was
/// two commits.
#[test]
fn what_nobody_hears_of_is_synced_with_what_somebody_does() {
    on_stage_of(<dyn AnyGame>::of::<SubSim>(), duel(), async |stage| {
        let mut players = stage.dive().await;
        stage.settle().await;
        let before = stage.commits();
        for turn in 1..=3 {
            for player in &mut players {
                player.say(&format!("S|{turn}|0|None|None")).await;
                // The second is handled after the first.
                stage.settle().await;
            }
            for player in &mut players {
                player.hear(&format!("B|{}", turn + 1)).await;
            }
        }
        assert_eq!(stage.commits() - before, 3, "one for each turn");
    });
}

#[test]
fn what_nobody_hears_of_is_synced_after_five_milliseconds() {
    on_stage_of(<dyn AnyGame>::of::<SubSim>(), duel(), async |stage| {
        let mut players = stage.dive().await;
        stage.settle().await;
        let before = stage.commits();
        players[0].say("S|1|0|None|None").await;
        stage.settle().await;
        assert_eq!(stage.commits() - before, 0, "it may wait");
        advance(Duration::from_millis(5)).await;
        while stage.commits() == before {
            hear_all_out().await;
        }
        assert_eq!(stage.commits() - before, 1);
    });
}

/// Records that wait for others are not lost when the server stops: everything is durable then.
#[test]
fn what_nobody_hears_of_is_synced_at_once_at_the_stop() {
    let (told, commits) = std::sync::mpsc::channel();
    on_stage_of(<dyn AnyGame>::of::<SubSim>(), duel(), async |stage| {
        let mut players = stage.dive().await;
        stage.settle().await;
        players[0].say("S|1|0|None|None").await;
        stage.settle().await;
        told.send((stage.commits(), stage.disk.commits.clone())).expect("it waits");
    });
    let (before, commits) = commits.recv().expect("was sent");
    assert!(commits.load(Ordering::Relaxed) > before, "the order was synced without a wait");
}

/// A connection that sent more than its order waits for the answer to that, silent or not.
#[test]
fn nobody_who_has_more_to_say_is_kept_waiting() {
    on_stage_of(<dyn AnyGame>::of::<SubSim>(), duel(), async |stage| {
        let mut players = stage.dive().await;
        stage.settle().await;
        let before = stage.commits();
        players[0].say("S|1|0|None|None\nJ|again|1|1").await;
        // It is out of the game for that, with no time passing in between.
        players[0].hear("protocol error").await;
        assert!(stage.commits() > before);
    });
}
