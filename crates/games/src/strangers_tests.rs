//! No one takes what belongs to a key: every game, every way in, in every state of the owner.

use rules::Seed;
use trials::rehearsal::Rehearsal;
use wire::Playable;

const ANN: &str = "pk_aaaaaaaaaaaaaaaaaaaaaaaaaa";
const BOB: &str = "pk_bbbbbbbbbbbbbbbbbbbbbbbbbb";
const EVE: &str = "pk_eeeeeeeeeeeeeeeeeeeeeeeeee";

/// A way to get a seat: what is sent, and which replies show that it was granted.
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
    /// It is on the list of a tournament, with its own key.
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

    /// A new client tries this way under a name. Returns the client, and whether it was let in.
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

/// One owner, one way in, one state of the name.
struct Check<'a> {
    case: &'a Case,
    owners_way: &'a Way,
    setting: Setting,
    owner: Owner,
}

impl Check<'_> {
    fn run<G: Playable>(&self) {
        let rehearsal =
            Rehearsal::<G>::new(G::Options::default(), Seed::from_number(7)).expect("a stage");
        let mut play = Play { rehearsal, next: 0 };
        self.claim_and_convene(&mut play);
        let own = (self.owner != Owner::Late).then(|| self.seat_owner(&mut play));
        match (self.owner, &own) {
            (Owner::Dropped, Some(ann)) => play.perform(&format!("drop {ann}")),
            (Owner::Restarted, _) => play.perform("restart"),
            _ => {}
        }
        self.try_as_stranger(&mut play);
        if let (Owner::Connected, Some(ann)) = (self.owner, &own) {
            assert!(play.rehearsal.is_connected(ann), "{}: the owner stays", self.context::<G>());
        }
        self.return_as_owner(&mut play);
    }

    fn context<G: Playable>(&self) -> String {
        format!("{}, {}, {:?}, {:?}", G::NAME, self.owners_way.wire, self.setting, self.owner)
    }

    /// The owner's name at the tables.
    fn name(&self) -> &'static str {
        self.case.plays_as.unwrap_or("ann")
    }

    /// The name gets its key, by a claim or as an entrant of a tournament.
    fn claim_and_convene<G: Playable>(&self, play: &mut Play<G>) {
        if self.setting != Setting::Entrant {
            play.perform(&format!("claim ann {ANN}"));
        }
        if self.setting != Setting::Claimed {
            let plays_as = self.case.plays_as;
            let ann = plays_as.map_or("ann".to_owned(), |plays_as| format!("ann={plays_as}"));
            let bob = if plays_as.is_some() { "bob=blue" } else { "bob" };
            let key = if self.setting == Setting::Entrant { ANN } else { "house" };
            play.perform(&format!(
                "tournament cup max_entrants=2 best_of=3 open=false open_names=false entrants={ann}@{key},{bob}@{BOB}"
            ));
        }
        if self.setting == Setting::Entrant {
            // Claiming the name afterwards does not claim the place.
            play.perform(&format!("claim ann {EVE}"));
        }
    }

    /// The owner and an opponent sit down. Returns the owner's connection.
    fn seat_owner<G: Playable>(&self, play: &mut Play<G>) -> String {
        let way = self.owners_way;
        let (ann, granted) = play.go(way, &way.with_key(self.name(), ANN));
        assert!(granted, "{}: the owner is let in\n{:?}", self.context::<G>(), play.rehearsal);
        let other = if self.case.plays_as.is_some() { "blue" } else { "bob" };
        let said = match self.setting {
            Setting::Claimed => other.to_owned(),
            Setting::Entrant | Setting::ClaimedEntrant => way.with_key(other, BOB),
        };
        play.go(way, &said);
        ann
    }

    /// A stranger tries every way in, without a key and with wrong ones.
    fn try_as_stranger<G: Playable>(&self, play: &mut Play<G>) {
        for way in self.case.ways {
            for name in [self.name(), "ann", "ANN"] {
                for said in [name.to_owned(), way.with_key(name, EVE), way.with_key(name, BOB)] {
                    if way.says == GUESS.says && said.contains("\"key\"") {
                        continue;
                    }
                    let (eve, granted) = play.go(way, &said);
                    // Where the owner plays under another name, its own opens nothing of it; and a
                    // name in capitals is another player's unless it was claimed, which the
                    // transcripts show.
                    if name == self.name() {
                        let received = play.rehearsal.received(&eve);
                        let context = self.context::<G>();
                        assert!(!granted, "{context}: {} {said}\n{received:#?}", way.wire);
                    }
                    if play.rehearsal.is_connected(&eve) {
                        play.perform(&format!("drop {eve}"));
                    }
                }
            }
        }
    }

    /// The owner still gets in, or back to the seat.
    fn return_as_owner<G: Playable>(&self, play: &mut Play<G>) {
        let back = self.case.ways.iter().find(|way| match self.owner {
            Owner::Late => way.wire == self.owners_way.wire && way.says == self.owners_way.says,
            Owner::Dropped | Owner::Restarted => {
                way.leads_back
                    && self.owners_way.leads_back_to(way)
                    && self.setting != Setting::Claimed
            }
            Owner::Connected => false,
        });
        if let Some(way) = back {
            let (_, granted) = play.go(way, &way.with_key(self.name(), ANN));
            let context = self.context::<G>();
            assert!(granted, "{context}: the owner comes back\n{:?}", play.rehearsal);
        }
    }
}

impl Way {
    /// A name with its key: in the JSON protocol in a separate field, elsewhere after the name.
    fn with_key(&self, name: &str, key: &str) -> String {
        match self.wire {
            "house" => format!(r#"{name}","key":"{key}"#),
            _ => format!("{name}:{key}"),
        }
    }

    /// Whether a player who sat down this way can return that way: both are of the game's own protocols.
    fn leads_back_to(&self, way: &Way) -> bool {
        self.wire == way.wire && self.wire != "house"
    }
}

fn check_all<G: Playable>(case: &Case, settings: &[Setting]) {
    for way in case.ways {
        // Ways that bring no one to a table are only for strangers to try.
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
                Check { case, owners_way: way, setting: *setting, owner }.run::<G>();
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
