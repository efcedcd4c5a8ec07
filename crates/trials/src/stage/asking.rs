//! Queries for tests that drive a hall without sessions.

use hall::{Answer, Command, ConnId, Event, Input, Name, Output, Reply, Request, Role, TableNo};

use super::Stage;

impl Stage {
    /// Says a command to the hall; its answer.
    pub fn command(&mut self, conn: ConnId, command: Command) -> Answer {
        self.handle(Input::Said(conn, command));
        let answer = self.outputs.iter().find_map(Output::answer);
        answer.map(|(_, answer)| answer).expect("every command has an answer")
    }

    /// A player joins whatever table there is, or this one.
    pub fn join(&mut self, conn: ConnId, name: &str, table: Option<&str>) -> Answer {
        let (table, name) = (table.map(Into::into), Name::from(name));
        self.command(conn, Command::Join { table, name, role: Role::Player, joined_via: None })
    }

    /// Asks as an organiser does.
    pub fn ask(&mut self, request: Request) -> Reply {
        self.handle(Input::Asked(1, request));
        let reply = self.outputs.iter().find_map(|output| match output {
            Output::Reply(_, reply) => Some(reply.clone()),
            _ => None,
        });
        reply.expect("every request has a reply")
    }

    /// Advances the hall's clock, deadline by deadline, and collects the outputs of all.
    pub fn pass(&mut self, ms: u64) {
        let until = self.now + ms;
        let mut all = Vec::new();
        while let Some(deadline) = self.hall.deadline().filter(|deadline| *deadline <= until) {
            self.now = self.now.max(deadline);
            self.handle(Input::Tick);
            all.append(&mut self.outputs);
        }
        self.now = until;
        self.outputs = all;
    }

    /// The events the hall would have sent, by connection.
    pub fn events(&self) -> impl Iterator<Item = (ConnId, Event)> {
        self.outputs.iter().flat_map(Output::events)
    }

    pub fn table(&self, no: u64) -> &hall::Table {
        self.hall.table(TableNo(no)).expect("a table that the hall knows")
    }
}
