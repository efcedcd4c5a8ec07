//! Requests with anything in them: each is answered or hung up on, and none is the server's mistake.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use trials::fuzz::Mangler;

use crate::kit::{House, PATIENCE, play_beside};

/// Requests that are good, or nearly: a method and a path, then the body.
const REQUESTS: [&str; 16] = [
    "POST /api/v1/tables\n{\"game\":\"sushi-go\",\"id\":\"t\",\"seats\":3,\"reserved\":[\"ann\"],\"options\":{\"players\":3}}",
    "POST /api/v1/tables\n{\"game\":\"labyrinth\",\"options\":{\"move_timeout_ms\":100}}",
    "POST /api/v1/tables/sushi-go/t/crashed\n{\"seat\":0}",
    "DELETE /api/v1/tables/sushi-go/t\n",
    "POST /api/v1/tournaments\n{\"game\":\"gamba\",\"id\":\"cup\",\"plan\":{\"format\":\"swiss\",\"rounds\":3,\"table_seats\":2,\"max_entrants\":8,\"best_of\":3},\"entrants\":[\"ann\",{\"name\":\"bob\",\"bot\":\"random\"}],\"no_show_s\":5}",
    "POST /api/v1/tournaments/gamba/cup/start\n",
    "POST /api/v1/tournaments/gamba/cup/entrants\n{\"name\":\"eve\",\"display\":\"Eve\"}",
    "POST /api/v1/tournaments/gamba/cup/pairings/0/adjudicate\n{\"places\":[1,2]}",
    "POST /api/v1/names\n{\"name\":\"ann\"}",
    "POST /api/v1/tokens\n{\"name\":\"ann\",\"scope\":\"read\"}",
    "POST /api/v1/bans\n{\"name\":\"eve\",\"for_s\":60,\"reason\":\"x\"}",
    "POST /api/v1/kicks\n{\"address\":\"192.0.2.1\"}",
    "POST /api/v1/frames?viewer=all\n{\"game\":\"sushi-go\",\"id\":\"t\"}\n{\"at\":1,\"record\":{\"closed\":\"over\"}}",
    "GET /api/v1/results?game=gamba&player=ann&since=1&limit=5&after=2\n",
    "GET /api/v1/tables?status=waiting&after=gamba:3&limit=1\n",
    "POST /games\n{\"id\":\"t\",\"max_players\":4}",
];

/// What comes back. Nothing: it was hung up on.
async fn answer(house: &House, bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let (head, body) = (&bytes[..end], bytes.get(end + 1..).unwrap_or_default());
    let rest = format!(
        " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Authorization: Bearer {}\r\nContent-Length: {}\r\n\r\n",
        house.server.admin_token,
        body.len()
    );
    let mut socket = TcpStream::connect(house.address("http")).await.expect("connects");
    let whole = [head, rest.as_bytes(), body].concat();
    // It may be refused before all of it was read.
    _ = socket.write_all(&whole).await;
    let mut heard = Vec::new();
    _ = timeout(PATIENCE, socket.read_to_end(&mut heard)).await.expect("it ends");
    String::from_utf8_lossy(&heard).into_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mangled_requests_are_answered_and_never_the_servers_mistake() {
    let house = House::open().await;
    let mangler = Mangler::new("http", REQUESTS.map(|text| text.as_bytes().to_vec()).to_vec());
    for request in REQUESTS {
        let heard = answer(&house, request.as_bytes()).await;
        assert!(
            heard.starts_with("HTTP/1.1 2") || heard.starts_with("HTTP/1.1 4"),
            "{request}: {heard}"
        );
    }
    for (seed, bytes) in mangler.inputs(400) {
        let heard = answer(&house, &bytes).await;
        let request = String::from_utf8_lossy(&bytes);
        assert!(!heard.starts_with("HTTP/1.1 500"), "FUZZ_SEED={seed} {request}\n{heard}");
    }
    play_beside(&house, "beside").await;
    house.close().await;
}
