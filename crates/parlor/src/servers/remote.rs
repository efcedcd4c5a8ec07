//! A server that runs somewhere, asked over HTTP.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use ureq::Agent;

use super::address::Address;
use super::operator_socket;
use crate::cli::RemoteArgs;
use crate::terminal::Advice;

/// The server has understood, and says no.
#[derive(Debug)]
pub struct Refused {
    status: u16,
    why: String,
}

impl Refused {
    /// Whether what was asked for is not there.
    pub fn is_missing(error: &anyhow::Error) -> bool {
        error.downcast_ref().is_some_and(|refused: &Refused| refused.status == 404)
    }

    /// Whether it comes too late: what was asked about is over.
    pub fn is_conflict(error: &anyhow::Error) -> bool {
        error.downcast_ref().is_some_and(|refused: &Refused| refused.status == 409)
    }
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.status {
            // The server's advice is for those who speak HTTP to it.
            401 => write!(f, "this needs the admin token: set PARLOR_TOKEN or pass --data"),
            403 => write!(f, "{}: set PARLOR_TOKEN to another one, or pass --data", self.why),
            _ => f.write_str(&self.why),
        }
    }
}

impl std::error::Error for Refused {}

fn read_in(data: &Path, name: &str) -> Result<String> {
    let place = data.join(name);
    let text = std::fs::read_to_string(&place);
    text.with_context(|| format!("{} cannot be read", place.display()))
}

/// The admin token of the server of a data folder.
fn token_in(data: &Path) -> Result<String> {
    Ok(read_in(data, "admin-token")?.trim().to_owned())
}

#[derive(Clone, Debug)]
pub struct Remote {
    /// Where its HTTP is.
    pub address: Address,
    pub token: Option<String>,
    agent: Agent,
}

impl Remote {
    pub fn at(address: Address, token: Option<String>) -> Remote {
        let agent = address.agent();
        Remote { address, token, agent }
    }

    /// The server that was named, else the one of the data folder, else the usual place.
    pub fn find(args: &RemoteArgs) -> Result<Remote> {
        let names_folder = args.data != Path::new(crate::cli::DATA);
        if names_folder && !args.data.exists() {
            bail!("there is no folder {}", args.data.display());
        }
        if let Some(url) = &args.url {
            // A folder named together with the address holds the token for it. The default folder
            // belongs to another server, and others must not see its token.
            let used_anyway = std::env::var_os("PARLOR_DATA");
            let is_meant = names_folder && used_anyway.as_deref() != Some(args.data.as_os_str());
            let token = match (&args.token, is_meant) {
                (None, true) => Some(token_in(&args.data)?),
                (token, _) => token.clone(),
            };
            return Ok(Remote::at(Address::read(url, args.ca.as_deref())?, token));
        }
        let mut remote = match Remote::of_folder(&args.data) {
            Ok(remote) => remote,
            Err(_) => Remote::at(Address::read(&usual_address(), None)?, None),
        };
        if args.token.is_some() {
            remote.token.clone_from(&args.token);
        }
        Ok(remote)
    }

    /// The server that runs, or ran last, on a data folder. It is asked through the folder if it
    /// answers there, because its ports may have no room.
    pub fn of_folder(data: &Path) -> Result<Remote> {
        let agent = operator_socket::agent(data);
        let address = match read_in(data, "http-address") {
            Err(_) if agent.is_some() => usual_address(),
            address => address?,
        };
        let address = address.trim().replace("0.0.0.0", "127.0.0.1").replace("[::]", "[::1]");
        let address = Address::read(&address, None)?;
        let token = Some(token_in(data)?);
        let agent = agent.unwrap_or_else(|| address.agent());
        Ok(Remote { address, token, agent })
    }

    pub fn get(&self, path: &str) -> Result<Value> {
        let request = self.shown(self.agent.get(self.url(path)));
        self.read(request.config().http_status_as_error(false).build().call())
    }

