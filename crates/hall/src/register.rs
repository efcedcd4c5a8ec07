//! The register: what the server knows as long as its data lasts, for all games at once.
//!
//! A [`Register`] is the fold of its records and nothing else. Everything another node must know
//! (who owns a name, who organises, who is banned) is one of these records.

use std::ops::RangeInclusive;

use rpds::RedBlackTreeMapSync as SharedMap;
use serde::{Deserialize, Serialize};
use table::{Name, Time, looks};

use crate::admin::{AdminGrant, AdminGrants, Scope};
use crate::bans::{Ban, BanSubject, Bans};
use crate::key::KeyHash;

/// The latest version of an entry that this code reads.
const VERSION: u32 = 2;

/// Length of a name that can be claimed, in characters.
const LENGTH: RangeInclusive<usize> = 1..=24;

/// One record as the journal keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HouseEntry {
    pub version: u32,
    pub record: HouseRecord,
}

impl HouseEntry {
    pub fn new(record: HouseRecord) -> HouseEntry {
        // Releases that know only the first kinds of records read those of this one.
        let version = if matches!(record, HouseRecord::Proven { .. }) { VERSION } else { 1 };
        HouseEntry { version, record }
    }
}

/// Everything that changes the register.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HouseRecord {
    /// A name has a key from now on, or another one in place of the one it had.
    Claimed { name: Name, key: KeyHash },
    /// The program version that plays under a name from now on; `None`: the owner doesn't say.
    Versioned { name: Name, version: Option<Name> },
    /// A name is free again: its owner released it, or it expired.
    Released { name: Name },
    /// A game was finished under a name, so the name doesn't expire.
    Proven { name: Name },
    /// An organiser has a token, or another one in place of the one it had.
    Granted { name: String, scope: Scope, token: KeyHash },
    /// An organiser's token is none any more.
    Revoked { name: String },
    /// A ban.
    Banned { subject: BanSubject, until: Option<Time>, reason: String },
    /// A ban is lifted.
    Lifted { subject: BanSubject },
}

