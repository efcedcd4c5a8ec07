//! How what is said leaves: together, and at once.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};

use crate::kit::{House, PATIENCE};

/// A client that shows what single reads bring. A small write arrives in one piece, so a reader
/// who is quick enough sees where one write ended and the next began.
struct Reader {
    socket: TcpStream,
    /// How many turns' news it has had.
    batches: usize,
}

impl Reader {
    fn join(address: SocketAddr, table: &str, name: &str) -> Reader {
        let mut socket = TcpStream::connect(address).expect("connects");
        socket.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        socket.write_all(format!("JOIN {table} {name}\n").as_bytes()).expect("writes");
        Reader { socket, batches: 0 }
    }

    fn read(&mut self) -> String {
        let mut buffer = vec![0; 1 << 20];
        let count = self.socket.read(&mut buffer).expect("the server says something");
        String::from_utf8(buffer[..count].to_vec()).expect("text")
    }

    /// Plays the first card of every hand to the end of the game.
    fn play_out(mut self) -> usize {
        loop {
            let text = self.read();
            assert!(text.ends_with('\n'), "half a line: {text:?}");
            // What a turn brings ends with the next hand or the end of the game.
            if let Some((_, news)) = text.split_once("PLAYED ") {
                self.batches += 1;
                assert!(news.contains("\nHAND ") || news.contains("\nGAME_END "), "{text:?}");
            }
            // The mover gets the answer together with what follows from it.
            for (after, _) in text.match_indices("OK\n").map(|(at, ok)| (at + ok.len(), ok)) {
                let rest = &text[after..];
                assert!(rest.starts_with("WAITING ") || rest.starts_with("PLAYED "), "{text:?}");
            }
            if text.contains("GAME_END ") {
                return self.batches;
            }
            if text.contains("HAND ") {
                self.socket.write_all(b"PLAY 0\n").expect("writes");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_lines_of_one_batch_leave_in_one_write() {
    let house = House::open().await;
    let address = house.address("sushi-go");
    let mut batches = 0;
    for game in 0..10 {
        let table = format!("t{game}");
        house.table(&table, 2).await;
        let players: Vec<_> = ["One", "Two"]
            .into_iter()
            .map(|name| {
                let reader = Reader::join(address, &table, name);
                std::thread::spawn(move || reader.play_out())
            })
            .collect();
        for player in players {
            let played = tokio::task::spawn_blocking(|| player.join()).await.expect("joins");
            batches += played.expect("every batch was whole");
        }
    }
    assert_eq!(batches, 10 * 2 * 30);
    house.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_has_said_its_last_still_gets_every_answer() {
    let house = House::open().await;
    let mut socket = TcpStream::connect(house.address("sushi-go")).expect("connects");
    let last_words = move || {
        socket.write_all(b"GAMES\nNONSENSE\nGAMES\n").expect("writes");
        socket.shutdown(Shutdown::Write).expect("shuts down");
        let mut answers = String::new();
        socket.read_to_string(&mut answers).expect("reads");
        answers
    };
    let answers = tokio::task::spawn_blocking(last_words).await.expect("joins");
    let words: Vec<&str> = answers.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(words, ["GAMES", "ERROR", "GAMES"], "{answers}");
    house.close().await;
}
