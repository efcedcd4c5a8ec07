//! A tournament as organisers and the JSON API see it.

use rules::Exit;
use serde::Serialize;
use tournament::{
    Deals, Decision, Elo, Entrant, EntrantId, How, PairingId, Plan, Played, Standing, Tournament,
    TournamentPhase, Why,
};

use super::{Convened, Entry, TournamentState};
use table::{Broadcast, Name, Policy, Time};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TournamentInfo {
    pub id: Name,
    pub phase: TournamentPhase,
    pub plan: Plan,
    pub convened_at: Time,
    /// Whether others than those the organiser enters may enter by themselves.
    pub open: bool,
    /// Whether it starts as soon as the last place is taken.
    pub starts_when_full: bool,
    /// Whether an entrant's name alone is enough to play in their place.
    pub open_names: bool,
    pub entry: Entry,
    pub terms: TermsInfo,
    pub entrants: Vec<EntrantInfo>,
    /// The running round, from 1; 0 before the start.
    pub round: u32,
    /// Number of rounds if no entrant withdraws; 0 before the start and on a ladder.
    pub rounds: u32,
    pub pairings: Vec<PairingInfo>,
    pub standings: Vec<StandingInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<Name>,
}

/// The settings that all of its games share.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TermsInfo {
    /// How long a turn may take; none: as long as it likes.
    pub clock_ms: Option<u64>,
    /// Time to sit down after a table opens; later entrants forfeit the game.
    pub no_show_ms: u64,
    /// Two turns are at least so far apart.
    pub pace_ms: u64,
    /// Number of timed-out turns in a row that end the game for a player; 0: never.
    pub strikes: u32,
    /// Number of timed-out turns in a game that do the same; 0: never.
    pub strikes_in_all: u32,
    /// How long a whole game may take; none: as long as it likes.
    pub game_ms: Option<u64>,
    /// What spectators see.
    pub broadcast: Broadcast,
}

impl From<&Convened> for TermsInfo {
    fn from(convened: &Convened) -> TermsInfo {
        let Policy { turn_ms, pace_ms, broadcast, .. } = convened.terms.policy;
        let Policy { strikes, strikes_in_all, game_ms, .. } = convened.terms.policy;
        // Cards that will be dealt again aren't broadcast before that.
        let repeats = convened.plan.deals == Deals::Repeat;
        let broadcast = if repeats { Broadcast::Delayed } else { broadcast };
        TermsInfo {
            clock_ms: turn_ms,
            no_show_ms: convened.no_show_ms,
            pace_ms,
            strikes,
            strikes_in_all,
            game_ms,
            broadcast,
        }
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
    /// As in [`TournamentInfo::rounds`].
    pub rounds: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<Name>,
    /// The winner's display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner_display: Option<Name>,
}

impl From<&TournamentState> for TournamentCard {
    fn from(state: &TournamentState) -> TournamentCard {
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
            rounds: tournament.rounds(),
            winner: winner.map(Name::from),
            winner_display: winner.and_then(|winner| state.displays.get(winner).cloned()),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EntrantInfo {
    pub name: Name,
    /// The display name.
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
    /// The entrants, by name and by number, in the seat order of the first game.
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
    /// The table where it is being played.
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
    /// The table where it was played, unless it never had one or an earlier release played it.
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

impl TournamentInfo {
    /// A tournament's public state, given who is present, by name and by name at tables, and where
    /// pairings are played.
    pub(crate) fn new(
        state: &TournamentState,
        is_present: impl Fn(&str, &str) -> bool,
        table_of: impl Fn(PairingId) -> Option<Name>,
        waiting_since: impl Fn(EntrantId) -> Option<Time>,
    ) -> TournamentInfo {
        let tournament = &state.tournament;
        let entrants = tournament.entrants();
        let name = |entrant: EntrantId| Name::from(&*entrants[entrant.index()].name);
        let game = |pairing: PairingId, game: &Played| GameInfo {
            // The causes contain it.
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
            starts_when_full: state.convened.starts_when_full,
            open_names: state.convened.open_names,
            entry: state.convened.entry,
            terms: TermsInfo::from(&state.convened),
            entrants: entrants_of(state, is_present, waiting_since),
            round: tournament.round(),
            rounds: tournament.rounds(),
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

fn entrants_of(
    state: &TournamentState,
    is_present: impl Fn(&str, &str) -> bool,
    waiting_since: impl Fn(EntrantId) -> Option<Time>,
) -> Vec<EntrantInfo> {
    let tournament = &state.tournament;
    let info = |(id, entrant): (EntrantId, &Entrant)| {
        let name = &*entrant.name;
        let quarantine = quarantine(tournament, id);
        EntrantInfo {
            name: Name::from(name),
            display: state.displays.get(name).cloned(),
            plays_as: state.plays_as.get(name).cloned(),
            bot: entrant.bot.clone(),
            version: state.versions.get(name).cloned(),
            withdrawn: entrant.withdrawn,
            withdrawn_because: entrant.why.map(because),
            present: is_present(name, &state.table_name(name)),
            waiting_since: waiting_since(id),
            quarantined_until: quarantine.as_ref().map(|(until, _)| *until),
            quarantined_because: quarantine.map(|(_, why)| why),
        }
    };
    (0..).map(EntrantId).zip(tournament.entrants()).map(info).collect()
}
