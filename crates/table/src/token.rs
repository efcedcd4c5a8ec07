//! A player's secret for reconnecting, as it is stored.

use rules::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A token as it is kept: enough to recognise it, not enough to use it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TokenHash(String);

impl TokenHash {
    /// Tokens are random enough (190 bits) to need neither salt nor a slow hash.
    pub fn of(token: &str) -> TokenHash {
        TokenHash(hex(&Sha256::digest(token)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_kept_hashed() {
        assert_eq!(
            TokenHash::of("abc").0,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
