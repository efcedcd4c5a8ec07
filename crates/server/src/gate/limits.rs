//! Every limit there is: one table. docs/reference/limits.md is this table, `GET /api/v1/limits` says it, and
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
        "Messages per second from one connection, with bursts of twice that. Beyond it the \
         server delays reading. Accepted moves do not count; an empty or continuing WebSocket \
         frame counts as a message. 0 means no limit";
    BytesPerS bytes_per_s: u32 = 256 * 1024,
        "Bytes per second from one connection, WebSocket frame headers included, with bursts of \
         twice that. Beyond it the server delays reading. 0 means no limit";
    MessageBytes message_bytes: usize = 64 * 1024,
        "Longest unfinished message, in bytes. A longer one closes the connection. Each \
         protocol also has its own longest message";
    OutboundBytes outbound_bytes: usize = 1 << 20,
        "Bytes waiting for a client that does not read. More than this closes the connection";
    StallMs stall_ms: u64 = 30_000,
        "Milliseconds a client may read nothing while data waits for it; then the connection is \
         closed. Applies to players, watchers and HTTP answers. 0 means no limit";
    FirstMessageMs first_message_ms: u64 = 60_000,
        "Milliseconds a new connection may stay silent, unless its protocol allows less. 0 \
         means no limit";
    IdleMs idle_ms: u64 = 900_000,
        "Idle timeout in milliseconds for clients that are not playing, watching or waiting for \
         a table. 0 means no limit";
    PingMs ping_ms: u64 = 20_000,
        "Milliseconds of silence before the server pings a WebSocket client. Two unanswered \
         pings in a row close the connection. 0 means never";
    ConnectionsPerAddress connections_per_address: usize = 256,
        "Connections from one address. More are closed at once";
    ConnectionsPerNetwork56 connections_per_network_56: usize = 1024,
        "Connections from one IPv6 /56 network. More are closed at once";
    ConnectionsPerNetwork48 connections_per_network_48: usize = 4096,
        "Connections from one IPv6 /48 network. More are closed at once";
    ConnectsPerSPerAddress connects_per_s_per_address: u32 = 100,
        "New connections per second from one address, with bursts of twice that. More are \
         closed at once. 0 means no limit";
    MessagesPerSPerAddress messages_per_s_per_address: u32 = 2000,
        "Messages per second from one address, with bursts of twice that. Beyond it the server \
         delays reading. 0 means no limit";
    SeatsPerAddress seats_per_address: usize = 128,
        "Seats that clients of one address hold at the same time, house bots at their own \
         tables included. More are refused";
    OwnTableSeats own_table_seats: usize = 16,
        "Seats of a table that a player opens. Only organisers open larger ones. 0 means no \
         limit";
    TablesPerMinPerAddress tables_per_min_per_address: u32 = 60,
        "Tables per minute at which clients of one address sit down first. A finished game \
         without house bots does not count. 0 means no limit";
    RecordsPerMinPerAddress records_per_min_per_address: u32 = 200_000,
        "Moves and other events stored per minute for tables at which clients of one address \
         sat down first, about 150 bytes each. Beyond it they cannot open another table. 0 \
         means no limit";
    OpenGamesPerMin open_games_per_min: u32 = 10,
        "Open games per minute that one program plays, with bursts of twice that. Beyond it its \
         next game starts later. Tournament games and tables with a person do not count. 0 \
         means no limit";
    EntriesPerHPerAddress entries_per_h_per_address: u32 = 64,
        "Tournament entries per hour by clients of one address. 0 means no limit";
    ClaimsPerHPerAddress claims_per_h_per_address: u32 = 256,
        "Name changes (claim, rotate, revoke, version) per hour by clients of one address. \
         Beyond it the answer is 429. 0 means no limit";
    ClaimsPerDayPerAddress claims_per_day_per_address: u32 = 64,
        "New names per day that clients of one address claim. Beyond it the answer is 429. 0 \
         means no limit";
    NameAgeH name_age_h: u64 = 24,
        "Hours until a claimed name has its own limits, apart from its address, provided a game \
         was finished under it by then. 0 means at once";
    RequestMs request_ms: u64 = 30_000,
        "Milliseconds an HTTP request may take to arrive and be answered. 0 means no limit";
    RequestsPerSPerAddress requests_per_s_per_address: u32 = 200,
        "HTTP requests per second from one address, with bursts of twice that. Beyond it the \
         answer is 429. A long answer counts as several requests. Page files and requests with \
         a token for `operate` do not count. 0 means no limit";
    Replays replays: usize = 2,
        "Long jobs for readers that run at the same time: replays, ratings, result lists. \
         Others wait. 0 means no limit";
    AnswerMb answer_mb: usize = 256,
        "Megabytes of memory for long HTTP answers that clients have not read to the end; one \
         address gets an eighth. Other answers wait. 0 means no limit";
    ExemptLoopback exempt_loopback: bool = true,
        "Whether programs on this machine are free of the limits per address. The default is \
         false if `--bind` is not a loopback address";
    Connections connections: usize = 15_000,
        "Connections in total. More are closed at once. The last tenth is reserved for \
         addresses with fewer than eight";
    Tables tables: usize = 10_000,
        "Unfinished tables of one game. The last tenth is reserved for organisers and \
         tournaments";
}

impl Limits {
    /// For a server that a tool starts for itself: nobody on it is slowed down.
    pub fn lifted() -> Limits {
        Limits { messages_per_s: 0, bytes_per_s: 0, open_games_per_min: 0, ..Limits::default() }
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
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/limits.md");
        let page = std::fs::read_to_string(page).expect("docs/reference/limits.md");
        let listed: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
        let usual = serde_json::to_value(Limits::default()).expect("plain data");
        let row = |(name, help): &(&str, &str)| format!("| `{name}` | {} | {help} |", usual[name]);
        let rows: Vec<String> = Limits::HELP.iter().map(row).collect();
        assert_eq!(listed, rows, "docs/reference/limits.md should read\n{}", rows.join("\n"));
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
