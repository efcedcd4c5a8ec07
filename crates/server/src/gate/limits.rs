//! Every limit there is: one table. docs/limits.md is this table, `GET /api/v1/limits` says it, and
//! `parlor_limit_hits_total` counts how often each was reached.

use serde::{Deserialize, Serialize};

/// Defines the limits and everything there is to say about each, so that none can lack a word.
macro_rules! limits {
    ($($limit:ident $name:ident: $kind:ty = $usual:expr, $help:literal;)*) => {
        /// What one client, one address, or all of them may take.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Limits {
            $(pub $name: $kind,)*
        }

        impl Default for Limits {
            fn default() -> Limits {
                Limits { $($name: $usual,)* }
            }
        }

        impl Limits {
            /// What each means, by key.
            pub const HELP: &'static [(&'static str, &'static str)] =
                &[$((stringify!($name), $help),)*];
        }

        /// One of them, as it is counted and named to whoever reaches it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Limit {
            $($limit,)*
        }

        impl Limit {
            pub const ALL: &'static [Limit] = &[$(Limit::$limit,)*];

            pub fn name(self) -> &'static str {
                match self { $(Limit::$limit => stringify!($name),)* }
            }
        }
    };
}

limits! {
    MessagesPerS messages_per_s: u32 = 200,
        "messages a second from one connection, twice as many at once; above it the server reads on \
         later. A move that is accepted does not count. 0 means no limit";
    BytesPerS bytes_per_s: u32 = 256 * 1024,
        "bytes a second from one connection, twice as many at once; above it the server reads on \
         later. 0 means no limit";
    MessageBytes message_bytes: usize = 64 * 1024,
        "bytes without the end of a message; above it the connection is closed. Every protocol also \
         has a longest message of its own";
    OutboundBytes outbound_bytes: usize = 1 << 20,
        "bytes waiting for a client that does not read; above it the connection is closed";
    FirstMessageMs first_message_ms: u64 = 60_000,
        "milliseconds a new connection may stay silent, unless its protocol allows less; 0 means no limit";
    IdleMs idle_ms: u64 = 900_000,
        "milliseconds a client may stay silent that sits at no table, watches none and waits for \
         none; then it is closed. 0 means no limit";
    PingMs ping_ms: u64 = 20_000,
        "milliseconds of silence until a WebSocket client is pinged; it is closed when it \
         leaves two pings in a row unanswered. 0 means never";
    ConnectionsPerAddress connections_per_address: usize = 256,
        "connections from one address; further ones are closed at once";
    ConnectsPerSPerAddress connects_per_s_per_address: u32 = 100,
        "new connections a second from one address, twice as many at once; further ones are closed \
         at once. 0 means no limit";
    MessagesPerSPerAddress messages_per_s_per_address: u32 = 2000,
        "messages a second from one address, twice as many at once; above it the server reads on \
         later. 0 means no limit";
    SeatsPerAddress seats_per_address: usize = 128,
        "seats that clients of one address hold at once; above it they are told that there is no room";
    TablesPerMinPerAddress tables_per_min_per_address: u32 = 60,
        "tables a minute at which clients of one address are the first to sit down; a game that is \
         played to its end does not count. 0 means no limit";
    EntriesPerHPerAddress entries_per_h_per_address: u32 = 64,
        "names an hour that clients of one address enter for tournaments by themselves. 0 means no limit";
    ClaimsPerHPerAddress claims_per_h_per_address: u32 = 256,
        "names an hour that clients of one address claim, give another key or let go, or whose version \
         they change; above it the answer is 429. 0 means no limit";
    RequestMs request_ms: u64 = 30_000,
        "milliseconds an HTTP request may take to arrive and be answered; 0 means no limit";
    RequestsPerSPerAddress requests_per_s_per_address: u32 = 200,
        "HTTP requests a second from one address, twice as many at once; above it the answer is 429. \
         Files of the pages do not count, nor do requests with the admin token. 0 means no limit";
    ExemptLoopback exempt_loopback: bool = true,
        "whether addresses of this machine may take any number of what is counted by address";
    Connections connections: usize = 15_000,
        "connections in all; further ones are closed at once";
    Tables tables: usize = 10_000,
        "tables of one game that are not over; the last tenth is kept for organisers and tournaments";
}

impl Limits {
    /// For a server that a tool starts for itself: nobody on it is slowed down.
    pub fn lifted() -> Limits {
        Limits { messages_per_s: 0, bytes_per_s: 0, ..Limits::default() }
    }

    /// How many bytes may come without the end of a message, where it may have so many.
    pub fn endless(&self, longest_message: usize) -> usize {
        self.message_bytes.max(2 * longest_message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who is slowed down looks the limit up: the page has each, in the order of this file.
    #[test]
    fn the_page_of_limits_lists_every_limit() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/limits.md");
        let page = std::fs::read_to_string(page).expect("docs/limits.md");
        let listed: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
        let usual = serde_json::to_value(Limits::default()).expect("plain data");
        let row = |(name, help): &(&str, &str)| format!("| `{name}` | {} | {help} |", usual[name]);
        let rows: Vec<String> = Limits::HELP.iter().map(row).collect();
        assert_eq!(listed, rows, "docs/limits.md should read\n{}", rows.join("\n"));
    }

    #[test]
    fn every_limit_is_a_key_with_a_meaning() {
        let keys = serde_json::to_value(Limits::default()).expect("plain data");
        let keys = keys.as_object().expect("an object");
        assert_eq!(keys.len(), Limit::ALL.len());
        for (limit, (name, help)) in Limit::ALL.iter().zip(Limits::HELP) {
            assert_eq!(limit.name(), *name);
            assert!(keys.contains_key(*name), "{name}");
            assert!(!help.is_empty() && !help.ends_with('.'), "{name}: {help}");
        }
    }
}
