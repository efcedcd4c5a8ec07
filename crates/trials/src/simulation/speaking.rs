//! The messages of simulated clients: mostly sensible ones, sometimes not.

use hall::{CALLS, Command, ConnId, Credential, HOUSE_WIRE, Input, Name, Names, Role};
use rules::Exit;

use super::Simulation;

impl Simulation {
    pub(super) fn any_client(&mut self) -> Option<ConnId> {
        let conns: Vec<ConnId> = self.clients.keys().copied().collect();
        (!conns.is_empty()).then(|| *self.dice.pick(&conns))
    }

    pub(super) fn any_name(&mut self) -> Name {
        format!("p{}", self.dice.below(12)).into()
    }

    fn any_table(&mut self) -> Option<Name> {
        let ids: Vec<Name> =
            self.hall.tables().map(|(_, table)| table.opened().id.clone()).collect();
        match self.dice.below(10) {
            0 => Some("nowhere".into()),
            1..=4 if !ids.is_empty() => Some(self.dice.pick(&ids).clone()),
            _ => None,
        }
    }

    pub(super) fn speak(&mut self) {
        let Some(conn) = self.any_client() else { return };
        let client = &self.clients[&conn];
        let needs_name = self.terms.policy.names == Names::UniqueInHall && client.entered.is_none();
        let seated = client.seat.is_some();
        let command = match self.dice.below(100) {
            0..=69 if seated => self.any_move(conn),
            0..=69 if needs_name && self.dice.one_in(2) => Command::Enter { name: self.any_name() },
            0..=69 if needs_name => Command::Resume(Credential::Name(self.any_name())),
            0..=69 => self.any_join(conn, Role::Player),
            70..=72 => self.any_join(conn, Role::Spectator),
            73..=74 => self.any_join(conn, Role::Follower),
            75..=76 => self.any_join(conn, Role::Organiser),
            77..=84 => Command::Ready,
            85..=89 => Command::Start,
            90..=93 => match self.dice.below(self.tokens.len() + 2) {
                0 => Command::Resume(Credential::Token("stolen".to_owned())),
                1 => Command::Resume(Credential::Name(self.any_name())),
                token => Command::Resume(Credential::Token(self.tokens[token - 2].clone())),
            },
            94 => Command::Leave,
            95 => Command::Part(Exit::Disqualified("shouting".to_owned())),
            96 => Command::Enter { name: self.any_name() },
            97 => Command::History { from: self.dice.below(4) as u64 },
            _ => Command::List { only: self.any_table() },
        };
        self.input(Input::Said(conn, command));
    }

    fn any_join(&mut self, conn: ConnId, role: Role) -> Command {
        let entered = self.clients[&conn].entered.clone();
        let name = entered.unwrap_or_else(|| self.any_name());
        let ways = [None, None, None, Some("loud"), Some(HOUSE_WIRE), Some(CALLS)];
        let joined_via = self.dice.pick(&ways).map(Name::from);
        Command::Join { table: self.any_table(), name, role, joined_via }
    }

    /// Mostly a legal move; sometimes an old one, a repeated one, or one of another table.
    fn any_move(&mut self, conn: ConnId) -> Command {
        let client = &self.clients[&conn];
        let seat = client.seat.expect("asked of a seated client");
        let table = self
            .hall
            .tables()
            .map(|(_, table)| table)
            .find(|t| Some(&t.opened().id) == client.table.as_ref());
        let game = table.and_then(|table| table.game()).filter(|game| game.to_act().contains(seat));
        let seq = match self.dice.below(20) {
            0 => client.seq.wrapping_sub(1),
            1 => client.seq + 1,
            _ => table.map_or(0, |table| table.seq()),
        };
        let honest = game.map(|game| game.sample(seat, &mut self.dice));
        let lie = (!self.actions.is_empty()).then(|| self.dice.pick(&self.actions).clone());
        match (honest, lie) {
            (Some(action), lie) if lie.is_none() || !self.dice.one_in(8) => {
                self.actions.push(action.clone());
                Command::Act { seq, action }
            }
            (_, Some(action)) => Command::Act { seq, action },
            _ => Command::Ready,
        }
    }
}
