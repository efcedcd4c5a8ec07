//! Tables before play: opening them on request, and keeping one listed.

use std::sync::Arc;

use rules::{Seat, Seed};
use table::{
    BotSeat, ConnId, GameHooks, GameRef, LiveTable, Name, Occasion, Opened, Promise, Refusal,
    Start, TableInfo, TableInput, TableNo,
};

use super::Lobby;
use super::search::{Search, is_joinable};
use crate::desk::Desk;
use crate::organiser::NewTable;

/// The purpose of a table.
pub(super) enum Purpose {
    /// Open to all players.
    House,
    /// Those the organiser has in mind.
    Organiser,
    /// A player's private table.
    Stranger,
    /// A game of a tournament.
    Game(GameRef, Occasion),
}

/// A game of a tournament that is to be played now.
pub(crate) struct NewGame {
    pub table: NewTable,
    pub game: GameRef,
    pub occasion: Occasion,
    /// House bots that play it.
    pub bots: Vec<BotSeat>,
}

impl Lobby {
    /// Opens a table; what the organiser did not choose is made up.
    pub(super) fn open(
        &mut self,
        desk: &mut Desk,
        new: NewTable,
        purpose: Purpose,
    ) -> Result<TableNo, Refusal> {
        let NewTable { terms, id, reserved, seed, bots_at_once: _ } = new;
        let tables = &mut self.whereabouts.tables;
        let for_strangers = matches!(purpose, Purpose::House | Purpose::Stranger);
        desk.premises.check_room(tables.open_count(), for_strangers)?;
        if id.as_ref().is_some_and(|id| tables.named(id).is_some()) {
            return Err(Refusal::IdTaken);
        }
        let no = TableNo(tables.next);
        let id = id.unwrap_or_else(|| tables.make_id(desk, no, &terms.policy.ids));
        let (seed, at) = (seed.unwrap_or_else(|| desk.dice.seed()), desk.now);
        let (house, game_ref, occasion) = match purpose {
            Purpose::House => (true, None, None),
            Purpose::Organiser | Purpose::Stranger => (false, None, None),
            Purpose::Game(game, occasion) => (false, Some(game), Some(occasion)),
        };
        let rules = terms.config.rules();
        let version = rules.version();
        let promise = Some(Promise::new(rules.name(), &id, &seed, desk.salts.seed()));
        let opened = Opened { id, version, terms, seed, reserved, house, game_ref, at, promise };
        let mut said = Vec::new();
        let live = LiveTable::open(at, Arc::new(opened), occasion, &mut said);
        tables.open(desk, no, live, said);
        Ok(no)
    }

    /// Opens the table of a game that is due and seats its house bots and those who wait for it.
    pub fn open_game(&mut self, desk: &mut Desk, new: NewGame) -> Result<TableNo, Refusal> {
        let NewGame { table, game, occasion, bots } = new;
        let (names, tournament) = (table.reserved.clone(), game.tournament);
        let no = self.open(desk, table, Purpose::Game(game, occasion))?;
        self.whereabouts.seat_bots(desk, no, bots);
        for (seat, name) in Seat::all(names.len()).zip(&names) {
            // Else it waits for a table of another tournament, or has a token here.
            if desk.premises.kept(name).is_some_and(|kept| kept.tournament == tournament) {
                self.seat_waiting(desk, (no, seat), name);
            }
        }
        Ok(no)
    }

    /// Keeps a joinable house table listed, where the policy wants that.
    pub fn ensure_open(&mut self, desk: &mut Desk) {
        let tables = &self.whereabouts.tables;
        let search = Search { tables, premises: &desk.premises };
        let wanted = desk.premises.policy().always_open && !desk.premises.is_shutting_down();
        if !wanted || search.has_its_single_table() {
            return;
        }
        // Most inputs leave the table alone that was joinable before.
        if self.joinable.and_then(|no| tables.get(no)).is_some_and(is_joinable) {
            return;
        }
        // A full hall lists nothing new until a table closes; the refusal has no receiver.
        self.joinable = search.joinable().or_else(|| self.open_house_table(desk).ok());
    }

    pub(super) fn open_house_table(&mut self, desk: &mut Desk) -> Result<TableNo, Refusal> {
        let terms = desk.premises.terms().clone();
        let (id, reserved, seed) = (None, Vec::new(), None);
        let new = NewTable { terms, id, reserved, seed, bots_at_once: false };
        self.open(desk, new, Purpose::House)
    }

