//! A server to test, and clients that fail loudly instead of waiting forever.

use std::net::SocketAddr;
use std::time::Duration;

use server::{Port, Server, Settings};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::time::timeout;

/// Nothing in these tests takes this long unless it hangs.
use wire::Games;
pub const PATIENCE: Duration = Duration::from_secs(20);

pub struct House {
    pub server: Server,
}

impl House {
    /// A server in memory on free ports.
    pub async fn open() -> House {
        House::open_with(|_| {}).await
    }

    pub async fn open_with(change: impl FnOnce(&mut Settings)) -> House {
        let mut settings = Settings { data: None, ..Settings::default() };
        let mut roster = Games::default();
        games::each(&mut roster);
        for name in roster.ports() {
            settings.ports.insert(name.to_owned(), Port::Number(0));
        }
        change(&mut settings);
        House { server: Server::start(&roster, settings).await.expect("the server starts") }
    }

    pub fn address(&self, name: &str) -> SocketAddr {
        self.server.addresses[name]
    }

    pub async fn client(&self) -> Client {
        Client::connect(self.address("sushi-go")).await
    }

    /// Asks over HTTP, with the admin token. The status and the body.
    pub async fn http(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let token = format!("Authorization: Bearer {}\r\n", self.server.admin_token);
        request(self.address("http"), method, path, &token, body).await
    }

    /// Opens a Sushi Go table.
    pub async fn table(&self, id: &str, players: usize) {
        let body = format!(r#"{{"game":"sushi-go","id":"{id}","seats":{players}}}"#);
        let (status, body) = self.http("POST", "/api/v1/tables", &body).await;
        assert_eq!(status, 201, "{body}");
    }

    pub async fn close(self) {
        timeout(PATIENCE, self.server.shutdown())
            .await
            .expect("a shutdown ends")
            .expect("in order");
    }
}

/// One HTTP request over a new connection.
pub async fn request(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &str,
    body: &str,
) -> (u16, String) {
    let answer = exchange(address, method, path, headers, body).await;
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, body.to_owned())
}

/// The same, and the whole answer as it came.
pub async fn exchange(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &str,
    body: &str,
) -> String {
    let mut socket = TcpStream::connect(address).await.expect("connects");
    let length = body.len();
    let text = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n{headers}\r\n{body}"
    );
    socket.write_all(text.as_bytes()).await.expect("writes");
    let mut answer = String::new();
    timeout(PATIENCE, socket.read_to_string(&mut answer)).await.expect("answers").expect("reads");
    answer
}

/// A Sushi Go client.
pub struct Client {
    reader: BufReader<OwnedReadHalf>,
    writer: OwnedWriteHalf,
}

impl Client {
    pub async fn connect(address: SocketAddr) -> Client {
        let (reader, writer) = TcpStream::connect(address).await.expect("connects").into_split();
        Client { reader: BufReader::new(reader), writer }
    }

    pub async fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes()).await;
    }

    pub async fn send_bytes(&mut self, bytes: &[u8]) {
        timeout(PATIENCE, self.writer.write_all(bytes))
            .await
            .expect("takes bytes")
            .expect("writes");
    }

    /// Writes until the server takes nothing more; false once it has closed the connection.
    pub async fn push(&mut self, bytes: &[u8]) -> bool {
        !matches!(timeout(PATIENCE, self.writer.write_all(bytes)).await, Ok(Err(_)))
    }

    /// The next line; none once the connection is closed.
    pub async fn read(&mut self) -> Option<String> {
        let mut line = String::new();
        match timeout(PATIENCE, self.reader.read_line(&mut line))
            .await
            .expect("the server says something")
        {
            Ok(0) | Err(_) => None,
            Ok(_) => {
                assert!(line.ends_with('\n') && !line.ends_with("\r\n"), "{line:?}");
                line.pop();
                Some(line)
            }
        }
    }

    /// Whether the server has closed the connection by now. What it says is lost.
    pub async fn has_ended(&mut self) -> bool {
        let mut heard = [0; 1024];
        let read = timeout(Duration::from_millis(20), self.reader.read(&mut heard)).await;
        matches!(read, Ok(Ok(0) | Err(_)))
    }

    /// Everything until the server closes the connection.
    pub async fn rest(&mut self) -> String {
        let mut rest = Vec::new();
        let read = timeout(PATIENCE, self.reader.read_to_end(&mut rest)).await;
        // A reset ends it as well.
        let _ = read.expect("the server closes the connection");
        String::from_utf8_lossy(&rest).into_owned()
    }

    pub async fn line(&mut self) -> String {
        self.read().await.expect("the connection is open")
    }

    /// Sends a command and takes the next line as its reply.
    pub async fn ask(&mut self, line: &str) -> String {
        self.send(line).await;
        self.line().await
    }

    /// Joins a table and takes the token.
    pub async fn join(&mut self, table: &str, name: &str) -> String {
        let welcome = self.ask(&format!("JOIN {table} {name}")).await;
        let words: Vec<&str> = welcome.split(' ').collect();
        assert_eq!(words[..2], ["WELCOME", table], "{welcome}");
        words[3].to_owned()
    }

    /// Plays the first card of every hand until the end; the last line, and how many hands.
    pub async fn play_out(&mut self) -> (String, usize) {
        let mut hands = 0;
        loop {
            let line = self.line().await;
            assert!(!line.starts_with("ERROR"), "{line}");
            if line.starts_with("HAND ") {
                hands += 1;
                self.send("PLAY 0").await;
            }
            if line.starts_with("GAME_END ") {
                return (line, hands);
            }
        }
    }
}

/// A whole game of two, played beside whatever else happens.
pub async fn play_beside(house: &House, table: &str) {
    house.table(table, 2).await;
    let (mut one, mut two) = (house.client().await, house.client().await);
    one.join(table, "One").await;
    two.join(table, "Two").await;
    let (ends, others) = tokio::join!(one.play_out(), two.play_out());
    assert_eq!(ends, others);
    assert_eq!(ends.1, 30);
}
