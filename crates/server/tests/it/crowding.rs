//! One address that takes all it can, and all other clients.

use serde_json::json;

use crate::kit::{Client, House, request};
use crate::tournaments::convene;

/// A client at an address, behind a proxy that forwards it.
async fn from(house: &House, last: u8) -> Client {
    let mut client = house.client().await;
    let mut header = b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c".to_vec();
    header.extend([203, 0, 113, last, 127, 0, 0, 1, 0x12, 0x34, 0x1e, 0xc6]);
    client.send_bytes(&header).await;
    client
}

/// The answer a client receives; nothing if the server hangs up.
async fn hears(client: &mut Client, line: &str) -> String {
    if client.push(format!("{line}\n").as_bytes()).await {
        client.read().await.unwrap_or_default()
    } else {
        String::new()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_address_takes_all_it_can_while_others_join_play_and_organise() {
    let house = House::open_with(|settings| {
        settings.network.proxies = vec!["127.0.0.1".parse().unwrap()];
        settings.network.proxy_protocol = vec!["sushi-go".to_owned()];
        let limits = &mut settings.limits;
        limits.connections = 60;
        limits.connections_per_address = 20;
        limits.seats_per_address = 6;
        limits.tables_per_min_per_address = 4;
        limits.entries_per_h_per_address = 2;
        limits.tables = 20;
    })
    .await;
    let cup = convene(&house, json!({"game": "sushi-go", "id": "cup", "open": true})).await;
    for number in 0..8 {
        house.table(&format!("t{number}"), 4).await;
    }
    // Eve comes with forty connections, sits down wherever it can, and enters the tournament.
    let (mut eve, mut seats, mut hung_up) = (Vec::new(), 0, 0);
    for number in 0..40 {
        let mut client = from(&house, 9).await;
        let heard = hears(&mut client, &format!("JOIN t{} eve{number}", number % 8)).await;
        match &*heard {
            "" => hung_up += 1,
            welcome if welcome.starts_with("WELCOME ") => seats += 1,
            refused => assert!(refused.starts_with("ERROR E011 "), "{refused}"),
        }
        eve.push(client);
    }
    assert_eq!((hung_up, seats), (20, 4), "its connections, and the tables it was the first at");
    let mut entered = 0;
    for (number, client) in eve.iter_mut().enumerate().take(20).skip(10) {
        let heard = hears(client, &format!("TOURNEY cup eve{number}")).await;
        entered += u32::from(heard.starts_with("TOURNAMENT_WELCOME "));
    }
    assert_eq!(entered, 2);
    // Others join, enter and play a whole game.
    house.table("ours", 2).await;
    let (mut ann, mut bob) = (from(&house, 10).await, from(&house, 11).await);
    ann.join("ours", "ann").await;
    bob.join("ours", "bob").await;
    let (anns, bobs) = tokio::join!(ann.play_out(), bob.play_out());
    assert_eq!((anns.1, &anns), (30, &bobs));
    let mut cat = from(&house, 12).await;
    let heard = hears(&mut cat, "TOURNEY cup cat").await;
    assert!(heard.starts_with("TOURNAMENT_WELCOME "), "{heard}");
    // And organise: private tables, a tournament, and what can be read.
    for number in 0..4 {
        house.table(&format!("organised{number}"), 2).await;
    }
    convene(&house, json!({"game": "sushi-go", "id": "next", "entrants": ["ann", "bob"]})).await;
    let (status, shown) = request(house.address("http"), "GET", &cup, "", "").await;
    assert!(status == 200 && shown.contains("\"cat\""), "{shown}");
    house.close().await;
}
