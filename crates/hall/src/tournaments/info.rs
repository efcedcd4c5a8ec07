//! A tournament as organisers and the JSON API see it.

use rules::{Exit, Game};
use serde::Serialize;
use tournament::{
    Decision, Elo, EntrantId, How, PairingId, Plan, Played, Standing, Tournament, TournamentPhase,
    Why,
};

use super::{Convened, Entry, TournamentState, Tournaments};
use crate::lobby::Lobby;
use table::{Broadcast, Name, Policy, TableNo, Time, TournamentNo};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TournamentInfo {
    pub id: Name,
    pub phase: TournamentPhase,
    pub plan: Plan,
    pub convened_at: Time,
    /// Whether others than those the organiser enters may enter by themselves.
    pub open: bool,
    /// Whether anybody who says an entrant's name plays in its place.
    pub open_names: bool,
    pub entry: Entry,
    pub terms: TermsInfo,
    pub entrants: Vec<EntrantInfo>,
    /// The running round, from 1; 0 before the start.
    pub round: u32,
    pub pairings: Vec<PairingInfo>,
    pub standings: Vec<StandingInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<Name>,
}

/// What its games are played by, as far as it is the same in all games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TermsInfo {
    /// How long a turn may take; none: as long as it likes.
    pub clock_ms: Option<u64>,
    /// Whoever has not sat down so long after its table was opened forfeits that game.
    pub no_show_ms: u64,
    /// Two turns are at least so far apart.
    pub pace_ms: u64,
    /// So many turns in a row that ran out of time end the game for a player; 0: never.
    pub strikes: u32,
    /// What those who watch are shown.
    pub broadcast: Broadcast,
}

impl<G: Game> From<&Convened<G>> for TermsInfo {
    fn from(convened: &Convened<G>) -> TermsInfo {
        let Policy { turn_ms, pace_ms, strikes, broadcast, .. } = convened.terms.policy;
        let no_show_ms = convened.no_show_ms;
        TermsInfo { clock_ms: turn_ms, no_show_ms, pace_ms, strikes, broadcast }
    }
}

/// A tournament as lists show it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TournamentCard {
    pub id: Name,
    pub phase: TournamentPhase,
    pub plan: Plan,
    pub convened_at: Time,
    pub open: bool,
    /// How many have entered, and how many of them have withdrawn.
    pub entered: usize,
    pub withdrawn: usize,
    pub round: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<Name>,
    /// What people read instead of the winner's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner_display: Option<Name>,
}

impl<G: Game> From<&TournamentState<G>> for TournamentCard {
    fn from(state: &TournamentState<G>) -> TournamentCard {
        let tournament = &state.tournament;
        let entrants = tournament.entrants();
        let winner = tournament.winner().map(|winner| &*entrants[winner.index()].name);
        TournamentCard {
            id: state.convened.id.clone(),
            phase: tournament.phase(),
            plan: state.public_plan(),
            convened_at: state.convened.at,
            open: state.convened.open,
            entered: entrants.len(),
            withdrawn: entrants.iter().filter(|entrant| entrant.withdrawn).count(),
            round: tournament.round(),
            winner: winner.map(Name::from),
            winner_display: winner.and_then(|winner| state.displays.get(winner).cloned()),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EntrantInfo {
    pub name: Name,
    /// What people read instead of the name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display: Option<Name>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plays_as: Option<Name>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bot: Option<String>,
    /// Which version of a program plays for it, as was said when it entered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<Name>,
    pub withdrawn: bool,
    /// Why, if it was not its own will.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub withdrawn_because: Option<&'static str>,
    pub present: bool,
    /// On a ladder: since when it waits for a game, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting_since: Option<Time>,
    /// On a ladder: the end of its latest quarantine, which may be past, and what led to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quarantined_until: Option<Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quarantined_because: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairingInfo {
    pub id: PairingId,
    pub round: u32,
    /// Who meets, by name and by number, in the order of the seats of the first game.
    pub names: Vec<Name>,
    pub entrants: Vec<EntrantId>,
    /// The games that ended, in order.
    pub games: Vec<GameInfo>,
    /// How many of them each entrant has won alone, in the order of the names.
    pub games_won: Vec<u32>,
    pub decision: Option<Decision>,
    /// How it was decided, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub how: Option<How>,
    /// Where it is played now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<Name>,
}

/// A game that ended, and how it ended for each seat.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameInfo {
    #[serde(flatten)]
    pub game: Played,
    pub how: How,
    /// By seat: `finished`, or why it stopped before the end. Empty if the game was void.
    pub causes: Vec<&'static str>,
    /// Where it was played, unless it never had a table or an earlier release played it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<Name>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StandingInfo {
    pub name: Name,
    #[serde(flatten)]
    pub standing: Standing,
    #[serde(flatten)]
    pub strength: Option<StrengthInfo>,
}

/// How strong an entrant of a ladder is, on Elo's scale, with the ends of the 95 % interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StrengthInfo {
    pub elo: i64,
    pub low: i64,
    pub high: i64,
}

impl From<Elo> for StrengthInfo {
    fn from(elo: Elo) -> StrengthInfo {
        let whole = |number: f64| number.round() as i64;
        StrengthInfo { elo: whole(elo.mean), low: whole(elo.low()), high: whole(elo.high()) }
    }
}

/// The end of an entrant's latest quarantine on a ladder, and what led to it.
fn quarantine(tournament: &Tournament, entrant: EntrantId) -> Option<(Time, String)> {
    let rung = tournament.ladder()?.rung(entrant)?;
    let until = rung.quarantine(0)?;
    let words: Vec<&str> = rung.why().iter().map(Exit::word).collect();
    Some((Time(until), words.join(", ")))
}

fn because(why: Why) -> &'static str {
    match why {
        Why::Missed => "missed 3 games in a row",
        Why::Removed => "removed by the organiser",
    }
}

