//! A state can be saved, copied, dealt again, and played by house strategies.

use rules::{Dice, Seat, Seed, Viewer};

use crate::{AnyState, NAMES, load, reader, state};

/// Plays `codes` random codes.
fn play_on(state: &mut dyn AnyState, dice: &mut Dice, codes: usize) {
    let mut mask = vec![0; state.spec().actions];
    for _ in 0..codes {
        let Some(seat) = state.to_play() else { return };
        state.mask(seat, &mut mask);
        let legal: Vec<usize> = (0..mask.len()).filter(|&code| mask[code] == 1).collect();
        state.apply(*dice.pick(&legal)).unwrap();
    }
}

fn numbers(state: &dyn AnyState) -> Vec<f32> {
    let spec = state.spec();
    let mut all = Vec::new();
    for seat in Seat::all(spec.seats) {
        let mut row = vec![0.0; spec.observation];
        state.observe(seat, &mut row);
        all.extend(row);
    }
    all
}

#[test]
fn a_saved_state_goes_on_as_the_original_does() {
    let three_subs = ("subsim", r#"{"subs_per_player":3,"map_size":[10,10]}"#);
    for (name, config) in NAMES.map(|name| (name, "{}")).into_iter().chain([three_subs]) {
        let mut original = state(name, config, 2, Seed::from_number(5)).unwrap();
        // An odd number of codes stops in the middle of a simultaneous turn.
        play_on(&mut *original, &mut Dice::new(&Seed::from_number(1), "test", 0), 17);
        let mut loaded = load(name, &original.save().unwrap()).unwrap();
        let mut copy = original.copy();
        for other in [&mut loaded, &mut copy] {
            assert_eq!(numbers(&**other), numbers(&*original), "{name}");
            assert_eq!(other.to_play(), original.to_play(), "{name}");
        }
        for each in [&mut original, &mut loaded, &mut copy] {
            play_on(&mut **each, &mut Dice::new(&Seed::from_number(2), "test", 0), 30);
        }
        assert_eq!(loaded.save(), original.save(), "{name}");
        assert_eq!(numbers(&*copy), numbers(&*original), "{name}");
    }
}

#[test]
fn a_resampled_state_looks_the_same_to_its_seat_and_can_be_saved() {
    for name in NAMES {
        let mut state = state(name, "{}", 2, Seed::from_number(3)).unwrap();
        play_on(&mut *state, &mut Dice::new(&Seed::from_number(1), "test", 0), 6);
        let view = state.view(Viewer::Seat(Seat(0))).unwrap();
        let mut row = vec![0.0; state.spec().observation];
        state.observe(Seat(0), &mut row);
        state.resample(Seat(0), 9).unwrap();
        assert_eq!(state.view(Viewer::Seat(Seat(0))).unwrap(), view, "{name}");
        let mut again = vec![0.0; row.len()];
        state.observe(Seat(0), &mut again);
        assert_eq!(again, row, "{name}");
        let loaded = load(name, &state.save().unwrap()).unwrap();
        assert_eq!(numbers(&*loaded), numbers(&*state), "{name}");
        play_on(&mut *state, &mut Dice::new(&Seed::from_number(2), "test", 0), 20);
    }
}

#[test]
fn a_deal_keeps_what_its_seat_has_begun_to_choose() {
    let config = r#"{"subs_per_player":2,"map_size":[10,10]}"#;
    let mut state = state("subsim", config, 3, Seed::from_number(3)).unwrap();
    let mut dice = Dice::new(&Seed::from_number(1), "test", 0);
    // All are placed, and seat 1 has decided for the first of its submarines.
    play_on(&mut *state, &mut dice, 6 + 2 + 1);
    for seed in [5, 6] {
        state.resample(Seat(1), seed).unwrap();
        assert_eq!((state.to_play(), state.waiting().len()), (Some(Seat(1)), 3));
        let loaded = load("subsim", &state.save().unwrap()).unwrap();
        assert_eq!(loaded.to_play(), Some(Seat(1)));
        assert_eq!(numbers(&*loaded), numbers(&*state));
    }
    play_on(&mut *state, &mut dice, 1);
    assert_eq!((state.to_play(), state.waiting().len()), (Some(Seat(0)), 2));
    let mut loaded = load("subsim", &state.save().unwrap()).unwrap();
    for each in [&mut state, &mut loaded] {
        play_on(&mut **each, &mut Dice::new(&Seed::from_number(2), "test", 0), 30);
    }
    assert_eq!(loaded.save(), state.save());
}

#[test]
fn strategies_of_the_house_play_whole_games() {
    for name in ["sushi-go", "gamba", "tiger-dragon"] {
        let mut state = state(name, "{}", 2, Seed::from_number(1)).unwrap();
        let weakest = state.strategies()[0];
        for seat in Seat::all(2) {
            state.seat_bot(seat, weakest).unwrap();
        }
        while state.to_play().is_some() {
            state.let_bot_move().unwrap();
        }
        assert_eq!(state.returns().iter().sum::<f32>(), 0.0);
        assert!(state.let_bot_move().is_err());
    }
    let mut state = state("gamba", "{}", 2, Seed::from_number(1)).unwrap();
    assert!(state.let_bot_move().unwrap_err().to_string().contains("seat 0"));
    assert!(state.seat_bot(Seat(0), "nobody").unwrap_err().to_string().contains("this game has"));
}

#[test]
fn actions_are_those_of_the_house_wire() {
    let mut state = state("gamba", "{}", 2, Seed::from_number(1)).unwrap();
    let legal: Vec<serde_json::Value> =
        serde_json::from_str(&state.legal().unwrap().unwrap()).unwrap();
    let action = legal[0].to_string();
    let codes = state.codes(&action).unwrap();
    assert_eq!(state.action(&codes).unwrap(), action);
    assert!(state.act("\"pick-up\"").unwrap_err().to_string().contains("nothing to pick up"));
    state.act(&action).unwrap();
    assert_eq!(state.to_play(), Some(Seat(1)));
    assert_eq!(state.views(Viewer::Seat(Seat(1))).unwrap().len(), 2);
}

#[test]
fn a_code_that_is_not_legal_changes_nothing() {
    for name in NAMES {
        let mut state = state(name, "{}", 2, Seed::from_number(1)).unwrap();
        let before = numbers(&*state);
        let mut mask = vec![0; state.spec().actions];
        state.mask(Seat(0), &mut mask);
        for code in (0..mask.len()).filter(|&code| mask[code] == 0).chain([mask.len()]) {
            state.apply(code).unwrap_err();
        }
        assert_eq!(numbers(&*state), before, "{name}");
        assert_eq!(state.to_play(), Some(Seat(0)), "{name}");
    }
}

/// A reader of a seat's views as JSON gets the same numbers.
#[test]
fn a_reader_of_views_has_the_numbers_of_the_seat() {
    for name in NAMES {
        let mut state = state(name, "{}", 2, Seed::from_number(3)).unwrap();
        let mut dice = Dice::new(&Seed::from_number(1), "test", 0);
        let spec = state.spec().clone();
        for _ in 0..20 {
            play_on(&mut *state, &mut dice, 1);
            let Some(seat) = state.to_play() else { break };
            let mut reader = reader(name, "{}", 2).unwrap();
            assert!(reader.parts().is_err());
            for view in state.views(Viewer::Seat(seat)).unwrap() {
                reader.see(&view).unwrap();
            }
            let (mut seen, mut known) = (vec![0.0; spec.observation], vec![0.0; spec.observation]);
            reader.observe(&[], &mut seen).unwrap();
            state.observe(seat, &mut known);
            assert_eq!(seen, known, "{name}");
            let (mut may, mut legal) = (vec![0; spec.actions], vec![0; spec.actions]);
            reader.mask(&[], &mut may).unwrap();
            state.mask(seat, &mut legal);
            assert_eq!(may, legal, "{name}");
            let code = legal.iter().position(|&code| code == 1).unwrap();
            assert_eq!(reader.action(&[code]), state.action(&[code]), "{name}");
        }
    }
}

/// Chance that is uniform over codes plays every game, and in Gamba it picks up whenever it may as
/// often as it does anything else.
#[test]
fn uniform_chance_chooses_every_code_equally_often() {
    for name in NAMES {
        let mut state = state(name, "{}", 2, Seed::from_number(1)).unwrap();
        for seat in Seat::all(2) {
            state.seat_bot(seat, crate::UNIFORM).unwrap();
        }
        for _ in 0..60 {
            if state.to_play().is_some() {
                state.let_bot_move().unwrap();
            }
        }
    }
    let (mut expected, mut picked) = (0.0, 0.0);
    for number in 0..60 {
        let mut state = state("gamba", "{}", 2, Seed::from_number(number)).unwrap();
        for seat in Seat::all(2) {
            state.seat_bot(seat, crate::UNIFORM).unwrap();
        }
        for _ in 0..100 {
            let Some(seat) = state.to_play() else { break };
            let codes = state.legal_codes(seat);
            let before = state.save().unwrap().matches("pick-up").count();
            state.let_bot_move().unwrap();
            if codes.contains(&53) && codes.len() > 1 {
                expected += 1.0 / codes.len() as f64;
                picked += (state.save().unwrap().matches("pick-up").count() - before) as f64;
            }
        }
    }
    let off: f64 = picked - expected;
    assert!(off.abs() < 5.0 * f64::sqrt(expected), "{picked} times, {expected} expected");
    assert!(expected > 100.0);
}
