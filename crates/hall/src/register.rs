//! The house's register: what it knows for as long as its data lasts, for all games at once.
//!
//! A [`Register`] is the fold of its records and nothing else. Whatever another node must see of
//! the house (whose name is whose, who organises, who is banned) is one of these records.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use table::{Name, Time};

use crate::admin::{AdminGrant, AdminGrants, Scope};
use crate::bans::{Ban, BanSubject, Bans};
use crate::key::KeyHash;

/// What this code writes, and the latest it reads.
const VERSION: u32 = 1;

/// So many letters a name has that somebody can claim.
const LENGTH: RangeInclusive<usize> = 1..=24;

/// One record as the journal keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HouseEntry {
    pub version: u32,
    pub record: HouseRecord,
}

impl HouseEntry {
    pub fn new(record: HouseRecord) -> HouseEntry {
        HouseEntry { version: VERSION, record }
    }
}

/// Everything that changes the register.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HouseRecord {
    /// A name has a key from now on, or another one in place of the one it had.
    Claimed { name: Name, key: KeyHash },
    /// What plays under a name is this version from now on; none: its owner does not say.
    Versioned { name: Name, version: Option<Name> },
    /// A name is anybody's again.
    Released { name: Name },
    /// An organiser has a token, or another one in place of the one it had.
    Granted { name: String, scope: Scope, token: KeyHash },
    /// An organiser's token is none any more.
    Revoked { name: String },
    /// Somebody is not let in.
    Banned { subject: BanSubject, until: Option<Time>, reason: String },
    /// Somebody is let in again.
    Lifted { subject: BanSubject },
}

/// The fold of the house's records.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Register {
    /// By the name in small letters: nobody passes for `Ann` as `ANN`.
    names: BTreeMap<String, ClaimedName>,
    /// The same by their keys.
    owners: BTreeMap<KeyHash, String>,
    pub admins: AdminGrants,
    pub bans: Bans,
}

/// A name that has a key.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimedName {
    /// As it was claimed.
    pub name: Name,
    pub key: KeyHash,
    /// When its key was made.
    pub since: Time,
    /// Which version of a program plays under it, where its protocol has no word for that.
    pub version: Option<Name>,
}

impl Register {
    /// The register after all its records, or why these are none.
    pub fn fold<'a>(
        entries: impl IntoIterator<Item = (Time, &'a HouseEntry)>,
    ) -> Result<Register, String> {
        let mut register = Register::default();
        for (number, (at, HouseEntry { version, record })) in entries.into_iter().enumerate() {
            if *version > VERSION {
                return Err(format!(
                    "entry {} was written by a newer Parlor (version {version}; this one knows up to {VERSION})",
                    number + 1
                ));
            }
            register.apply(at, record);
        }
        Ok(register)
    }

    /// The only mutator.
    pub fn apply(&mut self, at: Time, record: &HouseRecord) {
        match record {
            HouseRecord::Claimed { name, key } => {
                let former = self.names.remove(&folded(name));
                former.iter().for_each(|former| _ = self.owners.remove(&former.key));
                let version = former.and_then(|former| former.version);
                let (name_as_claimed, key_of) = (name.clone(), key.clone());
                let claimed =
                    ClaimedName { name: name_as_claimed, key: key_of, since: at, version };
                self.names.insert(folded(name), claimed);
                self.owners.insert(key.clone(), folded(name));
            }
            HouseRecord::Versioned { name, version } => {
                if let Some(known) = self.names.get_mut(&folded(name)) {
                    known.version.clone_from(version);
                }
            }
            HouseRecord::Released { name } => {
                let former = self.names.remove(&folded(name));
                former.iter().for_each(|former| _ = self.owners.remove(&former.key));
            }
            HouseRecord::Granted { name, scope, token } => {
                self.admins
                    .add(name, AdminGrant { scope: *scope, token: token.clone(), since: at });
            }
            HouseRecord::Revoked { name } => self.admins.remove(name),
            HouseRecord::Banned { subject, until, reason } => {
                let ban = Ban { since: at, until: *until, reason: reason.clone() };
                self.bans.add(subject.clone(), ban);
            }
            HouseRecord::Lifted { subject } => self.bans.lift(subject),
        }
    }

    /// Who this name belongs to, if it is claimed; capitals make no difference.
    pub fn claimed(&self, name: &str) -> Option<&ClaimedName> {
        // Most houses know no names, and this is asked for everybody who comes.
        if self.names.is_empty() { None } else { self.names.get(&folded(name)) }
    }