impl<G: Game> Tournaments<G> {
    /// Every tournament that is remembered.
    pub fn states(&self) -> impl Iterator<Item = (TournamentNo, &TournamentState<G>)> {
        self.live.iter().map(|(no, live)| (*no, &live.state))
    }

    /// Whether somebody sits at a tournament's table under this name, or waits for one.
    pub(super) fn is_here(&self, lobby: &Lobby<G>, no: TournamentNo, name: &str) -> bool {
        let sits = |table: TableNo| {
            let mut seated = lobby.whereabouts.tables.live(table).company().seats.iter().flatten();
            seated.any(|member| *member.name == *name && member.present && member.bot.is_none())
        };
        lobby.waiting().is_awaited(name) || self.tables_of(no).any(sits)
    }

    /// A tournament that is remembered, as organisers see it.
    pub fn info(&self, lobby: &Lobby<G>, no: TournamentNo) -> Option<TournamentInfo> {
        let live = self.get(no)?;
        let is_present = |entrant: &str, at_table: &str| {
            self.places.conn_of(no, entrant).is_some() || self.is_here(lobby, no, at_table)
        };
        let table_of = |pairing: PairingId| {
            let mut tables = live.tables.range((pairing, 0)..=(pairing, u32::MAX));
            let (_, table) = tables.next()?;
            Some(lobby.whereabouts.tables.live(*table).table().opened().id.clone())
        };
        let waits = |entrant: EntrantId| live.queue.get(&entrant).copied();
        Some(TournamentInfo::new(&live.state, is_present, table_of, waits))
    }
}

impl TournamentInfo {
    /// What a tournament shows, given who is here, by name and by name at the tables, and where
    /// pairings are played.
    pub(crate) fn new<G: Game>(
        state: &TournamentState<G>,
        is_present: impl Fn(&str, &str) -> bool,
        table_of: impl Fn(PairingId) -> Option<Name>,
        waiting_since: impl Fn(EntrantId) -> Option<Time>,
    ) -> TournamentInfo {
        let tournament = &state.tournament;
        let entrants = tournament.entrants();
        let name = |entrant: EntrantId| Name::from(&*entrants[entrant.index()].name);
        let game = |pairing: PairingId, game: &Played| GameInfo {
            // The causes tell it.
            game: Played { exits: Vec::new(), ..game.clone() },
            how: game.how(),
            causes: game.causes(),
            table: state.tables.get(&(pairing, game.attempt)).cloned(),
        };
        TournamentInfo {
            id: state.convened.id.clone(),
            phase: tournament.phase(),
            plan: state.public_plan(),
            convened_at: state.convened.at,
            open: state.convened.open,
            open_names: state.convened.open_names,
            entry: state.convened.entry,
            terms: TermsInfo::from(&state.convened),
            entrants: (0..)
                .map(EntrantId)
                .zip(entrants)
                .map(|(id, entrant)| EntrantInfo {
                    name: Name::from(&*entrant.name),
                    display: state.displays.get(&*entrant.name).cloned(),
                    plays_as: state.plays_as.get(&*entrant.name).cloned(),
                    bot: entrant.bot.clone(),
                    version: state.versions.get(&*entrant.name).cloned(),
                    withdrawn: entrant.withdrawn,
                    withdrawn_because: entrant.why.map(because),
                    present: is_present(&entrant.name, &state.table_name(&entrant.name)),
                    waiting_since: waiting_since(id),
                    quarantined_until: quarantine(tournament, id).map(|(until, _)| until),
                    quarantined_because: quarantine(tournament, id).map(|(_, why)| why),
                })
                .collect(),
            round: tournament.round(),
            pairings: tournament
                .pairings()
                .iter()
                .map(|pairing| PairingInfo {
                    id: pairing.id,
                    round: pairing.round,
                    names: pairing.entrants.iter().map(|entrant| name(*entrant)).collect(),
                    entrants: pairing.entrants.clone(),
                    games: pairing.games.iter().map(|played| game(pairing.id, played)).collect(),
                    games_won: pairing.games_won(),
                    decision: pairing.decision.clone(),
                    how: pairing.decision.as_ref().map(|decision| decision.how),
                    table: table_of(pairing.id),
                })
                .collect(),
            standings: tournament
                .standings()
                .into_iter()
                .map(|standing| StandingInfo {
                    name: name(standing.entrant),
                    strength: tournament.ladder().map(|ladder| ladder.elo(standing.entrant).into()),
                    standing,
                })
                .collect(),
            winner: tournament.winner().map(name),
        }
    }
}