    /// Opens a private table, and seats its opener and its bots.
    pub fn open_own(
        &mut self,
        desk: &mut Desk,
        conn: ConnId,
        (table, bots): (NewTable, &[Name]),
        (name, joined_via): (Name, Option<Name>),
    ) {
        let opened = self.may_open(desk, conn, (&table, bots), &name);
        match opened.and_then(|()| self.open(desk, table, Purpose::Stranger)) {
            Err(refusal) => desk.refuse(conn, refusal),
            Ok(no) => {
                self.sit(desk, conn, (no, Seat(0)), (name, joined_via), true);
                let mut seated: Vec<BotSeat> = Vec::new();
                for (seat, strategy) in (1..).map(Seat).zip(bots) {
                    // A player may have a bot's name; there are numbers enough.
                    let name =
                        |number| self.whereabouts.name_bot(desk, no, (strategy, number), &seated);
                    let name = (1..).find_map(name);
                    let strategy = strategy.clone();
                    seated.extend(name.map(|name| BotSeat { seat, name, strategy }));
                }
                self.whereabouts.seat_bots(desk, no, seated);
                self.whereabouts.run(desk, no, TableInput::Gathered);
            }
        }
    }

    fn may_open(
        &self,
        desk: &Desk,
        conn: ConnId,
        (table, bots): (&NewTable, &[Name]),
        name: &Name,
    ) -> Result<(), Refusal> {
        self.may_sit(desk, conn)?;
        if desk.premises.kept(name).is_some() {
            return Err(Refusal::NameTaken(name.clone()));
        }
        if bots.len() >= table.terms.policy.seats {
            let (bots, seats) = (bots.len(), table.terms.policy.seats);
            return Err(Refusal::BadTable(format!(
                "{bots} house bots leave you no seat at a table of {seats}"
            )));
        }
        let hooks = self.whereabouts.tables.hooks();
        bots.iter().try_for_each(|bot| check_bot(hooks, bot))?;
        check_table(hooks, table)
    }

    /// Opens a table for an organiser. If its bots fill it, it is there to be watched.
    pub fn open_as_asked(&mut self, desk: &mut Desk, new: NewTable) -> Result<TableInfo, Refusal> {
        check_table(self.whereabouts.tables.hooks(), &new)?;
        let policy = &new.terms.policy;
        let all_bots = new.bots_at_once
            && !policy.house_bots.is_empty()
            && new.reserved.is_empty()
            && policy.house_bots.len() >= policy.seats;
        let no = self.open(desk, new, Purpose::Organiser)?;
        if all_bots {
            self.whereabouts.fill_with_bots(desk, no);
        }
        Ok(self.whereabouts.tables.live(no).info())
    }
}

/// Whether there is a house bot of this strategy.
pub(crate) fn check_bot(hooks: &GameHooks, strategy: &str) -> Result<(), Refusal> {
    let known: Vec<_> = hooks.bots.iter().map(|kind| kind.name).collect();
    match known.contains(&strategy) {
        true => Ok(()),
        false => Err(Refusal::BadTable(format!(
            "no house bot '{strategy}'; there are {}",
            known.join(", ")
        ))),
    }
}

/// Whether a table can be as it is asked for.
pub(super) fn check_table(hooks: &GameHooks, new: &NewTable) -> Result<(), Refusal> {
    let policy = &new.terms.policy;
    if policy.seats < new.reserved.len() {
        let (names, seats) = (new.reserved.len(), policy.seats);
        return Err(Refusal::BadTable(format!("{names} names are too many for {seats} seats")));
    }
    let mut names = new.reserved.clone();
    names.sort();
    names.dedup();
    if names.len() != new.reserved.len() {
        return Err(Refusal::BadTable("a name is reserved twice".to_owned()));
    }
    if let Some(odd) = names.iter().find(|name| !(hooks.is_name)(name)) {
        let why = format!("{odd:?} cannot be a player's name here: {}", hooks.names);
        return Err(Refusal::BadTable(why));
    }
    policy.house_bots.iter().try_for_each(|bot| check_bot(hooks, bot))?;
    let fewest = match policy.start {
        Start::WhenFull { .. } => policy.seats,
        Start::WhenGathered { min, .. } | Start::OnCall { min } => min.min(policy.seats),
    };
    for seats in [fewest, policy.seats] {
        if seats > Seat::MAX {
            return Err(Refusal::BadTable(format!("{seats} seats are too many")));
        }
        if let Err(why) = new.terms.config.setup(seats, Seed::from_number(0)) {
            return Err(Refusal::BadTable(why.to_string()));
        }
    }
    Ok(())
}
