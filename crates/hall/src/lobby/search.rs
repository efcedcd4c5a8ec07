//! Finds a table and a seat for a name.

use rules::Seat;
use table::{
    Chair, ConnId, LiveTable, Name, Names, Phase, Refusal, Table, TableNo, WayBack, is_via_house,
};

use crate::premises::Premises;
use crate::tables::Tables;

/// An entrant who plays under its name alone, as it comes to the hall.
pub(crate) enum Expected {
    /// Another connection uses the name, and keeps it.
    Here,
    Now((TableNo, Seat)),
    /// When its table is due.
    Later,
}

/// Finds room. It changes nothing.
pub(crate) struct Search<'a> {
    pub tables: &'a Tables,
    pub premises: &'a Premises,
}

impl Search<'_> {
    /// The table for a name. None: the house may open one.
    pub fn table(&self, table: Option<Name>, name: &Name) -> Result<Option<TableNo>, Refusal> {
        let reserved = || self.reserved(name);
        if let Some(id) = table {
            let no = self.tables.named(&id).ok_or(Refusal::NoSuchTable)?;
            return Ok(Some(reserved().filter(|_| self.is_for_anybody(Some(&id))).unwrap_or(no)));
        }
        if let Some(no) = self.table_of_absent(name).or_else(reserved) {
            return Ok(Some(no));
        }
        let suitable = self.tables.gathering().find(|(_, live)| suits_newcomer(live));
        match suitable.map(|(no, _)| no) {
            None if self.has_its_single_table() => Err(Refusal::TableFull),
            found => Ok(found),
        }
    }

    /// The server's tables are for any player, and so is an id without a table: a player expected
    /// elsewhere is moved there.
    pub fn is_for_anybody(&self, table: Option<&Name>) -> bool {
        let named = table.and_then(|id| self.tables.named(id));
        named.is_none_or(|no| self.tables.live(no).table().opened().house)
    }

    /// Whether the policy wants one table and that has begun or still may.
    pub fn has_its_single_table(&self) -> bool {
        self.premises.policy().single_table && self.tables.has_house_table()
    }

    /// A table of the server that any player can join.
    pub fn joinable(&self) -> Option<TableNo> {
        self.tables.gathering().find(|(_, live)| is_joinable(live)).map(|(no, _)| no)
    }

    /// Whether a seat is kept for this name, and the name alone does not open it: its entrant has a
    /// token, or plays no more.
    fn is_closed_to(&self, table: &Table, name: &str) -> bool {
        let kept = self.premises.kept(name).map(|kept| kept.tournament);
        let game = table.opened().game_ref.as_ref();
        game.is_some_and(|game| table.own_seat(name).is_some() && kept != Some(game.tournament))
    }

    /// A gathering table that keeps a seat for this name.
    fn reserved(&self, name: &Name) -> Option<TableNo> {
        let expects =
            |live: &LiveTable| live.table().awaits(name) && !self.is_closed_to(live.table(), name);
        self.tables.gathering().find(|(_, live)| expects(live)).map(|(no, _)| no)
    }

    /// Where names allow reconnecting and no seat is empty for this one: a seat in play that
    /// another connection holds under the name. For the name's owner, also one at a gathering
    /// table.
    pub fn rival(&self, name: &Name, owned: bool) -> Option<(TableNo, Seat, ConnId)> {
        let by_name = self.premises.policy().way_back == WayBack::Name;
        if !by_name
            || self.premises.are_names_unique()
            || self.table_of_absent(name).is_some()
            || self.reserved(name).is_some()
        {
            return None;
        }
        self.tables.open_to(name).find_map(|(no, live)| {
            let open = live.phase() == Phase::Playing || owned && live.phase() == Phase::Gathering;
            let mut seats = live.table().seated().filter(|(seat, chair)| {
                chair.name == *name && !chair.retired && live.hold(*seat).opens_by_name()
            });
            let (seat, _) =
                seats.next().filter(|_| open && !self.is_closed_to(live.table(), name))?;
            Some((no, seat, *live.conns_of(seat).first()?))
        })
    }

    /// Where names allow reconnecting, the table at which this player's seat is empty.
    fn table_of_absent(&self, name: &Name) -> Option<TableNo> {
        let by_name = self.premises.policy().way_back == WayBack::Name;
        if !by_name || self.premises.are_names_unique() {
            return None;
        }
        let returns = |live: &LiveTable| {
            live.phase() != Phase::Closed
                && live.absent_seat(name).is_some_and(|seat| live.hold(seat).opens_by_name())
                && !self.is_closed_to(live.table(), name)
        };
        self.tables.open_to(name).find(|(_, live)| returns(live)).map(|(no, _)| no)
    }

    /// The seat for a name at a table.
    pub fn seat(
        &self,
        no: TableNo,
        name: &Name,
        joined_via: &Option<Name>,
    ) -> Result<Seat, Refusal> {
        let live = self.tables.live(no);
        let table = live.table();
        match live.phase() {
            Phase::Closed => return Err(Refusal::AlreadyOver),
            Phase::Playing => {
                let returns =
                    live.policy().way_back == WayBack::Name && live.policy().names == Names::Free;
                let by_name = returns && !self.is_closed_to(table, name);
                let seat = live
                    .absent_seat(name)
                    .filter(|seat| by_name && live.hold(*seat).opens_by_name());
                return seat.ok_or(Refusal::AlreadyStarted);
            }
            Phase::Gathering => {}
        }
        if self.is_closed_to(table, name) {
            return Err(Refusal::TableFull);
        }
        if table.own_seat(name).is_some_and(|seat| table.crashed().contains(seat)) {
            return Err(Refusal::AlreadyStarted);
        }
        // Bot authors restart constantly: a player takes its own empty chair over.
        if let Some(seat) = live.absent_seat(name) {
            return Ok(seat);
        }
        if let Some(why) = self.premises.barred().filter(|_| !table.awaits(name)) {
            return Err(why.clone());
        }
        if table.is_full() || (table.open_seats() == 0 && !table.awaits(name)) {
            return Err(Refusal::TableFull);
        }
        if table.seated().any(|(_, chair)| is_rival(live, chair, name, joined_via)) {
            return Err(Refusal::NameTaken(name.clone()));
        }
        let seat = table.own_seat(name).or_else(|| table.free_seats().next());
        Ok(seat.expect("the table is not full"))
    }

    /// Where an entrant without a token is expected, by the name used at tables: at a tournament's
    /// table, or at none yet.
    pub fn expected(&self, name: &str, tables: impl Iterator<Item = TableNo>) -> Expected {
        for no in tables {
            let live = self.tables.live(no);
            let Some(seat) = live.table().own_seat(name) else { continue };
            let retired = live.table().chair(seat).is_some_and(|chair| chair.retired)
                || live.table().crashed().contains(seat);
            return match live.is_away(seat) {
                false => Expected::Here,
                true if retired => Expected::Later,
                true => Expected::Now((no, seat)),
            };
        }
        Expected::Later
    }
}

/// Whether any player can join a table of the server.
pub(super) fn is_joinable(live: &LiveTable) -> bool {
    let table = live.table();
    table.phase() == Phase::Gathering && table.opened().house && table.open_seats() > 0
}

/// Newcomers are matched with a connected player, not with an empty chair.
fn suits_newcomer(live: &LiveTable) -> bool {
    let table = live.table();
    let here = |(seat, _): (Seat, &Chair)| !live.is_away(seat);
    table.opened().house && table.open_seats() > 0 && table.seated().all(here)
}

/// Whether a member of a table prevents another player of this name from sitting down.
fn is_rival(live: &LiveTable, chair: &Chair, name: &Name, joined_via: &Option<Name>) -> bool {
    let names = live.policy().names;
    let via_house = is_via_house(joined_via.as_deref());
    let compared = names != Names::UniqueByJoining
        || (joined_via.is_some() && chair.joined_via == *joined_via);
    compared && names.clash(&chair.name, name)
        || (via_house || chair.is_via_house()) && chair.name == *name
}
