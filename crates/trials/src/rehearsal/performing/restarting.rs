//! A restart in the middle of a rehearsal: everything but the records is lost, and the register.

use std::sync::Arc;

use hall::{BanSubject, HouseRecord, Input, Output, Standing};
use wire::Playable;

use super::Rehearsal;

impl<G: Playable> Rehearsal<G> {
    pub(super) fn register(&mut self, record: HouseRecord) -> Result<(), String> {
        self.register.apply(self.stage.now, &record);
        self.stage.input(Input::Registered(Arc::new(self.register.clone())));
        Ok(())
    }

    pub(super) fn ban(&mut self, subject: BanSubject) -> Result<(), String> {
        self.register(HouseRecord::Banned { subject, until: None, reason: String::new() })
    }

    pub(super) fn restart(&mut self) -> Result<(), String> {
        self.stage.restart(self.seed).map_err(|why| why.to_string())?;
        self.stage.input(Input::Registered(Arc::new(self.register.clone())));
        Ok(())
    }

    /// The hall is lost and no client may notice: another continues from its records and from what
    /// the nodes that serve its connections know.
    pub(super) fn take_over(&mut self) -> Result<(), String> {
        let stage = &mut self.stage;
        let everybody = stage.open_conns();
        let tables = stage.hall.tables().map(|(no, _)| no).collect::<Vec<_>>();
        let tables = tables.into_iter().filter_map(|no| Some((no, stage.hall.table_standing(no)?)));
        let standing = Standing {
            attending: everybody.iter().map(|conn| (*conn, stage.hall.attendance(*conn))).collect(),
            tables: tables.collect(),
            away: stage.hall.away(),
            ..Standing::default()
        };
        let standing = Standing {
            chance: Some(stage.hall.chance()),
            ..stage.journey.carry(stage.terms.config.rules(), standing)
        };
        stage.restore(self.seed, Some(standing)).map_err(|why| why.to_string())?;
        let mut outputs = std::mem::take(&mut stage.outputs);
        stage.handle(Input::Registered(Arc::new(self.register.clone())));
        outputs.append(&mut stage.outputs);
        let says = |output: &&Output| !matches!(output, Output::Listed(_));
        match outputs.iter().find(says) {
            Some(output) => Err(format!("a hall that takes over says {output:?}")),
            None => Ok(()),
        }
    }
}
