//! The attacks: each a crowd of clients from a few addresses, none of which behaves.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use anyhow::Result;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio::time::sleep;

/// Defines the attacks and what there is to say about each.
macro_rules! attacks {
    ($($attack:ident $name:literal $crowd:literal from $sources:literal: $about:literal;)*) => {
        /// One way to behave badly.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Attack {
            $($attack,)*
        }

        impl Attack {
            pub const ALL: &'static [Attack] = &[$(Attack::$attack,)*];

            pub fn name(self) -> &'static str {
                match self { $(Attack::$attack => $name,)* }
            }

            pub fn about(self) -> &'static str {
                match self { $(Attack::$attack => $about,)* }
            }

            fn crowd(self) -> usize {
                match self { $(Attack::$attack => $crowd,)* }
            }

            /// From how many addresses they come.
            fn sources(self) -> usize {
                match self { $(Attack::$attack => $sources,)* }
            }
        }
    };
}

attacks! {
    Garbage "garbage" 200 from 1: "200 connections send lines that mean nothing, as fast as they can";
    Status "status" 200 from 1: "200 connections ask STATUS, as fast as they can";
    Games "games" 200 from 1: "200 connections ask GAMES, as fast as they can";
    Posts "posts" 20 from 1: "20 connections post 1.9 MB of JSON to the game's port";
    Lists "lists" 50 from 1: "50 connections ask the game's port for GET /api/v1/tables";
    EndlessLine "endless-line" 50 from 1: "50 connections send a line that never ends";
    Unread "unread" 200 from 1: "200 watchers of a tournament of 200 entrants never read";
    IdleWebSockets "idle-websockets" 4000 from 16: "4,000 WebSockets from 16 addresses are opened and say nothing";
    IdleHttp "idle-http" 4000 from 16: "4,000 HTTP connections from 16 addresses ask once and stay";
    Tokens "tokens" 100 from 1: "100 connections guess tokens, half of them over HTTP";
    Churn "churn" 20 from 16: "2,000 connections a second from 16 addresses are opened and reset";
    SlowHttp "slow-http" 500 from 2: "500 HTTP requests from 2 addresses arrive a byte a second";
    EmptyPieces "empty-pieces" 50 from 1: "50 WebSockets send a message in empty pieces that never ends";
    EmptyFrames "empty-frames" 50 from 1: "50 WebSockets that carry bytes send empty frames, as fast as they can";
    Pings "pings" 50 from 1: "50 WebSockets that carry bytes send pings, as fast as they can";
    Csv "csv" 50 from 1: "50 connections ask for the standings of a tournament of 200 entrants as CSV";
    PlayedCsv "played-csv" 50 from 1: "50 connections ask for more than 3,000 results of a tournament as CSV";
    Frames "frames" 50 from 1: "50 connections ask for all views of a large game they have opened and never read";
    UnreadPongs "unread-pongs" 200 from 1: "200 watchers of a tournament with more than 3,000 results never read, and send pongs";
    Moves "moves" 60 from 1: "60 connections ask how a player has moved in its large games";
    Pipelined "pipelined" 50 from 1: "50 connections pipeline HTTP to a port that is for WebSockets";
}

/// The targets of an attack.
#[derive(Clone, Debug)]
pub struct Scene {
    pub game: SocketAddr,
    pub http: SocketAddr,
    /// The port of a protocol that is WebSocket.
    pub websocket: SocketAddr,
    /// The id of a large game that the attackers have made.
    pub large: String,
}

impl Attack {
    pub fn begin(self, scene: &Scene) -> JoinSet<()> {
        let mut all = JoinSet::new();
        for number in 0..self.crowd() {
            let from = Ipv4Addr::new(127, 0, 1, (number % self.sources()) as u8 + 1);
            let attacker = Attacker { from, number, scene: scene.clone() };
            all.spawn(async move {
                loop {
                    // A rejected attacker tries again.
                    let _ = attacker.attack(self).await;
                    sleep(Duration::from_millis(20)).await;
                }
            });
        }
        all
    }
}

/// One of them.
struct Attacker {
    from: Ipv4Addr,
    number: usize,
    scene: Scene,
}

impl Attacker {
    async fn attack(&self, attack: Attack) -> Result<()> {
        match attack {
            Attack::Garbage => self.flood(self.scene.game, "x y z\n").await,
            Attack::Status => self.flood(self.scene.game, "STATUS\n").await,
            Attack::Games => self.flood(self.scene.game, "GAMES\n").await,
            Attack::Lists => {
                let request = "GET /api/v1/tables HTTP/1.1\r\nHost: localhost\r\n\r\n";
                self.flood(self.scene.game, request).await
            }
            Attack::Tokens if self.number.is_multiple_of(2) => {
                self.flood(self.scene.game, "REJOIN aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n").await
            }
            Attack::Tokens => {
                let request = "POST /api/v1/tables HTTP/1.1\r\nHost: localhost\r\n\
                    Authorization: Bearer aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n\
                    Content-Length: 0\r\n\r\n";
                self.flood(self.scene.http, request).await
            }
            Attack::Posts => self.post().await,
            Attack::EndlessLine => {
                let mut socket = self.connect(self.scene.game).await?;
                loop {
                    socket.write_all(&[b'x'; 16 * 1024]).await?;
                }
            }
            Attack::Unread => self.open("/watch/sushi-go/tournaments/cup").await,
            Attack::EmptyPieces => {
                let begin = [0x01, 0x81, 0, 0, 0, 0, b'a'];
                self.flood_frames("/play/sushi-go", &begin, [0x00, 0x80, 0, 0, 0, 0]).await
            }
            Attack::EmptyFrames => {
                let frame = [0x82, 0x80, 0, 0, 0, 0];
                self.flood_frames("/play/sushi-go?bytes=true", &[], frame).await
            }
            Attack::Pings => {
                let frame = [0x89, 0x80, 0, 0, 0, 0];
                self.flood_frames("/play/sushi-go?bytes=true", &[], frame).await
            }
            Attack::Csv => self.ask_for("/api/v1/tournaments/sushi-go/cup/standings.csv").await,
            Attack::PlayedCsv => self.ask_for("/api/v1/tournaments/gamba/played/results.csv").await,
            Attack::Moves => self.ask_for("/api/v1/players/eve/subsim/moves?limit=50").await,
            Attack::Frames => self.leave_unread().await,
            Attack::UnreadPongs => self.send_pongs("/watch/gamba/tournaments/played").await,
            Attack::Pipelined => {
                let request = "GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n";
                self.flood(self.scene.websocket, request).await
            }
            Attack::IdleWebSockets => self.open("/play/sushi-go").await,
            Attack::IdleHttp => self.stay().await,
            Attack::Churn => self.churn().await,
            Attack::SlowHttp => self.drip().await,
        }
    }

