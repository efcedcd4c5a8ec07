//! Broken and hostile clients, and a game beside them that must not notice.

use crate::kit::{Client, House, play_beside};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_never_reads_is_dropped_and_its_table_goes_on() {
    let house = House::open_with(|settings| {
        settings.limits.outbound_bytes = 64 * 1024;
        settings.limits.messages_per_s = 0;
        let options = settings.games.entry("sushi-go".to_owned()).or_default();
        options.insert("move_timeout_ms".to_owned(), 20.into());
    })
    .await;
    house.table("t", 2).await;
    let (mut deaf, mut other) = (house.client().await, house.client().await);
    deaf.join("t", "Deaf").await;
    other.join("t", "Other").await;
    // Each STATUS asks for a few hundred bytes that are never read.
    let mut open = true;
    while open {
        open = deaf.push(&b"STATUS\n".repeat(1000)).await;
    }
    let (end, _) = other.play_out().await;
    assert!(end.contains("Deaf") && end.contains("Other"), "{end}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_that_is_far_too_long_is_one_error() {
    let house = House::open().await;
    let mut client = house.client().await;
    client.send_bytes(&[b'x'; 64 * 1024]).await;
    assert_eq!(client.line().await, "ERROR E001 Line too long: 1024 bytes at most");
    play_beside(&house, "beside").await;
    assert!(client.ask("\nGAMES").await.starts_with("GAMES ["));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_that_are_no_text_are_one_error_each() {
    let house = House::open().await;
    let mut client = house.client().await;
    client.send_bytes(b"PLAY \xff\xfe\n\x00\x01\n\r\n\n").await;
    assert_eq!(client.line().await, "ERROR E001 Not UTF-8");
    assert!(client.line().await.starts_with("ERROR E001 Unknown command"));
    play_beside(&house, "beside").await;
    assert!(client.ask("GAMES").await.starts_with("GAMES ["));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flood_is_read_slowly_and_answered_whole() {
    let house = House::open_with(|settings| settings.limits.messages_per_s = 2000).await;
    let mut flood = house.client().await;
    let started = std::time::Instant::now();
    flood.send_bytes(&b"NONSENSE\n".repeat(5000)).await;
    play_beside(&house, "beside").await;
    for _ in 0..5000 {
        assert!(flood.line().await.starts_with("ERROR E001 "));
    }
    // 4000 at once and 2000 a second: the rest cannot be through earlier than this.
    assert!(started.elapsed().as_millis() >= 400, "the flood was not slowed down");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_byte_by_byte_and_all_in_one_piece() {
    let house = House::open().await;
    house.table("t", 2).await;
    let (mut slow, mut quick) = (house.client().await, house.client().await);
    for byte in b"JOIN t Slow\r\nREADY\r\n" {
        slow.send_bytes(&[*byte]).await;
    }
    assert!(slow.line().await.starts_with("WELCOME t 0 "));
    assert_eq!(slow.line().await, "OK");
    quick.send_bytes(b"JOIN t Quick\nREADY\nSTATUS\nGAMES\n").await;
    assert!(quick.line().await.starts_with("WELCOME t 1 "));
    assert_eq!(quick.line().await, "OK");
    let mut rest = Vec::new();
    while !rest.last().is_some_and(|line: &String| line.starts_with("GAMES [")) {
        rest.push(quick.line().await);
    }
    assert!(rest.iter().any(|line| line.starts_with("STATUS {")), "{rest:?}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_open_and_vanishing_clients_leave_no_trace() {
    let house = House::open().await;
    for step in 0..40 {
        let mut client = house.client().await;
        if step % 4 > 0 {
            client.send_bytes(b"JOIN nowhere X\nGAM").await;
        }
        if step % 4 > 1 {
            assert!(client.line().await.starts_with("ERROR E005 "));
        }
        drop(client);
    }
    play_beside(&house, "beside").await;
    wait_for_connections(&house, 0).await;
    house.close().await;
}

/// Polls the metrics until a number of game connections are open.
async fn wait_for_connections(house: &House, count: usize) {
    let wanted = format!("parlor_connections{{game=\"sushi-go\"}} {count}\n");
    let deadline = std::time::Instant::now() + crate::kit::PATIENCE;
    loop {
        let (_, metrics) = house.http("GET", "/metrics", "").await;
        if metrics.contains(&wanted) {
            return;
        }
        assert!(std::time::Instant::now() < deadline, "{metrics}");
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_older_connection_is_closed_when_a_newer_one_takes_the_seat() {
    let house = House::open().await;
    house.table("t", 2).await;
    let mut older: Client = house.client().await;
    let token = older.join("t", "One").await;
    let mut newer = house.client().await;
    assert_eq!(newer.ask(&format!("REJOIN {token}")).await, "REJOINED t 0");
    assert_eq!(older.read().await, None);
    house.close().await;
}

/// A trace contained the tokens with which its player reconnects, for everyone who may read it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn traces_contain_no_tokens() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    let house = House::open_with(move |settings| settings.trace = Some(path)).await;
    house.table("t", 2).await;
    let mut older = house.client().await;
    let token = older.join("t", "One").await;
    let mut newer = house.client().await;
    assert_eq!(newer.ask(&format!("REJOIN {token}")).await, "REJOINED t 0");
    house.close().await;
    let files = std::fs::read_dir(folder.path()).unwrap();
    let traces = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    let all = traces.collect::<String>();
    assert!(!all.contains(&token), "{all}");
    for shown in [">>> JOIN t One", "<<< WELCOME t 0 (token)", ">>> REJOIN (token)"] {
        assert!(all.contains(shown), "{shown}: {all}");
    }
}

/// `--trace` hid the bytes it refused: `>>> (NotJson)`, and the author of a bot learnt nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_trace_shows_refused_messages() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    let house = House::open_with(move |settings| settings.trace = Some(path)).await;
    let mut client = house.client().await;
    client.send_bytes(b"PLAY \xff\t1\n").await;
    assert_eq!(client.line().await, "ERROR E001 Not UTF-8");
    let mut course = Client::connect(house.address("labyrinth-course")).await;
    course.send_bytes(b"oli\n").await;
    assert_eq!(course.read().await, None);
    house.close().await;
    let files = std::fs::read_dir(folder.path()).unwrap();
    let traces = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    let traces: Vec<String> = traces.collect();
    for shown in [r">>> (not UTF-8) PLAY \xff\t1", ">>> (not JSON) o"] {
        assert!(traces.iter().any(|trace| trace.contains(shown)), "{shown}: {traces:#?}");
    }
}
