//! What those who try a hall without sessions ask of it.

use hall::{Answer, Command, ConnId, Event, Input, Name, Output, Reply, Request, Role, TableNo};
use rules::Game;

use super::Stage;

impl<G: Game> Stage<G> {
    /// Says a command to the hall; its answer.
    pub fn command(&mut self, conn: ConnId, command: Command<G>) -> Answer {
        self.handle(Input::Said(conn, command));
        let answer = self.outputs.iter().find_map(|output| match output {
            Output::Answer(_, answer) => Some(answer.clone()),
            _ => None,
        });
        answer.expect("every command has an answer")
    }

    /// A player joins whatever table there is, or this one.
    pub fn join(&mut self, conn: ConnId, name: &str, table: Option<&str>) -> Answer {
        let (table, name) = (table.map(Into::into), Name::from(name));
        self.command(conn, Command::Join { table, name, role: Role::Player, joined_via: None })
    }

    /// Asks as an organiser does.
    pub fn ask(&mut self, request: Request<G>) -> Reply {
        self.handle(Input::Asked(1, request));
        let reply = self.outputs.iter().find_map(|output| match output {
            Output::Reply(_, reply) => Some(reply.clone()),
            _ => None,
        });
        reply.expect("every request has a reply")
    }

    /// Lets so much time pass for the hall, deadline by deadline; the outputs are those of all.
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

    /// Whom the hall would have told what.
    pub fn events(&self) -> impl Iterator<Item = (ConnId, &Event<G>)> {
        self.outputs.iter().flat_map(|output| match output {
            Output::Tell(conn, event) => vec![(*conn, event)],
            Output::Show(conns, event) => conns.iter().map(|conn| (*conn, event)).collect(),
            _ => Vec::new(),
        })
    }

    pub fn table(&self, no: u64) -> &hall::Table<G> {
        self.hall.table(TableNo(no)).expect("a table that the hall knows")
    }
}