/// The fold of the register's records. Every hall has a copy; copies share their common parts, so
/// one more name doesn't copy all others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Register {
    /// Keyed by the lower-case name: `ANN` can't pass for `Ann`.
    names: SharedMap<String, ClaimedName>,
    /// The same by their keys.
    owners: SharedMap<KeyHash, String>,
    /// The same by what they look like. Several look alike only if earlier releases let them be claimed.
    lookalikes: SharedMap<String, Vec<String>>,
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
    /// When it was claimed, with whatever key.
    pub claimed_at: Time,
    /// Whether a game was finished under it.
    pub proven: bool,
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
                let former = self.release(name);
                let claimed_at = former.as_ref().map_or(at, |former| former.claimed_at);
                let proven = former.as_ref().is_some_and(|former| former.proven);
                let version = former.and_then(|former| former.version);
                self.insert(ClaimedName {
                    name: name.clone(),
                    key: key.clone(),
                    since: at,
                    claimed_at,
                    proven,
                    version,
                });
            }
            HouseRecord::Versioned { name, version } => {
                if let Some(known) = self.names.get_mut(&folded(name)) {
                    known.version.clone_from(version);
                }
            }
            HouseRecord::Released { name } => _ = self.release(name),
            HouseRecord::Proven { name } => {
                if let Some(known) = self.names.get_mut(&folded(name)) {
                    known.proven = true;
                }
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

    fn insert(&mut self, claimed: ClaimedName) {
        let place = folded(&claimed.name);
        self.owners.insert_mut(claimed.key.clone(), place.clone());
        for look in looks(&claimed.name) {
            let mut alike = self.lookalikes.get(&look).cloned().unwrap_or_default();
            alike.push(place.clone());
            self.lookalikes.insert_mut(look, alike);
        }
        self.names.insert_mut(place, claimed);
    }

    fn release(&mut self, name: &str) -> Option<ClaimedName> {
        let place = folded(name);
        let former = self.names.get(&place).cloned()?;
        self.names.remove_mut(&place);
        self.owners.remove_mut(&former.key);
        for look in looks(&former.name) {
            let mut alike = self.lookalikes.get(&look).cloned().unwrap_or_default();
            alike.retain(|other| *other != place);
            match alike.is_empty() {
                true => _ = self.lookalikes.remove_mut(&look),
                false => self.lookalikes.insert_mut(look, alike),
            }
        }
        Some(former)
    }

    /// The claimed name that people would take this one for: itself, if it is claimed.
    pub fn taken_for(&self, name: &str) -> Option<&ClaimedName> {
        if self.names.is_empty() {
            return None;
        }
        self.claimed(name).or_else(|| {
            let alike = looks(name).into_iter().find_map(|look| self.lookalikes.get(&look))?;
            self.names.get(alike.first()?)
        })
    }

    /// How many names are claimed.
    pub fn len(&self) -> usize {
        self.names.size()
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The owner of this name, if it is claimed; case makes no difference.
    pub fn claimed(&self, name: &str) -> Option<&ClaimedName> {
        // Most servers have no claimed names, and this is checked for every new player.
        if self.names.is_empty() { None } else { self.names.get(&folded(name)) }
    }

    /// The owner of this key.
    pub fn owner(&self, key: &KeyHash) -> Option<&Name> {
        let folded = self.owners.get(key)?;
        self.names.get(folded).map(|claimed| &claimed.name)
    }

    /// All claimed names, in the order of the alphabet.
    pub fn names(&self) -> impl Iterator<Item = &ClaimedName> {
        self.names.values()
    }

    /// Names claimed before this time under which no game is known to have been finished.
    pub fn unproven_before(&self, time: Time) -> impl Iterator<Item = &ClaimedName> {
        self.names().filter(move |known| !known.proven && known.claimed_at < time)
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
    fn a_name_is_taken_for_the_one_that_it_looks_like() {
        let mut entries = vec![claimed("ann", "one"), claimed("bill", "two")];
        let register = fold(&entries).unwrap();
        let taken_for = |name: &str| register.taken_for(name).map(|known| known.name.to_string());
        for name in ["ann", "ANN", "аnn", "ａnn", "ann\u{200b}"] {
            assert_eq!(taken_for(name).as_deref(), Some("ann"), "{name:?}");
        }
        assert_eq!(taken_for("bi1l").as_deref(), Some("bill"));
        assert_eq!(taken_for("anna"), None);
        assert!(register.claimed("аnn").is_none(), "it is not the name itself");
        // An earlier release let both be claimed: each is its owner's.
        entries.push(claimed("bi1l", "three"));
        let register = fold(&entries).unwrap();
        assert_eq!(register.taken_for("bi1l").unwrap().key, KeyHash::of("three"));
        assert_eq!(register.taken_for("bill").unwrap().key, KeyHash::of("two"));
        for name in ["bill", "ann"] {
            entries.push(HouseEntry::new(HouseRecord::Released { name: name.into() }));
        }
        let register = fold(&entries).unwrap();
        assert_eq!(&*register.taken_for("biII").unwrap().name, "bi1l");
        assert!(register.taken_for("аnn").is_none(), "it is anybody's again");
    }

    #[test]
    fn a_name_under_which_a_game_was_finished_stays_proven_with_another_key() {
        let proven = || HouseEntry::new(HouseRecord::Proven { name: "ANN".into() });
        let entries = [claimed("Ann", "one"), proven(), claimed("Ann", "two"), claimed("bob", "b")];
        let register = fold(&entries).unwrap();
        let ann = register.claimed("ann").unwrap();
        assert_eq!((ann.proven, ann.claimed_at, ann.since), (true, Time(1), Time(3)));
        let before =
            |time| register.unproven_before(Time(time)).map(|known| &*known.name).collect();
        assert_eq!((before(4), before(5)), (Vec::<&str>::new(), vec!["bob"]));
        assert_eq!((proven().version, claimed("Ann", "one").version), (2, 1));
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
