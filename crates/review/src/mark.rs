//! How a decision is marked. All thresholds are here.

use serde::{Deserialize, Serialize};

/// A mark, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// Nothing was found to be better.
    Best,
    Fine,
    Slip,
    Mistake,
    Blunder,
}

/// A decision that costs as much is a slip.
pub const SLIP: f64 = 0.05;
/// A decision that costs as much is a mistake.
pub const MISTAKE: f64 = 0.12;
/// A decision that costs as much is a blunder.
pub const BLUNDER: f64 = 0.25;
/// A difference counts only if it is greater than this many standard errors.
pub const CERTAIN: f64 = 2.0;

impl Mark {
    /// The mark for a decision that is this much worse than the best one.
    pub fn of(regret: f64) -> Mark {
        match regret {
            _ if regret >= BLUNDER => Mark::Blunder,
            _ if regret >= MISTAKE => Mark::Mistake,
            _ if regret >= SLIP => Mark::Slip,
            _ if regret > 0.0 => Mark::Fine,
            _ => Mark::Best,
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            Mark::Best => "best",
            Mark::Fine => "fine",
            Mark::Slip => "slip",
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
        }
    }
}

/// How many decisions have each mark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks {
    pub best: u32,
    pub fine: u32,
    pub slip: u32,
    pub mistake: u32,
    pub blunder: u32,
}

impl Marks {
    pub fn count(&mut self, mark: Mark) {
        *match mark {
            Mark::Best => &mut self.best,
            Mark::Fine => &mut self.fine,
            Mark::Slip => &mut self.slip,
            Mark::Mistake => &mut self.mistake,
            Mark::Blunder => &mut self.blunder,
        } += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_says_how_much_a_decision_cost() {
        let marks = [0.0, 0.01, 0.05, 0.119, 0.12, 0.25, 1.0].map(|regret| Mark::of(regret).word());
        assert_eq!(marks, ["best", "fine", "slip", "slip", "mistake", "blunder", "blunder"]);
    }
}
