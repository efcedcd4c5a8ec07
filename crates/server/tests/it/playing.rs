use crate::kit::{Client, House, play_beside};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_clients_play_a_whole_game() {
    let house = House::open().await;
    house.table("myGame", 2).await;
    let (mut alice, mut bob) = (house.client().await, house.client().await);
    assert!(alice.ask("JOIN myGame Alice").await.starts_with("WELCOME myGame 0 "));
    assert_eq!(alice.ask("READY").await, "OK");
    assert!(bob.ask("JOIN myGame Bob").await.starts_with("WELCOME myGame 1 "));
    assert_eq!(bob.ask("READY").await, "OK");
    for line in ["JOINED Bob 2/2", "GAME_START 2", "ROUND_START 1"] {
        assert_eq!(alice.line().await, line);
    }
    assert!(alice.line().await.starts_with("HAND 0:"));
    assert_eq!(alice.ask("PLAY 9").await, "OK");
    assert_eq!(alice.line().await, "WAITING Bob");
    let (ends, others) = tokio::join!(alice.play_out(), bob.play_out());
    assert_eq!(ends.0, others.0);
    assert_eq!((ends.1, others.1), (29, 30));
    assert_eq!(alice.ask("LEAVE").await, "OK");
    assert!(alice.ask("PLAY 0").await.starts_with("ERROR E005 "));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_tables_at_once() {
    // The same two names play at every table, more often than a program may in open play.
    let house = House::open_with(|settings| settings.limits.open_games_per_min = 0).await;
    let tables: Vec<String> = (0..200).map(|number| format!("table-{number}")).collect();
    let games: Vec<_> = tables.iter().map(|table| play_beside(&house, table)).collect();
    futures_util::future::join_all(games).await;
    let (_, metrics) = house.http("GET", "/metrics", "").await;
    assert!(metrics.contains("parlor_games_finished_total{game=\"sushi-go\"} 200"), "{metrics}");
    assert!(metrics.contains("parlor_moves_total{game=\"sushi-go\"} 12000"), "{metrics}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dropped_player_comes_back_with_its_token() {
    let house = House::open().await;
    house.table("t", 2).await;
    let (mut one, mut two) = (house.client().await, house.client().await);
    let token = one.join("t", "One").await;
    two.join("t", "Two").await;
    let hand = loop {
        let line = one.line().await;
        if line.starts_with("HAND ") {
            break line;
        }
    };
    drop(one);
    let mut back = house.client().await;
    assert_eq!(back.ask(&format!("REJOIN {token}")).await, "REJOINED t 0");
    assert_eq!(back.line().await, hand);
    let mut thief = house.client().await;
    assert!(thief.ask("REJOIN guessed").await.starts_with("ERROR E005 "));
    back.send("PLAY 0").await;
    let (ends, others) = tokio::join!(back.play_out(), two.play_out());
    assert_eq!(ends.0, others.0);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_house_bot_fills_the_table() {
    let house = House::open_with(|settings| {
        let options = settings.games.entry("sushi-go".to_owned()).or_default();
        options.insert("house_bots".to_owned(), vec!["greedy"].into());
        options.insert("house_bots_after_ms".to_owned(), 0.into());
    })
    .await;
    house.table("t", 3).await;
    let mut client = house.client().await;
    client.join("t", "Human").await;
    let (end, hands) = client.play_out().await;
    assert!(end.contains("greedy1") && end.contains("greedy2"), "{end}");
    assert_eq!(hands, 27);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shutdown_waits_for_nobody() {
    let house = House::open().await;
    house.table("t", 2).await;
    let silent = house.client().await;
    let (mut one, mut two) = (house.client().await, house.client().await);
    one.join("t", "One").await;
    two.join("t", "Two").await;
    house.close().await;
    drop(silent);
    while let Some(line) = one.read().await {
        assert!(!line.starts_with("GAME_END"), "a shutdown is no end of the game: {line}");
    }
}

/// Closing a SubSim table sent its players `F|..|aborted`; stopping the server sent them nothing,
/// though such a game cannot be rejoined.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stopping_the_server_aborts_games_that_cannot_be_rejoined() {
    let house = House::open_with(|settings| {
        let mut options = serde_json::Map::new();
        options.insert("max_players".to_owned(), 2.into());
        settings.games.insert("subsim".to_owned(), options);
    })
    .await;
    let address = house.address("subsim");
    let mut players = [Client::connect(address).await, Client::connect(address).await];
    for (name, player) in ["ann", "bob"].into_iter().zip(&mut players) {
        player.send(&format!("J|{name}|5|5")).await;
        while player.line().await != format!("J|{name}") {}
    }
    for player in &mut players {
        while player.line().await != "B|1" {}
    }
    house.close().await;
    for player in &mut players {
        assert_eq!(player.line().await, "F|2|0|aborted");
        assert_eq!([player.line().await, player.line().await], ["P|ann|0", "P|bob|0"]);
        assert_eq!(player.read().await, None);
    }
}
