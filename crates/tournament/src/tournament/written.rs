//! How a tournament is written down: one flat list of names, which journals have had since there are
//! ladders. Each part of a [`Tournament`] knows which of them are its own.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize, Serializer};

use super::{Agenda, Tournament, TournamentPhase};
use crate::entrants::WrittenEntrants;
use crate::pairings::WrittenPairings;
use crate::{DueGame, Entrant, EntrantId, Ladder, Pairing, PairingId, Plan};

/// The order of the fields is that of the text.
#[derive(Serialize, Deserialize)]
pub(crate) struct Written<'a> {
    plan: Cow<'a, Plan>,
    phase: TournamentPhase,
    entrants: Cow<'a, [Entrant]>,
    names: Cow<'a, BTreeMap<String, EntrantId>>,
    lots: Cow<'a, [u32]>,
    left_in: Cow<'a, BTreeMap<EntrantId, u32>>,
    pairings: Cow<'a, [Pairing]>,
    undecided: Cow<'a, BTreeSet<PairingId>>,
    pub open: Cow<'a, BTreeMap<PairingId, DueGame>>,
    pub ahead: Cow<'a, [BTreeSet<PairingId>]>,
    pub busy: Cow<'a, [bool]>,
    pub cut_short: Cow<'a, BTreeMap<PairingId, DueGame>>,
    missed: Cow<'a, BTreeMap<EntrantId, u32>>,
    paired: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ladder: Option<Cow<'a, Ladder>>,
}

impl<'a> From<&'a Tournament> for Written<'a> {
    fn from(tournament: &'a Tournament) -> Written<'a> {
        let entrants = tournament.entrants.written();
        let pairings = tournament.pairings.written();
        let mut written = Written {
            plan: Cow::Borrowed(&tournament.plan),
            phase: tournament.phase,
            entrants: entrants.all,
            names: entrants.names,
            lots: entrants.lots,
            left_in: entrants.left_in,
            pairings: pairings.all,
            undecided: pairings.undecided,
            open: Cow::default(),
            ahead: Cow::default(),
            busy: Cow::default(),
            cut_short: Cow::default(),
            missed: entrants.missed,
            paired: pairings.paired,
            ladder: tournament.ladder.as_ref().map(Cow::Borrowed),
        };
        tournament.agenda.write(&mut written);
        written
    }
}

impl From<Written<'_>> for Tournament {
    fn from(mut written: Written<'_>) -> Tournament {
        let agenda = Agenda::read(&mut written);
        let entrants = WrittenEntrants {
            all: written.entrants,
            names: written.names,
            lots: written.lots,
            left_in: written.left_in,
            missed: written.missed,
        };
        let pairings = WrittenPairings {
            all: written.pairings,
            undecided: written.undecided,
            paired: written.paired,
        };
        Tournament {
            entrants: entrants.into(),
            pairings: pairings.into(),
            agenda,
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
