//! A restart in the middle of a rehearsal: everything but the records is lost, and the register.

use std::collections::BTreeMap;
use std::sync::Arc;

use hall::{
    Hall, HouseRecord, Input, Output, Recorded, Standing, TableNo, Time, TournamentNo,
    TournamentRecord, Unfinished,
};
use rules::Game;
use wire::Playable;

use super::{MAX_TABLES, Stage};

/// What the hall has written down.
pub(super) struct Written<G: Game> {
    tables: BTreeMap<TableNo, Recorded<G>>,
    tournaments: BTreeMap<TournamentNo, Vec<TournamentRecord<G>>>,
    last: Time,
}

impl<G: Game> Default for Written<G> {
    fn default() -> Written<G> {
        Written { tables: BTreeMap::new(), tournaments: BTreeMap::new(), last: Time(0) }
    }
}

impl<G: Game> Written<G> {
    pub fn write(&mut self, output: &Output<G>) {
        match output {
            Output::TableRecord(entry) => {
                self.last = entry.at;
                self.tables.entry(entry.table).or_default().push(entry.record.clone(), entry.at);
            }
            Output::TournamentRecord(entry) => {
                let records = self.tournaments.entry(entry.tournament).or_default();
                records.push((*entry.record).clone());
            }
            _ => {}
        }
    }

    pub fn tables(&self) -> impl Iterator<Item = (&TableNo, &Recorded<G>)> {
        self.tables.iter()
    }

    /// The records of a table that is not over.
    pub fn open_table(&self, no: TableNo) -> Option<&Recorded<G>> {
        self.tables.get(&no).filter(|recorded| !recorded.is_over())
    }

    fn unfinished(&self) -> Unfinished<G> {
        let tables = self.tables.iter().map(|(no, recorded)| (*no, recorded.clone()));
        let (over, tables): (Vec<_>, _) = tables.partition(|(_, recorded)| recorded.is_over());
        let records = |recorded: Recorded<G>| recorded.records().cloned().collect();
        let lately_over = over.into_iter().map(|(no, recorded)| (no, records(recorded))).collect();
        Unfinished {
            tables,
            lately_over,
            tournaments: self.tournaments.iter().map(|(no, all)| (*no, all.clone())).collect(),
            next_table: self.tables.last_key_value().map_or(1, |(no, _)| no.0 + 1),
            next_tournament: self.tournaments.last_key_value().map_or(1, |(no, _)| no.0 + 1),
            last_written: self.last,
            standing: None,
        }
    }
}

impl<G: Playable> Stage<G> {
    pub(super) fn register(&mut self, record: HouseRecord) -> Result<(), String> {
        self.register.apply(self.now, &record);
        self.input(Input::Registered(Arc::new(self.register.clone())));
        Ok(())
    }

    pub(super) fn restart(&mut self) -> Result<(), String> {
        self.actors.values_mut().for_each(|actor| actor.gone = true);
        self.hall = Hall::new(G::terms(&self.options)?, G::hooks(), MAX_TABLES, self.seed);
        let mut outputs = Vec::new();
        let restored = self.hall.restore(self.now, self.journal.unfinished(), &mut outputs);
        restored.map_err(|why| why.to_string())?;
        outputs.iter().for_each(|output| self.journal.write(output));
        self.input(Input::Registered(Arc::new(self.register.clone())));
        Ok(())
    }

    /// The hall is lost, and nobody is to notice: another goes on with its records, and with what
    /// those who serve its connections know of them.
    pub(super) fn take_over(&mut self) -> Result<(), String> {
        let attending = self.actors.values().filter(|actor| !actor.gone);
        let attending = attending.map(|actor| (actor.conn, self.hall.attendance(actor.conn)));
        let tables = self.hall.tables().map(|(no, _)| no).collect::<Vec<_>>();
        let tables = tables.into_iter().filter_map(|no| Some((no, self.hall.table_standing(no)?)));
        let standing = Standing {
            attending: attending.collect(),
            tables: tables.collect(),
            away: self.hall.away(),
            ..Standing::default()
        };
        let standing =
            Standing { chance: Some(self.hall.chance()), ..self.journey.carry(standing) };
        self.hall = Hall::new(G::terms(&self.options)?, G::hooks(), MAX_TABLES, self.seed);
        let mut outputs = Vec::new();
        let unfinished = Unfinished { standing: Some(standing), ..self.journal.unfinished() };
        let restored = self.hall.restore(self.now, unfinished, &mut outputs);
        restored.map_err(|why| why.to_string())?;
        let register = Arc::new(self.register.clone());
        self.hall.handle(self.now, Input::Registered(register), &mut outputs);
        let says = |output: &&Output<G>| !matches!(output, Output::Listed(_));
        match outputs.iter().find(says) {
            Some(output) => Err(format!("a hall that takes over says {output:?}")),
            None => Ok(()),
        }
    }
}