    /// Every entry of a list that comes in pages, which are asked for one after the other.
    pub fn get_all(&self, path: &str, list: &str) -> Result<Vec<Value>> {
        let joint = if path.contains('?') { '&' } else { '?' };
        let mut all = Vec::new();
        let mut after = String::new();
        loop {
            let mut page = self.get(&format!("{path}{joint}limit=1000{after}"))?;
            match page[list].take() {
                Value::Array(entries) => all.extend(entries),
                _ => bail!("the server at {} gives no list of {list}", self.address),
            }
            match page["next"].as_str() {
                Some(next) => after = format!("&after={next}"),
                None => return Ok(all),
            }
        }
    }

    /// As [`get`](Remote::get), but what is not there is none.
    pub fn look_up(&self, path: &str) -> Result<Option<Value>> {
        match self.get(path) {
            Err(error) if Refused::is_missing(&error) => Ok(None),
            answer => answer.map(Some),
        }
    }

    /// A page that is not JSON.
    pub fn get_text(&self, path: &str) -> Result<String> {
        let request = self.agent.get(self.url(path)).config().http_status_as_error(false).build();
        let mut response = request.call().map_err(|error| self.no_answer(error))?;
        if !response.status().is_success() {
            return Err(self.read(Ok(response)).expect_err("no success"));
        }
        // Replays of long games are longer than the client usually reads.
        Ok(response.body_mut().with_config().limit(u64::MAX).read_to_string()?)
    }

    /// Asks for something that needs the token.
    pub fn post(&self, path: &str) -> Result<Value> {
        let request = self.shown(self.agent.post(self.url(path)));
        self.read(request.config().http_status_as_error(false).build().send_empty())
    }

    pub fn post_json(&self, path: &str, body: &Value) -> Result<Value> {
        let request = self.shown(self.agent.post(self.url(path)));
        self.read(request.config().http_status_as_error(false).build().send_json(body))
    }

    pub fn put_json(&self, path: &str, body: &Value) -> Result<Value> {
        let request = self.shown(self.agent.put(self.url(path)));
        self.read(request.config().http_status_as_error(false).build().send_json(body))
    }

    /// Every player's strength, as the server knows it.
    pub fn ratings(&self, game: &str) -> Result<Vec<Value>> {
        let ratings = self.get(&format!("/api/v1/ratings/{}", escaped(game)))?;
        ratings.as_array().cloned().context("the server does not list its ratings")
    }

    pub fn delete(&self, path: &str) -> Result<Value> {
        let request = self.shown(self.agent.delete(self.url(path)));
        self.read(request.config().http_status_as_error(false).build().call())
    }

    fn url(&self, path: &str) -> String {
        self.address.url(path)
    }

    /// With the token, if there is one: an empty token would be a wrong one.
    fn shown<B>(&self, request: ureq::RequestBuilder<B>) -> ureq::RequestBuilder<B> {
        match &self.token {
            Some(token) => request.header("Authorization", format!("Bearer {token}")),
            None => request,
        }
    }

    fn read(&self, answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Result<Value> {
        let mut response = answer.map_err(|error| self.no_answer(error))?;
        let body: Value = response
            .body_mut()
            .read_json()
            .with_context(|| format!("what answers at {} is not a Parlor server", self.address))?;
        if response.status().is_success() {
            return Ok(body);
        }
        let why = body["error"].as_str().map(str::to_owned);
        let why = why.unwrap_or_else(|| format!("the server answered {body}"));
        Err(Refused { status: response.status().as_u16(), why }.into())
    }

    /// Why nothing answers, and what to do about it.
    pub fn no_answer(&self, error: impl Into<anyhow::Error>) -> anyhow::Error {
        let error = error.into();
        if format!("{error:#}").contains("invalid peer certificate") {
            let advice = "Pass --ca FILE with the server's certificate if it has made its own.";
            let error =
                error.context(format!("{} has a certificate that is not trusted", self.address));
            return error.context(Advice(advice.to_owned()));
        }
        let advice = "Start one with 'parlor serve', or name its HTTP port with --url HOST:PORT. \
                      A server with http=off is asked with --data DIR.";
        let error = error.context(format!("no server answers at {}", self.address));
        error.context(Advice(advice.to_owned()))
    }
}

/// A word as a part of a path.
pub fn escaped(text: &str) -> String {
    let keep = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    text.bytes()
        .map(|byte| if keep(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// The default address of HTTP.
fn usual_address() -> String {
    let (_, port) = wire::HTTP_PORT;
    format!("127.0.0.1:{port}")
}
