//! What a gateway has asked of a hall and heard no answer to: it is said again to whoever owns the
//! hall next.

use std::collections::BTreeMap;

use hall::{Command, ConnId, Input, KeyHash, Reply, Request};
use tokio::sync::oneshot;

use super::super::link::{self, FromGateway, Outgoing};

/// An organiser's request, and who waits for the reply.
type Asked = (Request, oneshot::Sender<Reply>);

#[derive(Default)]
pub struct Unanswered {
    /// The command that each connection has in flight, by its number.
    commands: BTreeMap<ConnId, (u64, Command)>,
    /// Keys that were shown since the hall last said what it knows of a connection.
    keys: BTreeMap<ConnId, KeyHash>,
    requests: BTreeMap<u64, Asked>,
    last_command: u64,
    last_request: u64,
}

impl Unanswered {
    pub fn said(&mut self, conn: ConnId, command: Command) -> FromGateway {
        self.last_command += 1;
        self.commands.insert(conn, (self.last_command, command.clone()));
        FromGateway::Said(conn, self.last_command, command)
    }

    pub fn showed(&mut self, conn: ConnId, key: KeyHash) -> FromGateway {
        self.keys.insert(conn, key.clone());
        FromGateway::Showed(conn, key)
    }

    pub fn asked(&mut self, request: Request, asker: oneshot::Sender<Reply>) -> FromGateway {
        self.last_request += 1;
        self.requests.insert(self.last_request, (request.clone(), asker));
        FromGateway::Asked(self.last_request, request)
    }

    pub fn answered(&mut self, conn: ConnId) {
        self.commands.remove(&conn);
    }

    pub fn replied(&mut self, number: u64, reply: Reply) {
        if let Some((_, asker)) = self.requests.remove(&number) {
            // Whoever asked may have hung up.
            let _ = asker.send(reply);
        }
    }

    /// The hall has said which key it knows of a connection.
    pub fn knows_key_of(&mut self, conn: ConnId, key: Option<&KeyHash>) {
        if self.keys.get(&conn) == key {
            self.keys.remove(&conn);
        }
    }

    /// A connection is gone.
    pub fn forget(&mut self, conn: ConnId) {
        self.commands.remove(&conn);
        self.keys.remove(&conn);
    }

    /// Those who wait for an answer.
    pub fn asking(&self) -> impl Iterator<Item = ConnId> {
        self.commands.keys().chain(self.keys.keys()).copied()
    }

    /// Says everything again, in the order in which it was said.
    pub fn say_again(&self, outgoing: &Outgoing) {
        for (conn, key) in &self.keys {
            outgoing.put(&link::frame(&FromGateway::Showed(*conn, key.clone())));
        }
        let mut commands: Vec<_> = self.commands.iter().collect();
        commands.sort_by_key(|(_, (number, _))| *number);
        for (conn, (number, command)) in commands {
            outgoing.put(&link::frame(&FromGateway::Said(*conn, *number, command.clone())));
        }
        for (number, (request, _)) in &self.requests {
            outgoing.put(&link::frame(&FromGateway::Asked(*number, request.clone())));
        }
    }

    /// Everything, in that order, for a hall that is here; and what organisers have asked.
    pub fn take(&mut self) -> (Vec<Input>, Vec<Asked>) {
        let keys = std::mem::take(&mut self.keys).into_iter();
        let mut inputs: Vec<_> = keys.map(|(conn, key)| Input::Showed(conn, key)).collect();
        let mut commands: Vec<_> = std::mem::take(&mut self.commands).into_iter().collect();
        commands.sort_by_key(|(_, (number, _))| *number);
        inputs.extend(commands.into_iter().map(|(conn, (_, said))| Input::Said(conn, said)));
        (inputs, std::mem::take(&mut self.requests).into_values().collect())
    }
}
