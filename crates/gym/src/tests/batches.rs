//! A batch plays the same games as states do, many at once.

use crate::{Buffers, Error, NAMES, WAIT, batch, load_batch};

#[test]
fn games_end_are_paid_and_begin_again() {
    for (name, steps) in [("sushi-go", 130), ("gamba", 200), ("tiger-dragon", 400)] {
        let mut batch = batch(name, "{}", 2, 8, 1).unwrap();
        let mut buffers = Buffers::new(batch.spec(), 8);
        batch.tell(&mut buffers.rows()).unwrap();
        let mut ended = 0;
        for step in 0..steps {
            let codes = batch.sample(&buffers.mask, step);
            batch.step(&codes, &mut buffers.rows()).unwrap();
            for (rewards, done) in buffers.rewards.chunks(2).zip(&buffers.done) {
                assert_eq!(rewards.iter().sum::<f32>(), 0.0);
                assert!(*done == 1 || rewards == [0.0, 0.0]);
                ended += usize::from(*done);
            }
        }
        assert!(ended >= 8, "{name}: {ended} games ended");
    }
}

#[test]
fn the_same_seed_and_codes_give_the_same_rows() {
    for name in NAMES {
        let play = |seed| {
            let mut batch = batch(name, "{}", 2, 3, seed).unwrap();
            let mut buffers = Buffers::new(batch.spec(), 3);
            batch.tell(&mut buffers.rows()).unwrap();
            for step in 0..12 {
                let codes = batch.sample(&buffers.mask, step);
                batch.step(&codes, &mut buffers.rows()).unwrap();
            }
            buffers
        };
        assert_eq!(play(1), play(1), "{name}");
        // Nothing is dealt in SubSim: there the players are all the chance there is.
        assert!(name == "subsim" || play(1) != play(2), "{name}");
    }
}

#[test]
fn an_illegal_code_stops_the_whole_step() {
    let mut batch = batch("gamba", "{}", 2, 2, 1).unwrap();
    let mut buffers = Buffers::new(batch.spec(), 2);
    batch.tell(&mut buffers.rows()).unwrap();
    let before = buffers.clone();
    let legal = before.mask.iter().position(|&code| code == 1).unwrap() as i64;
    for wrong in [-2, 53, 54, i64::MAX] {
        let refused = batch.step(&[legal, wrong], &mut buffers.rows()).unwrap_err();
        assert!(matches!(refused, Error::Illegal { game: Some(1), .. }), "{refused}");
    }
    assert!(matches!(batch.step(&[legal], &mut buffers.rows()), Err(Error::Size(_))));
    batch.tell(&mut buffers.rows()).unwrap();
    assert_eq!(buffers, before);
}

#[test]
fn a_game_that_waits_stays_as_it_is() {
    let mut batch = batch("gamba", "{}", 2, 2, 1).unwrap();
    let mut buffers = Buffers::new(batch.spec(), 2);
    batch.tell(&mut buffers.rows()).unwrap();
    let before = buffers.clone();
    let codes = batch.sample(&buffers.mask, 1);
    batch.step(&[codes[0], WAIT], &mut buffers.rows()).unwrap();
    assert_eq!(buffers.to_play, [1, 0]);
    let half = before.obs.len() / 2;
    assert_ne!(buffers.obs[..half], before.obs[..half]);
    assert_eq!(buffers.obs[half..], before.obs[half..]);
}

#[test]
fn playouts_end_every_game() {
    for name in ["sushi-go", "gamba", "tiger-dragon", "subsim"] {
        let mut batch = batch(name, "{}", 2, 4, 1).unwrap();
        let mut rewards = vec![9.0; 8];
        let actions = batch.playout(&mut rewards).unwrap();
        assert!(actions > 8, "{name}");
        assert!(rewards.chunks(2).all(|pair| pair[0] + pair[1] == 0.0), "{name}: {rewards:?}");
    }
}

/// A batch saved in the middle continues like the original, also after playouts.
#[test]
fn a_saved_batch_goes_on_as_the_original_does() {
    for name in NAMES {
        let mut original = batch(name, "{}", 2, 3, 7).unwrap();
        let mut buffers = Buffers::new(original.spec(), 3);
        original.playout(&mut [0.0; 6]).unwrap();
        original.tell(&mut buffers.rows()).unwrap();
        for step in 0..40 {
            let codes = original.sample(&buffers.mask, step);
            original.step(&codes, &mut buffers.rows()).unwrap();
        }
        let mut loaded = load_batch(name, &original.save().unwrap()).unwrap();
        let mut others = Buffers::new(loaded.spec(), 3);
        loaded.tell(&mut others.rows()).unwrap();
        original.tell(&mut buffers.rows()).unwrap();
        for step in 0..40 {
            assert_eq!(others, buffers, "{name}");
            let codes = original.sample(&buffers.mask, 100 + step);
            original.step(&codes, &mut buffers.rows()).unwrap();
            loaded.step(&codes, &mut others.rows()).unwrap();
        }
    }
}

/// A mask that the caller emptied still gives legal codes.
#[test]
fn empty_masks_give_legal_codes() {
    let mut batch = batch("gamba", "{}", 2, 4, 1).unwrap();
    let mut buffers = Buffers::new(batch.spec(), 4);
    let codes = batch.sample(&vec![0; buffers.mask.len()], 1);
    batch.tell(&mut buffers.rows()).unwrap();
    batch.step(&codes, &mut buffers.rows()).unwrap();
}
