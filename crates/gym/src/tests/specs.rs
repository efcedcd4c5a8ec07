//! The descriptions of codes and planes are true and stable.

use std::collections::HashSet;

use crate::{NAMES, spec};

/// The sizes that trained networks depend on: a new size needs a new version.
#[test]
fn known_sizes() {
    let size = |name, config, seats| {
        let spec = spec(name, config, seats).unwrap();
        (spec.id(), spec.actions, spec.observation)
    };
    assert_eq!(size("sushi-go", "{}", 2), ("sushi-go-v0".to_owned(), 156, 85));
    assert_eq!(size("gamba", "{}", 2), ("gamba-v0".to_owned(), 54, 75));
    assert_eq!(size("tiger-dragon", "{}", 4), ("tiger-dragon-v0".to_owned(), 11, 106));
    assert_eq!(size("labyrinth", "{}", 2), ("labyrinth-v0".to_owned(), 3138, 468));
    assert_eq!(size("subsim", "{}", 2), ("subsim-v0".to_owned(), 867, 3617));
    assert_eq!(size("subsim", r#"{"map_size":[10,12],"subs_per_player":2}"#, 2).1, 307);
    assert_eq!(size("labyrinth", r#"{"size":[3,5]}"#, 2).1, 10 * 4 * 15 + 2);
}

#[test]
fn every_code_and_every_number_has_a_name_of_its_own() {
    for name in NAMES {
        let spec = spec(name, "{}", 2).unwrap();
        let codes: HashSet<String> =
            (0..spec.actions).map(|code| spec.action_name(code).unwrap()).collect();
        assert_eq!(codes.len(), spec.actions, "{name}: two codes of one name");
        assert_eq!(spec.action_name(spec.actions), None);
        let numbers: HashSet<String> =
            (0..spec.observation).map(|index| spec.number_name(index).unwrap()).collect();
        assert_eq!(numbers.len(), spec.observation, "{name}: two numbers of one name");
        assert_eq!(spec.number_name(spec.observation), None);
    }
}

#[test]
fn codes_are_named_as_people_would_say_them() {
    let name = |game, code| spec(game, "{}", 2).unwrap().action_name(code).unwrap();
    assert_eq!(name("sushi-go", 0), "play Tempura");
    assert_eq!(name("sushi-go", 12 + 10 * 12 + 8), "chopsticks Wasabi Squid Nigiri");
    assert_eq!(name("gamba", 4 * 8 + 1), "play 10 x2");
    assert_eq!(name("gamba", 53), "pick up");
    assert_eq!(name("tiger-dragon", 10), "pass");
    assert_eq!(name("labyrinth", 49 * 4 + 49 + 8), "slide row 0 RIGHT 90 (1, 1)");
    assert_eq!(name("labyrinth", 3137), "acknowledge");
    assert_eq!(name("subsim", 400 + 20), "fire 1|2");
    assert_eq!(name("subsim", 866), "surface");
}

#[test]
fn what_cannot_be_played_has_no_meaning() {
    assert!(spec("chess", "{}", 2).unwrap_err().to_string().contains("the games are sushi-go"));
    assert!(spec("gamba", "{}", 3).unwrap_err().to_string().contains("2 seats"));
    assert!(spec("gamba", r#"{"deel":"guide"}"#, 2).unwrap_err().to_string().contains("deel"));
}
