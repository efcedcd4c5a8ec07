//! The Model Context Protocol on standard input and output, for clients that start a program: every
//! message is handed on to a server's `/mcp`, and what that answers is printed.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, ErrorKind, Write, stdin, stdout};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use ureq::Agent;

use crate::cli::{McpArgs, RemoteArgs, read_key};
use crate::servers::{Address, Remote};

/// Passes messages on until the client closes the input.
pub fn run(args: &McpArgs) -> Result<()> {
    let (url, data, ca) = (args.url.clone(), args.data.clone(), args.ca.clone());
    let Remote { address, .. } = Remote::find(&RemoteArgs { url, data, token: None, ca })?;
    let key = match &args.key_file {
        Some(file) => read_key(None, Some(file))?,
        None => args.key.clone(),
    };
    let client = Arc::new(Client::of(address, key));
    for line in stdin().lock().lines() {
        let line = line.context("the input cannot be read")?;
        if line.trim().is_empty() {
            continue;
        }
        let client = client.clone();
        // A call may wait for its turn while others are made. Nothing waits for these threads: when
        // the client is gone, no one reads their answers.
        std::thread::spawn(move || client.hand_on(&line));
    }
    Ok(())
}

/// The client on this side, and the server on the other.
struct Client {
    address: Address,
    agent: Agent,
    key: Option<String>,
    told: Mutex<SessionState>,
}

#[derive(Default)]
struct SessionState {
    /// The protocol's revision that both have agreed upon.
    version: Option<String>,
    /// Requests whose answers are not wanted any more.
    cancelled: HashSet<String>,
}

/// Attempts to reach a server that is being restarted.
const TRIES: u32 = 40;
const BETWEEN_TRIES: Duration = Duration::from_millis(250);

impl Client {
    fn of(address: Address, key: Option<String>) -> Client {
        Client { agent: address.agent(), address, key, told: Mutex::default() }
    }

    fn hand_on(&self, line: &str) {
        let message: Value = match serde_json::from_str(line) {
            Ok(message) => message,
            Err(error) => {
                let error =
                    json!({"code": -32700, "message": format!("this is not JSON: {error}")});
                return self.print(&json!({"jsonrpc": "2.0", "id": null, "error": error}));
            }
        };
        if message["method"] == "notifications/cancelled" {
            self.told().cancelled.insert(message["params"]["requestId"].to_string());
        }
        if let Err(error) = self.ask(&message)
            && message.get("id").is_some()
        {
            self.print(&unanswered(&message, &format!("{error:#}")));
        }
    }

    /// Asks the server, and prints whatever it answers.
    fn ask(&self, message: &Value) -> Result<()> {
        let mut response = self.send(message)?;
        let is_stream = response
            .headers()
            .get("content-type")
            .is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
        let status = response.status();
        let mut body = BufReader::new(response.body_mut().as_reader());
        if is_stream {
            for line in body.lines() {
                let line = line.context("the answer was cut off")?;
                // Other lines keep the connection alive.
                if let Some(text) =
                    line.strip_prefix("data:").filter(|text| !text.trim().is_empty())
                {
                    self.answered(message, text)?;
                }
            }
            return Ok(());
        }
        let mut text = String::new();
        std::io::Read::read_to_string(&mut body, &mut text).context("the answer was cut off")?;
        match text.trim() {
            "" if status.is_success() => Ok(()),
            text => self.answered(message, text),
        }
    }

    fn send(&self, message: &Value) -> Result<ureq::http::Response<ureq::Body>> {
        let url = self.address.url("/mcp");
        for left in (0..TRIES).rev() {
            let request = self.agent.post(&url);
            let mut request = request
                .header("Accept", "application/json, text/event-stream")
                .header("Content-Type", "application/json");
            for (name, value) in self.headers(message) {
                request = request.header(name, value);
            }
            let request = request.config().http_status_as_error(false).build();
            match request.send(message.to_string()) {
                // The client does not know it yet.
                Err(ureq::Error::Io(error))
                    if error.kind() == ErrorKind::ConnectionRefused && left > 0 =>
                {
                    std::thread::sleep(BETWEEN_TRIES);
                }
                sent => return sent.with_context(|| format!("no answer from {}", self.address)),
            }
        }
        unreachable!("the last try returns")
    }

    /// What the protocol wants to see outside of the message.
    fn headers(&self, message: &Value) -> Vec<(&'static str, String)> {
        let mut headers = Vec::new();
        if let Some(key) = &self.key {
            headers.push(("Authorization", format!("Bearer {key}")));
        }
        let own = &message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
        let agreed = || self.told().version.clone();
        if let Some(version) = own.as_str().map(str::to_owned).or_else(agreed) {
            headers.push(("MCP-Protocol-Version", version));
        }
        let is_plain = |text: &&str| text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        let names = [&message["params"]["name"], &message["params"]["uri"]];
        let name = names.iter().find_map(|name| name.as_str()).filter(is_plain);
        for (header, value) in [("Mcp-Method", message["method"].as_str()), ("Mcp-Name", name)] {
            if let Some(value) = value.filter(is_plain) {
                headers.push((header, value.to_owned()));
            }
        }
        headers
    }

    fn answered(&self, message: &Value, text: &str) -> Result<()> {
        let answer: Value = serde_json::from_str(text)
            .with_context(|| format!("the server at {} answers {text}", self.address))?;
        if answer.get("jsonrpc").is_none() {
            let why = answer["error"].as_str().unwrap_or(text);
            anyhow::bail!("the server at {} refuses: {why}", self.address);
        }
        if message["method"] == "initialize" {
            let version = answer["result"]["protocolVersion"].as_str();
            self.told().version = version.map(str::to_owned);
        }
        if !self.told().cancelled.remove(&answer["id"].to_string()) {
            self.print(&answer);
        }
        Ok(())
    }

    fn print(&self, message: &Value) {
        // A client that does not read any more is gone.
        let _ = writeln!(stdout().lock(), "{message}");
    }

    fn told(&self) -> std::sync::MutexGuard<'_, SessionState> {
        self.told.lock().expect("no holder of this lock panics")
    }
}

/// The message for the client when the server does not answer. The model reads it if it has called
/// a tool.
fn unanswered(message: &Value, why: &str) -> Value {
    let id = &message["id"];
    if message["method"] == "tools/call" {
        let text = format!("Refused: {why}.\nYour seat is kept. Call again in a few seconds.");
        let result = json!({"content": [{"type": "text", "text": text}], "isError": true});
        return json!({"jsonrpc": "2.0", "id": id, "result": result});
    }
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32000, "message": why}})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client() -> Client {
        Client::of(Address::read("127.0.0.1:1", None).expect("an address"), None)
    }

    #[test]
    fn headers_say_what_the_message_says() {
        let call = json!({"method": "tools/call", "params": {"name": "look", "_meta":
            {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}});
        let heard = client().headers(&call);
        let version = ("MCP-Protocol-Version", "2026-07-28".to_owned());
        let method = ("Mcp-Method", "tools/call".to_owned());
        assert_eq!(heard, [version, method, ("Mcp-Name", "look".to_owned())]);
    }

    #[test]
    fn a_model_reads_why_its_call_failed() {
        let told = unanswered(&json!({"id": 3, "method": "tools/call"}), "no answer");
        assert_eq!((&told["id"], &told["result"]["isError"]), (&json!(3), &json!(true)));
        let told = unanswered(&json!({"id": 4, "method": "tools/list"}), "no answer");
        assert_eq!(told["error"]["message"], "no answer");
    }
}
