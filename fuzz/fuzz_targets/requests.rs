#![no_main]
//! Requests over HTTP to a server in this process, with anything in them: each is answered or hung up
//! on, and none is the server's mistake. A panic on any of its threads is one.

use std::net::SocketAddr;
use std::sync::LazyLock;

use server::{Limits, Port, Server, Settings};
use tokio::runtime::Runtime;

struct House {
    runtime: Runtime,
    http: SocketAddr,
    token: String,
    _server: Server,
}

static HOUSE: LazyLock<House> = LazyLock::new(|| {
    let mut roster = wire::Games::default();
    games::each(&mut roster);
    // Few tables, so that it does not grow with the number of requests.
    let limits = Limits { tables: 50, ..Limits::default() };
    let mut settings = Settings { data: None, limits, ..Settings::default() };
    for name in roster.ports() {
        settings
            .ports
            .insert(name.to_owned(), if name == "http" { Port::Number(0) } else { Port::Off });
    }
    let runtime = Runtime::new().expect("a runtime");
    let server = runtime.block_on(Server::start(&roster, settings)).expect("the server starts");
    let (http, token) = (server.addresses["http"], server.admin_token.clone());
    House { runtime, http, token, _server: server }
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let House { runtime, http, token, .. } = &*HOUSE;
    let heard = runtime.block_on(trials::fuzz::request(*http, token, bytes));
    assert!(!heard.starts_with("HTTP/1.1 500"), "{heard}");
});