    /// Whose key this is.
    pub fn owner(&self, key: &KeyHash) -> Option<&Name> {
        let folded = self.owners.get(key)?;
        self.names.get(folded).map(|claimed| &claimed.name)
    }

    /// All claimed names, in the order of the alphabet.
    pub fn names(&self) -> impl Iterator<Item = &ClaimedName> {
        self.names.values()
    }
}

/// Whether a name can be claimed, or why not: every game's protocol can say these.
pub fn check_claim(name: &str) -> Result<(), String> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let begins_well = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    if LENGTH.contains(&name.len()) && begins_well && name.chars().all(allowed) {
        return Ok(());
    }
    Err(format!(
        "'{}' cannot be claimed: a name has 1 to {} letters (a-z), digits, '-', '_' or '.', and begins with a letter or digit",
        name.escape_debug(),
        LENGTH.end()
    ))
}

fn folded(name: &str) -> String {
    name.to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claimed(name: &str, key: &str) -> HouseEntry {
        HouseEntry::new(HouseRecord::Claimed { name: name.into(), key: KeyHash::of(key) })
    }

    fn fold(entries: &[HouseEntry]) -> Result<Register, String> {
        Register::fold(entries.iter().zip(1..).map(|(entry, at)| (Time(at), entry)))
    }

    #[test]
    fn a_name_has_the_key_it_was_given_last() {
        let mut entries = vec![claimed("Ann", "one"), claimed("bob", "two"), claimed("ann", "new")];
        let register = fold(&entries).unwrap();
        assert_eq!(register.claimed("ANN").unwrap().key, KeyHash::of("new"));
        assert_eq!(register.claimed("ann").unwrap().since, Time(3));
        assert!(register.claimed("anna").is_none());
        assert_eq!(register.owner(&KeyHash::of("new")), Some(&"ann".into()));
        assert_eq!(register.owner(&KeyHash::of("one")), None, "it has another one now");
        entries.push(HouseEntry::new(HouseRecord::Released { name: "aNN".into() }));
        let register = fold(&entries).unwrap();
        assert!(register.claimed("Ann").is_none());
        assert_eq!(register.names().map(|known| &*known.name).collect::<Vec<_>>(), ["bob"]);
    }

    #[test]
    fn a_name_keeps_its_version_with_another_key_and_loses_it_with_its_owner() {
        let versioned = |version: Option<&str>| {
            let version = version.map(Name::from);
            HouseEntry::new(HouseRecord::Versioned { name: "ANN".into(), version })
        };
        let version = |entries: &[HouseEntry]| {
            let register = fold(entries).unwrap();
            register.claimed("ann").unwrap().version.as_deref().map(str::to_owned)
        };
        let mut entries = vec![
            versioned(Some("0")),
            claimed("Ann", "one"),
            versioned(Some("1.4")),
            claimed("Ann", "two"),
        ];
        assert_eq!(version(&entries), Some("1.4".to_owned()));
        entries.push(versioned(None));
        assert_eq!(version(&entries), None);
        entries.push(versioned(Some("2")));
        entries.push(HouseEntry::new(HouseRecord::Released { name: "ann".into() }));
        entries.push(claimed("ann", "three"));
        assert_eq!(version(&entries), None, "another owner has another bot");
    }

    #[test]
    fn records_are_the_same_after_a_journey_as_text() {
        let entry = claimed("Ann", "one");
        let text = serde_json::to_string(&entry).unwrap();
        assert!(text.starts_with(r#"{"version":1,"record":{"claimed":{"name":"Ann","key":""#));
        assert_eq!(serde_json::from_str::<HouseEntry>(&text).unwrap(), entry);
    }

    #[test]
    fn what_a_newer_release_wrote_is_refused() {
        let entry = HouseEntry { version: VERSION + 1, ..claimed("ann", "one") };
        assert!(fold(&[entry]).unwrap_err().contains("entry 1 was written by a newer Parlor"));
    }

    #[test]
    fn names_that_every_protocol_can_say_can_be_claimed() {
        for name in ["a", "Ann", "bot-7", "x.y_z", "0", "abcdefghijklmnopqrstuvwx"] {
            assert_eq!(check_claim(name), Ok(()), "{name}");
        }
        for name in ["", "-a", "a b", "a:b", "ä", "a\n", "a|b", "abcdefghijklmnopqrstuvwxy"] {
            assert!(check_claim(name).is_err(), "{name}");
        }
    }
}
