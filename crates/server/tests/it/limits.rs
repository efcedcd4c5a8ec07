//! Every limit, hit once.

use crate::kit::{House, play_beside};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_silent_connection_is_closed() {
    let house = House::open_with(|settings| settings.limits.first_message_ms = 50).await;
    let mut silent = house.client().await;
    assert_eq!(silent.read().await, None);
    let mut half = house.client().await;
    half.send_bytes(b"GA").await;
    assert_eq!(half.read().await, None);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_so_many_connections_in_all() {
    let house = House::open_with(|settings| settings.limits.connections = 3).await;
    let (mut one, mut two, mut three) =
        (house.client().await, house.client().await, house.client().await);
    for client in [&mut one, &mut two, &mut three] {
        assert!(client.ask("GAMES").await.starts_with("GAMES "));
    }
    let mut fourth = house.client().await;
    assert_eq!(fourth.read().await, None);
    drop(one);
    // The place comes free when the server has noticed.
    loop {
        let mut next = house.client().await;
        if next.push(b"GAMES\n").await && next.read().await.is_some() {
            break;
        }
    }
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_so_many_connections_from_one_address() {
    let house = House::open_with(|settings| {
        settings.limits.connections_per_address = 2;
        settings.limits.exempt_loopback = false;
    })
    .await;
    let (mut one, mut two) = (house.client().await, house.client().await);
    assert!(one.ask("GAMES").await.starts_with("GAMES "));
    assert!(two.ask("GAMES").await.starts_with("GAMES "));
    assert_eq!(house.client().await.read().await, None);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn this_machine_may_have_any_number() {
    let house = House::open_with(|settings| settings.limits.connections_per_address = 1).await;
    let (mut one, mut two) = (house.client().await, house.client().await);
    assert!(one.ask("GAMES").await.starts_with("GAMES "));
    assert!(two.ask("GAMES").await.starts_with("GAMES "));
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_so_many_tables() {
    let house = House::open_with(|settings| settings.limits.tables = 2).await;
    house.table("second", 2).await;
    let (status, body) = house.http("POST", "/api/v1/tables", r#"{"game":"sushi-go"}"#).await;
    assert_eq!(status, 503);
    assert!(body.contains("limits.tables"), "{body}");
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_outbound_queue_is_bounded() {
    let house = House::open_with(|settings| settings.limits.outbound_bytes = 1000).await;
    let mut deaf = house.client().await;
    while deaf.push(&b"GAMES\n".repeat(1000)).await {}
    play_beside(&house, "beside").await;
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_may_have_1024_bytes() {
    let house = House::open().await;
    let mut client = house.client().await;
    let longest = format!("GAMES{}", " ".repeat(1019));
    assert!(client.ask(&longest).await.starts_with("GAMES ["));
    assert!(client.ask(&format!("{longest} ")).await.starts_with("ERROR E001 Line too long"));
    house.close().await;
}
