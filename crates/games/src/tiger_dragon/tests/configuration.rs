//! What an organiser may choose, and what the refusals say.

use rules::{Game, Seed};

use crate::tiger_dragon::{Config, Ruleset, TigerDragon, Tile, answers};

fn refusal(config: &Config, seats: usize) -> String {
    TigerDragon::setup(config, seats, Seed::from_number(1)).expect_err("must be refused").0
}

fn refused_battlefield(battlefield: &str) -> String {
    refusal(&Config { battlefield: battlefield.to_owned(), ..Config::default() }, 4)
}

#[test]
fn refusals_name_the_value_and_what_is_allowed() {
    assert_eq!(refusal(&Config::default(), 1), "tiger-dragon has 2 to 5 seats, not 1");
    assert_eq!(refusal(&Config::default(), 6), "tiger-dragon has 2 to 5 seats, not 6");
    let without_end = Config { target: 0, ..Config::default() };
    assert_eq!(refusal(&without_end, 4), "target must be 1 to 1000, not 0");
    assert_eq!(
        refused_battlefield("moon"),
        "battlefield: \"moon\" is no card; the cards are dojo, bamboo-grove, volcano, beach, \
         grassland, clifftop, storm, swamp, dense-fog, cave, game-market, or give a table of \
         lines such as \"7,8:4+bonus\""
    );
    assert_eq!(
        refused_battlefield("1,2,3,4,5,6,7,8,T:1"),
        "battlefield: the table does not say what D is worth"
    );
    assert_eq!(
        refused_battlefield("1,2,3:1\n3:2"),
        "battlefield: \"3:2\": 3 has its points already"
    );
    assert_eq!(
        refused_battlefield("9:1"),
        "battlefield: \"9:1\": \"9\" is no tile: the tiles are 1 to 8, T and D"
    );
    assert_eq!(
        refused_battlefield("1:1\nT D"),
        "battlefield: \"T D\" is no line such as \"7,8:4+bonus\" or \"T,D:1\""
    );
    for worth in ["0", "1001", "", "x", "4+b", "-1"] {
        assert_eq!(
            refused_battlefield(&format!("8:{worth}")),
            format!(
                "battlefield: \"8:{worth}\": a tile is worth 1 to 1000 points, with or without \
                 \"+bonus\""
            )
        );
    }
}

#[test]
fn a_configuration_reads_with_defaults_and_no_strange_keys() {
    let config: Config = serde_json::from_str(r#"{"rules":"original"}"#).unwrap();
    assert_eq!(config, Config { rules: Ruleset::Original, ..Config::default() });
    assert!(serde_json::from_str::<Config>(r#"{"rule":"original"}"#).is_err());
    assert!(serde_json::from_str::<Config>(r#"{"rules":"house"}"#).is_err());
}

#[test]
fn the_deal() {
    let sizes = |rules, seats| {
        let config = Config { rules, ..Config::default() };
        let game = TigerDragon::setup(&config, seats, Seed::from_number(1)).unwrap();
        game.hands.iter().map(|hand| hand.len()).collect::<Vec<_>>()
    };
    assert_eq!(sizes(Ruleset::Official, 2), [14, 13]);
    assert_eq!(sizes(Ruleset::Official, 3), [12, 11, 11]);
    assert_eq!(sizes(Ruleset::Official, 4), [10, 9, 9, 9]);
    assert_eq!(sizes(Ruleset::Official, 5), [8, 7, 7, 7, 7]);
    assert_eq!(sizes(Ruleset::Original, 2), [13, 12]);
    assert_eq!(sizes(Ruleset::Original, 4), [10, 9, 9, 9]);
}

#[test]
fn what_answers_what() {
    let known = [
        (Tile::One, "1,D"),
        (Tile::Two, "2,T"),
        (Tile::Three, "3,D"),
        (Tile::Four, "4,T"),
        (Tile::Five, "5,D"),
        (Tile::Six, "6,T"),
        (Tile::Seven, "7,D"),
        (Tile::Eight, "8,T"),
        (Tile::Dragon, "1,3,5,7"),
        (Tile::Tiger, "2,4,6,8"),
    ];
    for (attack, expected) in known {
        assert_eq!(answers(Ruleset::Official, attack).to_string(), expected);
        let original = if attack.number().is_some() { expected } else { "" };
        assert_eq!(answers(Ruleset::Original, attack).to_string(), original);
    }
}
