//! Nobody takes what belongs to a key: every game, every way in, whatever became of the owner.

use rules::Seed;
use trials::rehearsal::Rehearsal;
use wire::Playable;

const ANN: &str = "pk_aaaaaaaaaaaaaaaaaaaaaaaaaa";
const BOB: &str = "pk_bbbbbbbbbbbbbbbbbbbbbbbbbb";
const EVE: &str = "pk_eeeeeeeeeeeeeeeeeeeeeeeeee";

/// A way to be somebody at a table: what is said, and what shows that it was granted.
struct Way {
    wire: &'static str,
    /// `{}` stands for the name, perhaps with its key.
    says: &'static [&'static str],
    granted: &'static [&'static str],
    /// Whether it leads back to a seat that its player has left.
    leads_back: bool,
}

/// What the owner is called at the tables, if that is another name than on the list.
struct Case {
    plays_as: Option<&'static str>,
    ways: &'static [Way],
}

const HOUSE: Way = Way {
    wire: "house",
    says: &[r#"{"do":"join","name":"{}"}"#],
    granted: &[r#""type":"joined""#],
    leads_back: false,
};

const GUESS: Way = Way { says: &[r#"{"do":"resume","token":"{}"}"#], ..HOUSE };

const SUSHI_GO: Case = Case {
    plays_as: None,
    ways: &[
        Way {
            wire: "sushi-go",
            says: &["JOIN nowhere {}"],
            granted: &["WELCOME", "REJOINED", "HAND"],
            leads_back: true,
        },
        Way {
            wire: "sushi-go",
            says: &["JOIN open {}"],
            granted: &["WELCOME", "REJOINED", "HAND"],
            leads_back: false,
        },
        Way {
            wire: "sushi-go-sdk",
            says: &["JOIN nowhere {}"],
            granted: &["WELCOME", "REJOINED", "HAND"],
            leads_back: true,
        },
        Way {
            wire: "sushi-go",
            says: &["TOURNEY cup {}"],
            granted: &["TOURNAMENT_", "WELCOME", "REJOINED", "HAND"],
            leads_back: false,
        },
        Way {
            wire: "sushi-go",
            says: &["REJOIN {}"],
            granted: &["TOURNAMENT_", "WELCOME", "REJOINED", "HAND"],
            leads_back: false,
        },
        HOUSE,
        GUESS,
    ],
};

const GAMBA: Case = Case {
    plays_as: None,
    ways: &[
        Way {
            wire: "gamba",
            says: &["0|||name={}", "2|||"],
            granted: &["100|", "101|", "106|"],
            leads_back: false,
        },
        Way {
            wire: "gamba",
            says: &["6|||name={}"],
            granted: &["100|", "101|", "106|"],
            leads_back: true,
        },
        HOUSE,
        GUESS,
    ],
};

const SUBSIM: Case = Case {
    plays_as: None,
    ways: &[
        Way { wire: "subsim", says: &["J|{}|3|3"], granted: &["J|", "I|"], leads_back: false },
        HOUSE,
        GUESS,
    ],
};

const TIGER_DRAGON: Case = Case {
    plays_as: None,
    ways: &[
        Way {
            wire: "tiger-dragon",
            says: &[r#"{"type":"join","room_id":"room1","player_id":"{}","role":"player"}"#],
            granted: &["join_ack"],
            leads_back: true,
        },
        HOUSE,
        GUESS,
    ],
};

const MEMO: Way = Way {
    wire: "labyrinth",
    says: &[r#"{"color":"{}"}"#],
    granted: &["SUCCESS"],
    leads_back: false,
};

/// The course's protocol says nothing to who is granted a seat: it is not hung up on.
const COURSE: Way =
    Way { wire: "labyrinth-course", says: &[r#""{}""#], granted: &[], leads_back: false };

const LABYRINTH: Case = Case { plays_as: None, ways: &[COURSE, HOUSE, GUESS] };
const LABYRINTH_BY_COLOR: Case =
    Case { plays_as: Some("red"), ways: &[MEMO, COURSE, HOUSE, GUESS] };

#[derive(Clone, Copy, Debug, PartialEq)]
enum Owner {
    Late,
    Connected,
    Dropped,
    Restarted,
}

/// What the name belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Setting {
    /// It was claimed, and plays at an open table.
    Claimed,
    /// It is on the list of a tournament, with a key of its own.
    Entrant,
    /// It is on the list of a tournament, and was claimed.
    ClaimedEntrant,
}

struct Play<G: Playable> {
    rehearsal: Rehearsal<G>,
    next: usize,
}

impl<G: Playable> Play<G> {
    fn perform(&mut self, line: &str) {
        self.rehearsal.perform(line).unwrap_or_else(|why| panic!("{line}: {why}"));
    }

    /// Somebody new goes this way under a name. The actor, and whether it was granted.
    fn go(&mut self, way: &Way, said: &str) -> (String, bool) {
        self.next += 1;
        let actor = format!("actor{}", self.next);
        self.perform(&format!("connect {actor} {}", way.wire));
        for line in way.says {
            if self.rehearsal.is_connected(&actor) {
                self.perform(&format!("{actor}> {}", line.replace("{}", said)));
            }
        }
        let granted = match way.granted {
            [] => self.rehearsal.is_connected(&actor),
            signs => {
                let is_sign = |line: &String, sign: &&str| {
                    line.starts_with(*sign) || line.starts_with(['{', '"']) && line.contains(*sign)
                };
                let heard = self.rehearsal.received(&actor);
                heard.iter().any(|line| signs.iter().any(|sign| is_sign(line, sign)))
            }
        };
        (actor, granted)
    }
}

fn check<G: Playable>(case: &Case, owners_way: &Way, setting: Setting, owner: Owner) {
    let context = format!("{}, {}, {setting:?}, {owner:?}", G::NAME, owners_way.wire);
    let rehearsal =
        Rehearsal::<G>::new(G::Options::default(), Seed::from_number(7)).expect("a stage");
    let mut play = Play { rehearsal, next: 0 };
    let name = case.plays_as.unwrap_or("ann");
    let listed = case.plays_as.map_or("ann".to_owned(), |plays_as| format!("ann={plays_as}"));
    let bob = if case.plays_as.is_some() { "bob=blue" } else { "bob" };
    if setting != Setting::Entrant {
        play.perform(&format!("claim ann {ANN}"));
    }
    if setting != Setting::Claimed {
        let key = if setting == Setting::Entrant { ANN } else { "house" };
        play.perform(&format!(
            "tournament cup max_entrants=2 best_of=3 open=false open_names=false entrants={listed}@{key},{bob}@{BOB}"
        ));
    }
    if setting == Setting::Entrant {
        // Whoever claims the name afterwards has not claimed the place.
        play.perform(&format!("claim ann {EVE}"));
    }
    // The house wire has the key in a field of its own; behind the name it is no name.
    let with_key = |way: &Way, name: &str, key: &str| match way.wire {
        "house" => format!(r#"{name}","key":"{key}"#),
        _ => format!("{name}:{key}"),
    };
    let mut own = None;
    if owner != Owner::Late {
        let (ann, granted) = play.go(owners_way, &with_key(owners_way, name, ANN));
        assert!(granted, "{context}: the owner is let in\n{:?}", play.rehearsal);
        let other = if case.plays_as.is_some() { "blue" } else { "bob" };
        let key = if setting == Setting::Claimed { String::new() } else { format!(":{BOB}") };
        let said = match (owners_way.wire, setting) {
            ("house", Setting::Entrant | Setting::ClaimedEntrant) => {
                with_key(owners_way, other, BOB)
            }
            ("house", _) => other.to_owned(),
            _ => format!("{other}{key}"),
        };
        play.go(owners_way, &said);
        own = Some(ann);
    }
    match (owner, &own) {
        (Owner::Dropped, Some(ann)) => {
            let line = format!("drop {ann}");
            play.perform(&line);
        }
        (Owner::Restarted, _) => play.perform("restart"),
        _ => {}
    }
    for way in case.ways {
        for name in [name, "ann", "ANN"] {
            for said in [name.to_owned(), with_key(way, name, EVE), with_key(way, name, BOB)] {
                if way.says == GUESS.says && said.contains("\"key\"") {
                    continue;
                }
                let (eve, granted) = play.go(way, &said);
                // Where the owner plays under another name, its own opens nothing of it; and a name in
                // capitals is somebody else's unless it was claimed, which the rehearsals show.
                if name == case.plays_as.unwrap_or("ann") {
                    let heard = play.rehearsal.received(&eve);
                    assert!(!granted, "{context}: {} {said}\n{heard:#?}", way.wire);
                }
                if play.rehearsal.is_connected(&eve) {
                    play.perform(&format!("drop {eve}"));
                }
            }
        }
    }
    if let (Owner::Connected, Some(ann)) = (owner, &own) {
        assert!(play.rehearsal.is_connected(ann), "{context}: the owner stays");
    }
    let back = case.ways.iter().find(|way| match owner {
        Owner::Late => way.wire == owners_way.wire && way.says == owners_way.says,
        Owner::Dropped | Owner::Restarted => {
            way.leads_back && owners_way.leads_back_to(way) && setting != Setting::Claimed
        }
        Owner::Connected => false,
    });
    if let Some(way) = back {
        let (_, granted) = play.go(way, &with_key(way, name, ANN));
        assert!(granted, "{context}: the owner comes back\n{:?}", play.rehearsal);
    }
}

impl Way {
    /// Whether whoever sat down this way comes back that way: both are of the game's own protocols.
    fn leads_back_to(&self, way: &Way) -> bool {
        self.wire == way.wire && self.wire != "house"
    }
}

fn check_all<G: Playable>(case: &Case, settings: &[Setting]) {
    for way in case.ways {
        // Ways that do not bring anybody to a table are for strangers to try.
        let joins = way.says != GUESS.says
            && !way.says.iter().any(|line| {
                ["TOURNEY", "REJOIN", "JOIN open", "6|||"].iter().any(|word| line.starts_with(word))
            });
        for setting in settings {
            // The tables of Sushi Go are joined by their ids.
            if !joins || *setting == Setting::Claimed && way.says[0].starts_with("JOIN") {
                continue;
            }
            for owner in [Owner::Late, Owner::Connected, Owner::Dropped, Owner::Restarted] {
                check::<G>(case, way, *setting, owner);
            }
        }
    }
}

#[test]
fn no_stranger_takes_anything() {
    let all = [Setting::Claimed, Setting::Entrant, Setting::ClaimedEntrant];
    check_all::<crate::sushi_go::SushiGo>(&SUSHI_GO, &all);
    check_all::<crate::gamba::Gamba>(&GAMBA, &all);
    check_all::<crate::subsim::SubSim>(&SUBSIM, &all);
    check_all::<crate::tiger_dragon::TigerDragon>(&TIGER_DRAGON, &all);
    check_all::<crate::labyrinth::Labyrinth>(&LABYRINTH, &all);
    check_all::<crate::labyrinth::Labyrinth>(&LABYRINTH_BY_COLOR, &all[1..]);
}
