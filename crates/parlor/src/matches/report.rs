//! How a match stands, for people and as JSON.

use serde_json::{Value, json};
use tournament::sprt::{Blocks, Sprt, Verdict, logistic_elo};

use super::series::{Account, Series};
use crate::terminal::output::count;

/// What a report is about.
pub struct Subject {
    pub game: &'static str,
    pub seats: usize,
    pub new: String,
    pub base: String,
    /// Who sits how often, in words.
    pub design: String,
    pub repeats_deals: bool,
    pub seed: u64,
    pub sprt: Option<Sprt>,
}

/// With fewer blocks than this, the gain of repeated deals is mere chance.
const TELLING: u64 = 200;

/// A warning about intervals after a test has stopped the match.
const STOPPED: &str = "The match stopped because of this result, so its intervals are too narrow and \
                       lean towards the verdict. For a fair estimate play --games with another seed.";

/// Fewer blocks than this tell little, whatever their interval.
const FEW: u64 = 16;

impl Subject {
    pub fn head(&self) -> String {
        let Subject { game, seats, new, base, design, seed, .. } = self;
        format!("{game}, {seats} seats, {new} (new) against {base} (base): {design}, seed {seed}")
    }

    /// Progress on one line, and no interval: it must not tempt anyone to stop early.
    pub fn progress(&self, series: &Series) -> String {
        let (mean, _) = series.blocks.moments();
        let llr = self.sprt.map(|sprt| {
            let (low, high) = sprt.bounds();
            format!("   LLR {:+.2} ({low:.2}, {high:.2})", sprt.llr(&series.blocks))
        });
        let blocks = count(series.blocks.len(), "block");
        format!(
            "{blocks}, {}: ahead {:.1} %{}",
            count(series.games(), "game"),
            100.0 * mean,
            llr.unwrap_or_default()
        )
    }

    pub fn text(&self, series: &Series, verdict: Verdict) -> String {
        let blocks = &series.blocks;
        let (mean, low, high) = blocks.score();
        let percent = |share: f64| format!("{:.1}", 100.0 * share);
        let mut lines = vec![
            format!(
                "  blocks  {:>7}   games {}   void {}   forfeits new {}, base {}",
                blocks.len(),
                series.games(),
                series.void,
                series.new.forfeits,
                series.base.forfeits
            ),
            format!(
                "  ahead   {:>5} %  [{}, {}]    Elo {}    nElo {}    LOS {} %",
                percent(mean),
                percent(low),
                percent(high),
                elo_words(mean, low, high),
                blocks.normalised_elo().map_or_else(
                    || "-".to_owned(),
                    |(elo, error)| format!("{elo:+.0} ± {error:.0}")
                ),
                percent(blocks.likelihood_of_superiority())
            ),
            format!(
                "  places  new {} %, base {} %    points {:+.2} ± {:.2} a game",
                places(&series.new),
                places(&series.base),
                series.points_ahead.mean(),
                series.points_ahead.error()
            ),
            format!("  blocks by score, worst to best: {}", scores(blocks)),
        ];
        if blocks.len() < FEW {
            lines.push(format!("  fewer than {FEW} blocks: too few to tell who is stronger"));
        }
        let time = |account: &Account| {
            account.ms_per_move().map_or_else(|| "-".to_owned(), |ms| format!("{ms:.2} ms"))
        };
        let times = format!("time a move new {}, base {}", time(&series.new), time(&series.base));
        lines.push(match series.gain().filter(|_| self.repeats_deals) {
            Some(gain) => format!(
                "  a deal seen from all seats is worth x{gain:.2} games of fresh deals; {times}"
            ),
            None => format!("  {times}"),
        });
        if let Some(gain) = series.gain().filter(|_| self.repeats_deals)
            && gain < 1.0
            && blocks.len() >= TELLING
        {
            lines.push(
                "  repeated deals do not pay here: --deals fresh needs fewer games".to_owned(),
            );
        }
        if let Some(sprt) = self.sprt {
            let ((lower, upper), llr) = (sprt.bounds(), sprt.llr(blocks));
            let reached = 100.0 * if llr < 0.0 { llr / lower } else { llr / upper };
            let Sprt { elo0, elo1, alpha, beta, .. } = sprt;
            lines.push(format!(
                "  LLR {llr:+.2} ({reached:.0} %)  bounds {lower:.2}, {upper:+.2}   Elo {elo0} against {elo1}, alpha {alpha}, beta {beta}"
            ));
            lines.push(self.verdict(verdict));
            if matches!(verdict, Verdict::H0 | Verdict::H1) {
                lines.push(STOPPED.to_owned());
            }
        }
        lines.join("\n")
    }

