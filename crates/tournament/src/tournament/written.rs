//! How a tournament is written down: one flat list of names, which journals have had since there are
//! ladders. Each part of a [`Tournament`] knows which of them are its own.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize, Serializer};

use super::{Agenda, Entrants, Pairings, Tournament, TournamentPhase};
use crate::{DueGame, Entrant, EntrantId, Ladder, Pairing, PairingId, Plan};

/// The order of the fields is that of the text.
#[derive(Serialize, Deserialize)]
pub(crate) struct Written<'a> {
    plan: Cow<'a, Plan>,
    phase: TournamentPhase,
    pub entrants: Cow<'a, [Entrant]>,
    pub names: Cow<'a, BTreeMap<String, EntrantId>>,
    pub lots: Cow<'a, [u32]>,
    pub left_in: Cow<'a, BTreeMap<EntrantId, u32>>,
    pub pairings: Cow<'a, [Pairing]>,
    pub undecided: Cow<'a, BTreeSet<PairingId>>,
    pub open: Cow<'a, BTreeMap<PairingId, DueGame>>,
    pub ahead: Cow<'a, [BTreeSet<PairingId>]>,
    pub busy: Cow<'a, [bool]>,
    pub cut_short: Cow<'a, BTreeMap<PairingId, DueGame>>,
    pub missed: Cow<'a, BTreeMap<EntrantId, u32>>,
    pub paired: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ladder: Option<Cow<'a, Ladder>>,
}

impl<'a> From<&'a Tournament> for Written<'a> {
    fn from(tournament: &'a Tournament) -> Written<'a> {
        let mut written = Written {
            plan: Cow::Borrowed(&tournament.plan),
            phase: tournament.phase,
            entrants: Cow::default(),
            names: Cow::default(),
            lots: Cow::default(),
            left_in: Cow::default(),
            pairings: Cow::default(),
            undecided: Cow::default(),
            open: Cow::default(),
            ahead: Cow::default(),
            busy: Cow::default(),
            cut_short: Cow::default(),
            missed: Cow::default(),
            paired: 0,
            ladder: tournament.ladder.as_ref().map(Cow::Borrowed),
        };
        tournament.entrants.write(&mut written);
        tournament.pairings.write(&mut written);
        tournament.agenda.write(&mut written);
        written
    }
}

impl From<Written<'_>> for Tournament {
    fn from(mut written: Written<'_>) -> Tournament {
        Tournament {
            entrants: Entrants::read(&mut written),
            pairings: Pairings::read(&mut written),
            agenda: Agenda::read(&mut written),
            plan: written.plan.into_owned(),
            phase: written.phase,
            ladder: written.ladder.map(Cow::into_owned),
        }
    }
}

impl Serialize for Tournament {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Written::from(self).serialize(serializer)
    }
}