    async fn connect(&self, to: SocketAddr) -> Result<TcpStream> {
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddr::new(self.from.into(), 0))?;
        Ok(socket.connect(to).await?)
    }

    /// Sends the same text forever and reads the replies.
    async fn flood(&self, to: SocketAddr, text: &str) -> Result<()> {
        let many = text.repeat(8 * 1024 / text.len());
        Self::repeat(self.connect(to).await?, many.as_bytes()).await
    }

    /// The same with a frame of a WebSocket.
    async fn flood_frames(&self, path: &str, begin: &[u8], frame: [u8; 6]) -> Result<()> {
        let socket = self.connect(self.scene.http).await?;
        let url = format!("ws://localhost{path}");
        let (socket, _) = tokio_tungstenite::client_async(url, socket).await?;
        let mut socket = socket.into_inner();
        socket.write_all(begin).await?;
        Self::repeat(socket, &frame.repeat(2048)).await
    }

    async fn repeat(socket: TcpStream, many: &[u8]) -> Result<()> {
        let (mut reader, mut writer) = socket.into_split();
        let write = async {
            loop {
                writer.write_all(many).await?;
            }
        };
        let mut heard = [0; 16 * 1024];
        let read = async {
            while reader.read(&mut heard).await? > 0 {}
            Ok(())
        };
        tokio::select! { ended = write => ended, ended = read => ended }
    }

    async fn post(&self) -> Result<()> {
        let mut socket = self.connect(self.scene.game).await?;
        let body = format!("[{}1]", "1,".repeat(950_000));
        let head = format!(
            "POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n",
            body.len()
        );
        let mut heard = [0; 4096];
        loop {
            socket.write_all(head.as_bytes()).await?;
            socket.write_all(body.as_bytes()).await?;
            if socket.read(&mut heard).await? == 0 {
                return Ok(());
            }
        }
    }

    /// Sends the same request forever and reads the replies.
    async fn ask_for(&self, path: &str) -> Result<()> {
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        self.flood(self.scene.http, &request).await
    }

    /// Asks for something long and reads nothing of it.
    async fn leave_unread(&self) -> Result<()> {
        let mut socket = self.connect(self.scene.http).await?;
        let path = format!("/api/v1/results/subsim/{}/frames?viewer=all", self.scene.large);
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        socket.write_all(request.as_bytes()).await?;
        sleep(Duration::from_secs(60)).await;
        Ok(())
    }

    /// Opens a WebSocket, reads nothing, and says now and then that it is alive.
    async fn send_pongs(&self, path: &str) -> Result<()> {
        let socket = self.connect(self.scene.http).await?;
        let url = format!("ws://localhost{path}");
        let (socket, _) = tokio_tungstenite::client_async(url, socket).await?;
        let mut socket = socket.into_inner();
        loop {
            socket.write_all(&[0x8a, 0x80, 0, 0, 0, 0]).await?;
            sleep(Duration::from_secs(5)).await;
        }
    }

    /// Opens a WebSocket and does nothing with it.
    async fn open(&self, path: &str) -> Result<()> {
        let socket = self.connect(self.scene.http).await?;
        let url = format!("ws://localhost{path}");
        let (socket, _) = tokio_tungstenite::client_async(url, socket).await?;
        let () = std::future::pending().await;
        drop(socket);
        Ok(())
    }

    /// Asks for something small, and says nothing more.
    async fn stay(&self) -> Result<()> {
        let mut socket = self.connect(self.scene.http).await?;
        socket.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").await?;
        while socket.read(&mut [0; 1024]).await? > 0 {}
        Ok(())
    }

    async fn churn(&self) -> Result<()> {
        loop {
            let socket = self.connect(self.scene.game).await?;
            // Reset instead of close: a loopback address has too few ports to wait for them.
            socket.set_zero_linger()?;
            drop(socket);
            sleep(Duration::from_millis(10)).await;
        }
    }

    async fn drip(&self) -> Result<()> {
        let mut socket = self.connect(self.scene.http).await?;
        let request =
            "POST /api/v1/tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{";
        for byte in request.bytes() {
            socket.write_all(&[byte]).await?;
            sleep(Duration::from_secs(1)).await;
        }
        Ok(())
    }
}
