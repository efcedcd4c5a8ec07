//! The standings. Points are whole numbers: 2 per opponent beaten, 1 per draw.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::walkovers::Unearned;
use crate::{EntrantId, Entrants, Format, How, Pairings, Plan, rounds, walkovers};

/// One line of the table of standings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    pub entrant: EntrantId,
    /// 1 is best. Only a knockout, and a tournament that has not begun, has shared places.
    pub place: u32,
    pub points: u32,
    pub tie_breaks: TieBreaks,
    /// Decided pairings, byes not among them.
    pub played: u32,
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
    pub byes: u32,
    /// Knockout: the round in which the entrant was beaten. Elsewhere, and in a knockout as well,
    /// the round in which it withdrew.
    pub out_in_round: Option<u32>,
    /// How often it had each seat, in games with a result.
    #[serde(default)]
    pub seats: Vec<u32>,
}

/// The tie-breaks, in this order; greater is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct TieBreaks {
    /// Points from the games among those with equal points, if all of them have met.
    pub direct: u32,
    /// Games won alone, where a pairing has several; in a knockout and elsewhere none. A pairing that
    /// was won without playing it out counts as won by the majority.
    #[serde(default)]
    pub games_won: u32,
    /// The points of all opponents.
    pub buchholz: u32,
    /// The points of the opponents beaten, twice, and of those drawn with, once.
    pub sonneborn_berger: u32,
    pub wins: u32,
}

/// The table of standings, the best first.
pub(crate) fn standings(plan: &Plan, entrants: &Entrants, pairings: &Pairings) -> Vec<Standing> {
    let unearned = walkovers::unearned(plan, entrants, pairings);
    let mut lines = lines(plan, entrants, pairings, &unearned);
    add_direct(pairings, &unearned, &mut lines);
    lines.sort_by_key(|line| {
        let Standing { points, tie_breaks, .. } = line.standing;
        (line.fate, Reverse((points, tie_breaks)), line.lot)
    });
    let knockout = plan.format == Format::Knockout;
    let begun = entrants.are_lots_drawn();
    let mut standings: Vec<Standing> = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        let shared = at > 0 && (!begun || knockout && line.fate == lines[at - 1].fate);
        let place = if shared { standings[at - 1].place } else { at as u32 + 1 };
        standings.push(Standing { place, ..line.standing.clone() });
    }
    standings
}

struct Ranked {
    standing: Standing,
    fate: Fate,
    lot: u32,
}

/// What comes before all points; smaller is better. In a knockout: how far the entrant came, and
/// the place at the last table. Elsewhere: whether the entrant stayed to the end.
type Fate = (Reverse<u32>, u32);

/// An entrant still in the tournament.
const IN: Fate = (Reverse(u32::MAX), 0);

