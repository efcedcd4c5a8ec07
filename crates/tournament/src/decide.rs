//! From games to a decision, and from a decision to points.

use std::cmp::Reverse;

use rules::Dice;

use crate::{Decision, EntrantId, How, Pairing, PairingId, Plan, Played};

/// What a knockout needs to know to decide a pairing.
pub(crate) struct Knockout {
    best_of: u32,
    draw_replays: u32,
    /// Draws lots for this pairing.
    dice: Dice,
}

impl Knockout {
    /// How a pairing is decided. The lots drawn for it are always the same.
    pub fn of(plan: &Plan, id: PairingId) -> Knockout {
        let Plan { best_of, draw_replays, .. } = *plan;
        let dice = Dice::new(&plan.seed(), "lot", u64::from(id.0));
        Knockout { best_of, draw_replays, dice }
    }
}

impl Pairing {
    /// The decision of a pairing in which `best_of` games count, drawn ones too, if the games so
    /// far suffice: all of them are played, or the rest can change nothing. The places in all games
    /// are added up, and the smallest sum is best. At a table of two that is the most wins.
    pub(crate) fn by_points(
        &self,
        best_of: u32,
        active: impl Fn(EntrantId) -> bool,
    ) -> Option<Decision> {
        let score = Score::of(self, active);
        let games = score.decisive + score.drawn;
        let mut sums: Vec<u32> = score.tallies.iter().map(|tally| tally.places).collect();
        sums.sort_unstable();
        let to_come = best_of.saturating_sub(games);
        let still_to_win = to_come * (sums.len() as u32).saturating_sub(1);
        let settled = sums.windows(2).all(|next| next[1] - next[0] > still_to_win);
        if games == 0 || to_come > 0 && !settled {
            return None;
        }
        let tally = |entrant| score.tallies.iter().find(|tally| tally.entrant == entrant);
        Some(self.decision_by(self.how(), |entrant| tally(entrant).map(|tally| tally.places)))
    }

    /// Decides a pairing from which one entrant advances, if the games so far suffice: an entrant
    /// has the majority, or no further game is allowed. Then most wins count, then the better sum
    /// of places, then the lot. An entrant who withdrew counts as last in every game.
    pub(crate) fn by_knockout(
        &self,
        terms: Knockout,
        active: impl Fn(EntrantId) -> bool,
    ) -> Option<Decision> {
        let score = Score::of(self, active);
        let most_wins = score.tallies.iter().map(|tally| tally.wins).max()?;
        let open = most_wins <= terms.best_of / 2
            && score.decisive < terms.best_of
            && score.drawn <= terms.draw_replays;
        if open {
            return None;
        }
        let leaders = score.leaders();
        let how = if leaders.len() == 1 { self.how() } else { How::Lot };
        Some(self.one_goes_on(how, &score, &leaders, terms))
    }

    /// No game can be played: the leader after earlier games of the pairing advances, or lots
    /// decide.
    pub(crate) fn by_lead(
        &self,
        how: How,
        terms: Knockout,
        active: impl Fn(EntrantId) -> bool,
    ) -> Decision {
        let score = Score::of(self, active);
        let leaders = score.leaders();
        let how = if leaders.len() == 1 { how } else { How::Lot };
        self.one_goes_on(how, &score, &leaders, terms)
    }

    /// A pairing is played if all of its games that count were.
    pub(crate) fn how(&self) -> How {
        let mut counted = self.games.iter().filter(|game| game.outcome.is_some());
        match counted.all(|game| game.how() == How::Played) {
            true => How::Played,
            false => How::Forfeit,
        }
    }

    fn one_goes_on(
        &self,
        how: How,
        score: &Score,
        leaders: &[EntrantId],
        mut terms: Knockout,
    ) -> Decision {
        let winner = *terms.dice.pick(leaders);
        self.decision_by(how, |entrant| {
            let tally = score.tallies.iter().find(|tally| tally.entrant == entrant)?;
            let better = score.tallies.iter().filter(|other| other.merit() > tally.merit());
            Some(if entrant == winner { 0 } else { 1 + better.count() as u32 })
        })
    }

    /// A decision from any ranks, the smallest best.
    pub(crate) fn decision_by(
        &self,
        how: How,
        rank: impl Fn(EntrantId) -> Option<u32>,
    ) -> Decision {
        let ranks: Vec<Option<u32>> = self.entrants.iter().map(|&entrant| rank(entrant)).collect();
        let place = |own: u32| 1 + ranks.iter().flatten().filter(|&&other| other < own).count();
        let places: Vec<Option<u32>> =
            ranks.iter().map(|rank| rank.map(|own| place(own) as u32)).collect();
        let mut firsts =
            (self.entrants.iter()).zip(&places).filter(|(_, place)| **place == Some(1));
        let first = firsts.next().map(|(&entrant, _)| entrant);
        let winner = first.filter(|_| firsts.next().is_none());
        Decision { how, winner, places }
    }

