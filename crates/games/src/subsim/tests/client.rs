//! Clients of the protocol see what it tells, and play legally.

use trials::sparring::Sparring;

use crate::subsim::{Config, Options, Report, SubConfig, SubId, SubSim, View};

/// All but the seat's number; of the news only the last turn, because a client remembers every
/// turn in which its own submarines could not act. Which of its mines a chain has taken along, the
/// wire does not always tell.
fn compare(seen: &View, truth: &View) {
    let (news, mines) = (truth.news.clone(), truth.mines.clone());
    let told = View { viewer: truth.viewer, news, mines, ..seen.clone() };
    // Players don't learn how a table was meant to gather.
    let chart = truth.chart.clone();
    assert_eq!(seen.chart.kinds(), chart.kinds());
    assert_eq!(View { chart, ..told }, *truth);
    // Where its own pings and torpedoes went, it would have to remember.
    let (pings, shots) = (Vec::new(), Vec::new());
    let last = truth.news.last().cloned().map(|report| Report { pings, shots, ..report });
    assert_eq!(seen.news.last().cloned(), last);
}

fn play(config: Config, players: usize, seed: u64) {
    let options = Options { config, gather_ms: 500, ..Options::default() };
    let mut sparring = Sparring::<SubSim>::new(options, "subsim", seed);
    for (seat, name) in ["ann", "ben", "cat", "dov", "eli"].iter().take(players).enumerate() {
        // It is asked to place its submarines before play, never during it.
        sparring.add(name, ["hunter", "random"][seat % 2], 2, |seen, truth| {
            if seen.phase == truth.phase && !truth.subs.is_empty() {
                compare(seen, truth);
            }
        });
    }
    let endings = sparring.play();
    for game in 0..2 {
        let won = endings.iter().filter(|endings| endings[game].won == Some(true)).count();
        assert!(won >= 1, "{sparring:?}");
        assert!(endings.iter().all(|endings| endings[game].points.is_some()), "{sparring:?}");
    }
}

#[test]
fn any_number_of_players() {
    for players in 2..=5 {
        play(Config { max_turns: 300, ..Config::default() }, players, players as u64);
    }
}

#[test]
fn any_settings() {
    let odd = SubConfig {
        size: Some(60),
        start_location: Some([2, 2]),
        surface_turn_count: Some(1),
        max_shields: Some(5),
        max_reactor_damage: Some(20),
        max_sonar_charge: Some(4),
        max_torpedo_charge: Some(5),
        max_mine_charge: Some(2),
        max_sprint_charge: Some(7),
        torpedo_count: Some(6),
        mine_count: Some(3),
    };
    let config = Config {
        map_size: [12, 15],
        obstacles: vec![[5, 5], [5, 6], [6, 5]],
        subs_per_player: 3,
        max_turns: 200,
        max_players: 3,
        sub: [(SubId(1), odd)].into(),
        ..Config::default()
    };
    for seed in 0..5 {
        play(config.clone(), 3, seed);
    }
}
