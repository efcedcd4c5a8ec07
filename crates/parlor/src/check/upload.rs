//! Sends the result of an exam to a server's page, on request.

use anyhow::Result;
use serde_json::{Value, json};

use crate::cli::{CheckArgs, read_key};
use crate::servers::{Address, Remote};
use crate::terminal::{Unreadable, output};

/// Where the result is sent, if it is.
pub struct Upload {
    remote: Remote,
    game: String,
}

impl Upload {
    pub fn wanted(args: &CheckArgs) -> Result<Option<Upload>> {
        let Some(address) = &args.upload else { return Ok(None) };
        let Some(key) = read_key(args.key.as_deref(), args.key_file.as_deref())? else {
            let why = "--upload needs the key of your name: pass --key-file FILE";
            return Err(Unreadable(why.to_owned()).into());
        };
        let address = Address::read(address, args.ca.as_deref())?;
        Ok(Some(Upload { remote: Remote::at(address, Some(key)), game: args.game.clone() }))
    }

    pub fn send(self, items: Vec<Value>) -> Result<()> {
        let path = format!("/api/v1/exams/{}", self.game);
        self.remote.post_json(&path, &json!({ "items": items }))?;
        let page = self.remote.address.url("/connect");
        output::note(&format!("The result is on {page} now."));
        Ok(())
    }
}
