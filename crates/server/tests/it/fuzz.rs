//! Requests with anything in them: each is answered or hung up on, and none is the server's mistake.

use std::path::Path;

use trials::fuzz::{self, Mangler};

use crate::kit::{House, play_beside};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mangled_requests_are_answered_and_never_the_servers_mistake() {
    let house = House::open().await;
    let (http, token) = (house.address("http"), &*house.server.admin_token);
    // Requests that are good, or nearly.
    let known = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/requests");
    let known = fuzz::corpus(&known);
    for request in &known {
        let heard = fuzz::request(http, token, request).await;
        let is_answer = heard.starts_with("HTTP/1.1 2") || heard.starts_with("HTTP/1.1 4");
        assert!(is_answer, "{}: {heard}", String::from_utf8_lossy(request));
    }
    for (seed, bytes) in Mangler::new("http", known).inputs(400) {
        let heard = fuzz::request(http, token, &bytes).await;
        let request = String::from_utf8_lossy(&bytes);
        assert!(!heard.starts_with("HTTP/1.1 500"), "FUZZ_SEED={seed} {request}\n{heard}");
    }
    play_beside(&house, "beside").await;
    house.close().await;
}
