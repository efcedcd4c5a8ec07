//! Clients that speak no protocol: bytes at random, halves of messages, and eyes that close.

use std::time::Duration;

use futures_util::StreamExt;
use rules::{Dice, Seed};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout};

/// Connects to a port and throws things at it, again and again.
pub async fn break_in(address: String, number: u64, until: Instant) {
    let mut dice = Dice::new(&Seed::from_number(number), "vandal", 0);
    while Instant::now() < until {
        let Ok(mut socket) = TcpStream::connect(&address).await else {
            sleep(Duration::from_millis(100)).await;
            continue;
        };
        let missile = missile(&mut dice);
        // Whether it takes them or hangs up is the server's business.
        let _ = timeout(Duration::from_secs(1), socket.write_all(&missile)).await;
        match dice.below(4) {
            0 => {
                let mut answer = [0; 4096];
                let _ = timeout(Duration::from_millis(200), socket.read(&mut answer)).await;
            }
            1 => sleep(Duration::from_millis(dice.below(1000) as u64)).await,
            2 => _ = socket.set_zero_linger(),
            _ => _ = socket.shutdown().await,
        }
        drop(socket);
        sleep(Duration::from_millis(20 + dice.below(200) as u64)).await;
    }
}

const HANDSHAKE: &str = "GET / HTTP/1.1\r\nHost: parlor\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

/// Beginnings that the ports know, so that not everything ends at the first byte.
const BEGINNINGS: [&str; 8] = [
    "",
    "GAMES\nJOIN ",
    "J|vandal|1|1\nM|1|0|",
    "0|||name=vandal\n2|||\n",
    "{\"color\":\"FF00FF\"}[\"get_current_state\",[",
    "\"vandal\"[[[[",
    "GET /api/v1/tables HTTP/1.1\r\n",
    HANDSHAKE,
];

fn missile(dice: &mut Dice) -> Vec<u8> {
    let mut bytes = dice.pick(&BEGINNINGS).as_bytes().to_vec();
    let length = *dice.pick(&[0, 1, 10, 300, 5000, 100_000]);
    match dice.below(4) {
        0 => bytes.extend((0..length).map(|_| dice.below(256) as u8)),
        1 => bytes.extend(std::iter::repeat_n(b'[', length)),
        2 => bytes.extend(std::iter::repeat_n(b'\n', length.min(5000))),
        // A frame that promises more than comes.
        _ => bytes.extend([0x81, 0xfe, 0xff, 0xff, 1, 2, 3, 4, b'x']),
    }
    bytes
}

/// Watches tables over WebSocket for a while each; some never read.
pub async fn look_on(http: String, number: u64, until: Instant) {
    let mut dice = Dice::new(&Seed::from_number(number), "onlooker", 0);
    while Instant::now() < until {
        let answer = super::get(&http, "/api/v1/tables?status=playing").await;
        let tables: Value =
            answer.ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        let tables = super::audit::listed(&tables);
        if tables.is_empty() {
            sleep(Duration::from_millis(100)).await;
            continue;
        }
        let table = dice.pick(tables);
        let (game, id) = (table["game"].as_str(), table["id"].as_str());
        let words = dice.one_in(2);
        let url = format!(
            "ws://{http}/watch/{}/{}?words={words}",
            game.unwrap_or_default(),
            id.unwrap_or_default()
        );
        let Ok((mut socket, _)) = tokio_tungstenite::connect_async(url).await else { continue };
        let while_it_lasts = Duration::from_millis(dice.below(3000) as u64);
        if dice.one_in(3) {
            sleep(while_it_lasts).await;
        } else {
            let reading = async { while let Some(Ok(_)) = socket.next().await {} };
            let _ = timeout(while_it_lasts, reading).await;
        }
    }
}
