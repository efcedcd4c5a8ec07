//! Keys: proof that a player owns a name.
//!
//! A key is `pk_` and 26 lower-case letters and digits. The issuer draws it from the system's
//! randomness; this module recognises it in a player's text and stores it as a hash.

use std::borrow::Cow;

use rules::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// How every key begins.
const MARK: &str = "pk_";
const LETTERS: usize = 26;
const ALPHABET: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";

/// A key as it is kept: enough to recognise it, not enough to use it. Two are compared without
/// stopping at the first difference.
#[derive(Clone, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeyHash(String);

impl KeyHash {
    /// Keys are random enough (134 bits) to need neither salt nor a slow hash.
    pub fn of(key: &str) -> KeyHash {
        KeyHash(hex(&Sha256::digest(key)))
    }

    /// Enough to tell keys apart in a list.
    pub fn fingerprint(&self) -> &str {
        self.0.get(..12).unwrap_or(&self.0)
    }
}

impl PartialEq for KeyHash {
    fn eq(&self, other: &KeyHash) -> bool {
        self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
    }
}

/// The order says nothing about keys, only about their hashes.
impl Ord for KeyHash {
    fn cmp(&self, other: &KeyHash) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}

impl PartialOrd for KeyHash {
    fn partial_cmp(&self, other: &KeyHash) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl std::fmt::Debug for KeyHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("KeyHash")
    }
}

/// A new key, made of random bytes. `None`: too many of them were of no use, draw again.
pub fn make_key(random: &[u8; 64]) -> Option<String> {
    // Bytes beyond the last whole multiple of 36 would favour the first letters.
    let fair = random.iter().filter(|byte| **byte < 252);
    let letters: String =
        fair.take(LETTERS).map(|byte| char::from(ALPHABET[usize::from(byte % 36)])).collect();
    (letters.len() == LETTERS).then(|| format!("{MARK}{letters}"))
}

/// Whether a text is a key.
pub fn is_key(text: &str) -> bool {
    text.strip_prefix(MARK).is_some_and(|letters| {
        letters.len() == LETTERS && letters.bytes().all(|byte| ALPHABET.contains(&byte))
    })
}

/// A player's name and the key after it, if there is one: `ann:pk_…`. Any other ending belongs to
/// the name.
pub fn split_key(said: &str) -> (&str, Option<&str>) {
    match said.rsplit_once(':') {
        Some((name, key)) if is_key(key) => (name, Some(key)),
        _ => (said, None),
    }
}

/// The first key in a text.
pub fn key_in(text: &str) -> Option<&str> {
    let keys = text.match_indices(MARK);
    let mut keys = keys.filter_map(|(at, _)| text.get(at..at + MARK.len() + LETTERS));
    keys.find(|key| is_key(key))
}

/// A text with its keys removed.
pub fn hide_keys(text: &str) -> Cow<'_, str> {
    let mut hidden = Cow::Borrowed(text);
    let mut from = 0;
    while let Some(found) = hidden[from..].find(MARK) {
        let begins = from + found;
        let ends = begins + MARK.len() + LETTERS;
        from = begins + MARK.len();
        if hidden.get(begins..ends).is_some_and(is_key) {
            hidden.to_mut().replace_range(from..ends, "…");
        }
    }
    hidden
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "pk_abcdefghijklmnopqrstuvwx01";

    #[test]
    fn keys_are_made_of_what_is_random() {
        let random: [u8; 64] = std::array::from_fn(|n| n as u8);
        let key = make_key(&random).unwrap();
        assert_eq!(key, "pk_abcdefghijklmnopqrstuvwxyz");
        assert!(is_key(&key));
        assert_eq!(make_key(&[255; 64]), None);
    }

    #[test]
    fn a_key_is_found_wherever_it_stands() {
        assert_eq!(key_in(&format!(r#"{{"color":"pk_:{KEY}"}}"#)), Some(KEY));
        for none in ["", "pk_", "ann:pk_short", "pk_ABCDEFGHIJKLMNOPQRSTUVWXYZ", "pk_ü"] {
            assert_eq!(key_in(none), None, "{none}");
        }
    }

    #[test]
    fn only_a_final_key_is_cut_off() {
        let long = format!("a:b:{KEY}");
        for (said, name, key) in [
            (&*format!("ann:{KEY}"), "ann", Some(KEY)),
            (&*long, "a:b", Some(KEY)),
            (&*format!("ann:{KEY}x"), &*format!("ann:{KEY}x"), None),
            (&*format!("ann:{KEY} "), &*format!("ann:{KEY} "), None),
            ("ann:pk_short", "ann:pk_short", None),
            (KEY, KEY, None),
            ("ann", "ann", None),
            (&*format!(":{KEY}"), "", Some(KEY)),
        ] {
            assert_eq!(split_key(said), (name, key), "{said}");
        }
    }

    #[test]
    fn keys_are_hidden_wherever_they_stand() {
        assert_eq!(hide_keys("JOIN g ann"), "JOIN g ann");
        assert_eq!(hide_keys(&format!("JOIN g ann:{KEY}")), "JOIN g ann:pk_…");
        assert_eq!(hide_keys(&format!("{KEY}{KEY} pk_é {KEY}")), "pk_…pk_… pk_é pk_…");
        assert_eq!(hide_keys("pk_pk_"), "pk_pk_");
    }

    #[test]
    fn a_hash_recognises_its_key_and_shows_nothing() {
        assert_eq!(KeyHash::of(KEY), KeyHash::of(KEY));
        assert_ne!(KeyHash::of(KEY), KeyHash::of("pk_abcdefghijklmnopqrstuvwx02"));
        assert_eq!(format!("{:?}", KeyHash::of(KEY)), "KeyHash");
    }
}