    fn verdict(&self, verdict: Verdict) -> String {
        let Subject { new, base, .. } = self;
        match verdict {
            Verdict::H1 => format!("H1 accepted: {new} is stronger than {base}."),
            Verdict::H0 => format!("H0 accepted: {new} is not stronger than {base}."),
            Verdict::Identical => {
                format!(
                    "H0 accepted: every block of {new} and {base} ends even. They play alike, or the \
                     seat decides every game."
                )
            }
            Verdict::Undecided => "Undecided: more games are needed.".to_owned(),
        }
    }

    pub fn json(&self, series: &Series, verdict: Verdict) -> Value {
        let blocks = &series.blocks;
        let (mean, low, high) = blocks.score();
        let side = |account: &Account| {
            json!({
                "places": account.places,
                "forfeits": account.forfeits,
                "ms_per_move": account.ms_per_move(),
            })
        };
        let sprt = self.sprt.map(|sprt| {
            let (lower, upper) = sprt.bounds();
            json!({
                "elo0": sprt.elo0, "elo1": sprt.elo1, "alpha": sprt.alpha, "beta": sprt.beta,
                "model": sprt.model, "llr": sprt.llr(blocks), "lower": lower, "upper": upper,
                "verdict": verdict,
            })
        });
        json!({
            "game": self.game, "seats": self.seats, "new": self.new, "base": self.base,
            "seed": self.seed, "blocks": blocks.len(), "games": series.games(), "void": series.void,
            "score": mean, "score_95": [low, high],
            "elo": logistic_elo(mean),
            "normalised_elo": blocks.normalised_elo().map(|(elo, error)| [elo, error]),
            "los": blocks.likelihood_of_superiority(),
            "points_ahead": [series.points_ahead.mean(), series.points_ahead.error()],
            "scores": blocks.counts(),
            "gain_of_repeated_deals": series.gain(),
            "sides": {"new": side(&series.new), "base": side(&series.base)},
            "sprt": sprt,
        })
    }
}

fn elo_words(mean: f64, low: f64, high: f64) -> String {
    // "-0.0" looks odd: adding zero removes the sign.
    let elo = |share: f64| logistic_elo(share).map(|elo| elo + 0.0);
    match (elo(mean), elo(low), elo(high)) {
        (Some(elo), Some(low), Some(high)) => format!("{elo:+.1} [{low:+.1}, {high:+.1}]"),
        (Some(elo), ..) => format!("{elo:+.1}"),
        _ => "-".to_owned(),
    }
}

fn places(account: &Account) -> String {
    let all: u64 = account.places.iter().sum();
    let share = |count: &u64| format!("{:.1}", 100.0 * *count as f64 / all.max(1) as f64);
    account.places.iter().map(share).collect::<Vec<_>>().join(" ")
}

/// All counts in a row, or where that would be a long one, those that are not zero.
fn scores(blocks: &Blocks) -> String {
    let counts = blocks.counts();
    if counts.len() <= 13 {
        return counts.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
    }
    let seen = counts.iter().enumerate().filter(|(_, count)| **count > 0);
    let seen: Vec<String> = seen.map(|(score, count)| format!("{score}: {count}")).collect();
    format!("{} of {}", seen.join(", "), counts.len() - 1)
}