/// Everything but places and direct encounters, by [`EntrantId`].
fn lines(
    plan: &Plan,
    entrants: &Entrants,
    pairings: &Pairings,
    unearned: &Unearned,
) -> Vec<Ranked> {
    let history = rounds::history(plan, entrants, pairings);
    let points = |entrant: EntrantId| history.past(entrant).points - unearned.points(entrant);
    let mut lines: Vec<Ranked> = (0..entrants.count() as u32)
        .map(|number| line(plan, entrants, EntrantId(number), points(EntrantId(number))))
        .collect();
    let full_table = plan.full_table(entrants.count()) as u32 - 1;
    let Plan { format, best_of, .. } = *plan;
    let counts_games = best_of > 1 && format != Format::Knockout;
    for pairing in pairings.all() {
        for game in pairing.games.iter().filter(|game| game.outcome.is_some()) {
            for (seat, entrant) in game.seats.iter().enumerate() {
                lines[entrant.index()].standing.seats[seat] += 1;
            }
        }
        let Some(decision) = &pairing.decision else { continue };
        let games_won =
            if counts_games { walkovers::games_won(pairing, best_of) } else { Vec::new() };
        for (at, &entrant) in pairing.entrants.iter().enumerate() {
            let Ranked { standing, fate, .. } = &mut lines[entrant.index()];
            let tie_breaks = &mut standing.tie_breaks;
            if unearned.contains(pairing.id, entrant) {
                // The entrant has never played: another's absence isn't a win for them.
                let bye = decision.how == How::Bye;
                standing.byes += u32::from(bye);
                standing.played += u32::from(!bye);
                standing.lost += u32::from(!bye);
                continue;
            }
            tie_breaks.games_won += games_won.get(at).copied().unwrap_or(0);
            if decision.how == How::Bye {
                // As if against a full table of entrants with the same points.
                standing.byes += 1;
                tie_breaks.buchholz += full_table * standing.points;
                tie_breaks.sonneborn_berger += 2 * full_table * standing.points;
                continue;
            }
            for (other, &opponent) in pairing.entrants.iter().enumerate() {
                if other != at {
                    let score = decision.score_against(at, other);
                    tie_breaks.buchholz += points(opponent);
                    tie_breaks.sonneborn_berger += score * points(opponent);
                }
            }
            let won = decision.winner == Some(entrant);
            let drawn = !won && decision.places[at] == Some(1);
            standing.played += 1;
            standing.won += u32::from(won);
            standing.drawn += u32::from(drawn);
            standing.lost += u32::from(!won && !drawn);
            tie_breaks.wins = standing.won;
            if format == Format::Knockout && !won {
                standing.out_in_round = Some(pairing.round);
                *fate = (Reverse(pairing.round), decision.places[at].unwrap_or(u32::MAX));
            }
        }
    }
    lines
}

/// The line of an entrant before any of its pairings.
fn line(plan: &Plan, entrants: &Entrants, entrant: EntrantId, points: u32) -> Ranked {
    let left_in = entrants.left_in(entrant);
    let fate = match (left_in, plan.format) {
        (None, _) => IN,
        (Some(round), Format::Knockout) => (Reverse(round), 1),
        (Some(_), _) => (Reverse(0), 0),
    };
    Ranked {
        fate,
        lot: entrants.lot(entrant),
        standing: Standing {
            entrant,
            place: 0,
            points,
            tie_breaks: TieBreaks::default(),
            played: 0,
            won: 0,
            drawn: 0,
            lost: 0,
            byes: 0,
            out_in_round: left_in,
            seats: vec![0; plan.full_table(entrants.count())],
        },
    }
}

/// Adds the points from games among tied entrants, for groups in which all have met all others.
fn add_direct(pairings: &Pairings, unearned: &Unearned, lines: &mut [Ranked]) {
    let group = |line: &Ranked| (line.fate, line.standing.points);
    let mut members: BTreeMap<(Fate, u32), Vec<EntrantId>> = BTreeMap::new();
    for line in lines.iter() {
        members.entry(group(line)).or_default().push(line.standing.entrant);
    }
    let mut met: Vec<BTreeSet<EntrantId>> = vec![BTreeSet::new(); lines.len()];
    let mut direct = vec![0; lines.len()];
    for pairing in pairings.all() {
        let Some(decision) = &pairing.decision else { continue };
        for (at, &entrant) in pairing.entrants.iter().enumerate() {
            for (other, &opponent) in pairing.entrants.iter().enumerate() {
                let equal = group(&lines[entrant.index()]) == group(&lines[opponent.index()]);
                if other != at && equal {
                    met[entrant.index()].insert(opponent);
                    if !unearned.contains(pairing.id, entrant) {
                        direct[entrant.index()] += decision.score_against(at, other);
                    }
                }
            }
        }
    }
    for members in members.values() {
        if members.iter().all(|entrant| met[entrant.index()].len() == members.len() - 1) {
            for entrant in members {
                lines[entrant.index()].standing.tie_breaks.direct = direct[entrant.index()];
            }
        }
    }
}
