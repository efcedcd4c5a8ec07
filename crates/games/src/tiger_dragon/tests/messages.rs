//! What clients send and receive, as JSON.

use hall::ConnId;
use serde_json::Value;
use trials::stage::Stage;

use crate::tiger_dragon::{Options, TigerDragon};

pub fn stage(options: &Options, seed: u64) -> Stage {
    Stage::of::<TigerDragon>(options, 100, seed)
}

/// Everything received since the last call. Every message must be a JSON object on one line.
pub fn heard(stage: &mut Stage, conn: ConnId) -> Vec<Value> {
    let read = |text: &String| {
        assert!(!text.contains('\n'), "{text}");
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
    };
    stage.heard(conn).iter().map(read).collect()
}

/// Bytes as they come from the network.
pub fn feed(stage: &mut Stage, conn: ConnId, bytes: &[u8]) {
    stage.send(conn, bytes);
    stage.settle();
}

pub fn join(player_id: &str, role: &str) -> String {
    serde_json::json!({"type": "join", "room_id": "r", "player_id": player_id, "role": role})
        .to_string()
}

pub fn action(choice: &str) -> String {
    serde_json::json!({"type": "action", "choice": choice}).to_string()
}

pub const DISCARDS_REQUEST: &str = r#"{"type":"discards_request","room_id":""}"#;