    /// How many games each entrant has won alone, in the order of the entrants.
    pub fn games_won(&self) -> Vec<u32> {
        let winners: Vec<EntrantId> = self.games.iter().filter_map(Played::winner).collect();
        let won = |own: &EntrantId| winners.iter().filter(|winner| *winner == own).count() as u32;
        self.entrants.iter().map(won).collect()
    }

    /// The points of each entrant, once decided: 2 per opponent beaten, 1 per draw. An empty seat
    /// counts as a draw, so that tables of different size are worth the same on average; a bye
    /// counts as a win against a full table.
    pub(crate) fn scores(&self, table_seats: usize) -> Option<Vec<u32>> {
        let decision = self.decision.as_ref()?;
        if decision.how == How::Bye {
            return Some(vec![2 * (table_seats as u32 - 1)]);
        }
        let empty = table_seats.saturating_sub(self.entrants.len()) as u32;
        let score = |at: usize| match decision.places[at] {
            None => 0,
            Some(_) => {
                let others = (0..self.entrants.len()).filter(|&other| other != at);
                empty + others.map(|other| decision.score_against(at, other)).sum::<u32>()
            }
        };
        Some((0..self.entrants.len()).map(score).collect())
    }
}

impl Decision {
    /// What one entrant of the pairing, by position, scored against another.
    pub(crate) fn score_against(&self, at: usize, other: usize) -> u32 {
        match (self.places[at], self.places[other]) {
            (None, _) => 0,
            (Some(_), None) => 2,
            (Some(own), Some(its)) if own == its => 1,
            (Some(own), Some(its)) => 2 * u32::from(own < its),
        }
    }
}

impl Played {
    /// The sole winner.
    fn winner(&self) -> Option<EntrantId> {
        let ranks = self.ranks(|_| true);
        let mut firsts = ranks.iter().filter(|(_, rank)| *rank == 1);
        let (winner, _) = firsts.next()?;
        firsts.next().is_none().then_some(*winner)
    }

    /// The places of the entrants still in the tournament. An entrant who played to the end is
    /// ahead of one who left, timed out or was disqualified, whatever the game's own ranking.
    fn ranks(&self, active: impl Fn(EntrantId) -> bool) -> Vec<(EntrantId, u32)> {
        let standings = self.outcome.iter().flat_map(|outcome| &outcome.standings);
        let keys: Vec<(EntrantId, (bool, u32))> = (self.seats.iter().copied().zip(standings))
            .filter(|(entrant, _)| active(*entrant))
            .map(|(entrant, standing)| (entrant, (standing.exit.is_some(), standing.place)))
            .collect();
        let rank =
            |own: (bool, u32)| 1 + keys.iter().filter(|(_, other)| *other < own).count() as u32;
        keys.iter().map(|&(entrant, key)| (entrant, rank(key))).collect()
    }
}

/// The sum of a pairing's games, for entrants who have not withdrawn.
struct Score {
    tallies: Vec<EntrantScore>,
    /// Games with a single first place, and games without.
    decisive: u32,
    drawn: u32,
}

struct EntrantScore {
    entrant: EntrantId,
    wins: u32,
    /// The sum of its places.
    places: u32,
}

impl Score {
    fn of(pairing: &Pairing, active: impl Fn(EntrantId) -> bool) -> Score {
        let present = pairing.entrants.iter().copied().filter(|&entrant| active(entrant));
        let tallies = present.map(|entrant| EntrantScore { entrant, wins: 0, places: 0 }).collect();
        let mut score = Score { tallies, decisive: 0, drawn: 0 };
        for game in pairing.games.iter().filter(|game| game.outcome.is_some()) {
            let ranks = game.ranks(&active);
            let decisive = ranks.iter().filter(|(_, rank)| *rank == 1).count() == 1;
            score.decisive += u32::from(decisive);
            score.drawn += u32::from(!decisive);
            for tally in &mut score.tallies {
                // An entrant withdrawn during a game and reinstated later was last in it.
                let rank = ranks.iter().find(|(entrant, _)| *entrant == tally.entrant);
                let rank = rank.map_or(ranks.len() as u32 + 1, |(_, rank)| *rank);
                tally.places += rank;
                tally.wins += u32::from(decisive && rank == 1);
            }
        }
        score
    }

    fn leaders(&self) -> Vec<EntrantId> {
        let best = self.tallies.iter().map(EntrantScore::merit).max();
        let leaders = self.tallies.iter().filter(|tally| Some(tally.merit()) == best);
        leaders.map(|tally| tally.entrant).collect()
    }
}

impl EntrantScore {
    fn merit(&self) -> (u32, Reverse<u32>) {
        (self.wins, Reverse(self.places))
    }
}
