//! A table's promise about its deal: a commitment to the seed, published before any player sits
//! down. Seed and salt are published when the game is over. A player who noted the commitment can
//! then check that the deal wasn't chosen in between.

use rules::{Seed, hex};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::Name;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Promise {
    /// Extra randomness: small seeds could be guessed without it.
    pub salt: Seed,
    pub commitment: Name,
}

impl Promise {
    pub fn new(game: &str, table: &str, seed: &Seed, salt: Seed) -> Promise {
        Promise { salt, commitment: commitment(game, table, seed, &salt).into() }
    }

    /// Whether this seed is the one that was promised.
    pub fn is_kept(&self, game: &str, table: &str, seed: &Seed) -> bool {
        *self.commitment == *commitment(game, table, seed, &self.salt)
    }
}

/// SHA-256 of a label, the game, the table's id, seed and salt, as hexadecimal digits.
fn commitment(game: &str, table: &str, seed: &Seed, salt: &Seed) -> String {
    let mut hash = Sha256::new();
    for text in ["parlor seed", game, table] {
        hash.update(text);
        hash.update([0]);
    }
    hash.update(seed.0);
    hash.update(salt.0);
    hex(&hash.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An independent check computes the commitment as documented.
    #[test]
    fn a_commitment_is_made_as_documented() {
        let (seed, salt) = (Seed::from_number(1), Seed::from_number(2));
        let mut text = b"parlor seed\0gamba\0t-1\0".to_vec();
        text.extend(seed.0);
        text.extend(salt.0);
        let promise = Promise::new("gamba", "t-1", &seed, salt);
        assert_eq!(*promise.commitment, hex(&Sha256::digest(text)));
        assert!(promise.is_kept("gamba", "t-1", &seed));
        assert!(!promise.is_kept("gamba", "t-1", &Seed::from_number(3)));
        assert!(!promise.is_kept("gamba", "t-2", &seed));
    }
}
