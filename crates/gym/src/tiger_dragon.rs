//! Tiger & Dragon: a code is a kind of tile, or the pass.

use games::tiger_dragon::{Action, BOTS, Config, Phase, Ruleset, Scoring, TigerDragon, Tile, View};
use rules::{BotKind, Determinise, Dice, Game, Seat, Viewer};

use crate::row::{Row, from_own};
use crate::spec::axis;
use crate::{Encode, Past, Spec};

const TILES: usize = Tile::ALL.len();
const PASS: usize = TILES;

impl Encode for TigerDragon {
    type Memory = ();

    fn bots() -> &'static [BotKind<TigerDragon>] {
        BOTS
    }

    fn random(&self, seat: Seat, dice: &mut Dice) -> Action {
        TigerDragon::random(self, seat, dice)
    }

    fn spec(_: &Config, seats: usize) -> Spec {
        Spec::new(TigerDragon::NAME, seats)
            .codes("play", vec![axis(Tile::ALL)])
            .codes("pass", vec![])
            .plane("hand", &[TILES], "tiles of each kind in the own hand / 8")
            .plane("phase", &[3], "1 at attack, defend or bonus receive")
            .plane("attack", &[TILES], "1 at the tile of the attack, if there is one")
            .plane("attacker", &[seats], "1 at the seat that attacks, the own first")
            .plane("to_move", &[seats], "1 at the seat to move, the own first")
            .plane("discards", &[seats, TILES], "tiles on the table as far as known / 8")
            .plane("hand_sizes", &[seats], "tiles in each hand / 14, the own first")
            .plane("face_down", &[seats], "face-down tiles of each seat / 7")
            .plane("scores", &[seats], "points of each seat / target")
            .plane("original", &[1], "1 if the rules are the original server's")
            .plane("points", &[TILES], "what each kind is worth as the last tile / 10")
            .plane("bonus", &[TILES], "points for each face-down tile, by the last tile")
            .plane("cave", &[1], "1 if the battlefield is the cave")
            .plane("game_market", &[1], "1 if the battlefield is the game market")
    }

    /// Everything that is known of a round lies on the table. Who passes may hold an answer all the
    /// same, so a pass rules nothing out.
    fn redeal(past: Past<'_, TigerDragon>, dice: &mut Dice) -> Option<TigerDragon> {
        TigerDragon::determinise(&past.game.view(Viewer::Seat(past.seat)), dice)
    }

    fn observe(view: &View, (): &(), _: &[usize], out: &mut [f32]) {
        let seats = view.seats();
        let own = view.viewer.seat().map_or(0, |seat| seat.index());
        let place = |seat: rules::Seat| (seat.index() + seats - own) % seats;
        let mut row = Row::new(out);
        count(row.plane(TILES), view.hand.iter().copied());
        row.one_hot(
            3,
            match view.phase {
                Phase::Attack => Some(0),
                Phase::Defend => Some(1),
                Phase::BonusReceive => Some(2),
                Phase::Finished => None,
            },
        );
        row.one_hot(TILES, view.attack.map(|attack| attack.tile.index()));
        row.one_hot(seats, view.attack.map(|attack| place(attack.seat)));
        row.one_hot(seats, (view.phase != Phase::Finished).then(|| place(view.current)));
        for seat in from_own(own, seats) {
            count(row.plane(TILES), view.discards[seat].iter().filter_map(|discard| discard.tile));
        }
        for seat in from_own(own, seats) {
            row.number(f32::from(view.hand_sizes[seat]) / 14.0);
        }
        for seat in from_own(own, seats) {
            row.number(f32::from(view.face_down[seat]) / 7.0);
        }
        for seat in from_own(own, seats) {
            row.number(view.scores[seat] as f32 / view.target as f32);
        }
        row.flag(view.ruleset == Ruleset::Original);
        let (points, bonus) = (row.plane(TILES), row.plane(TILES));
        let scoring = view.battlefield.scoring;
        match scoring {
            Scoring::Table(table) => {
                for (tile, worth) in table.iter().enumerate() {
                    points[tile] = worth.points as f32 / 10.0;
                    bonus[tile] = worth.bonus as f32;
                }
            }
            Scoring::Cave | Scoring::GameMarket => {
                for (tile, worth) in view.battlefield.worths() {
                    points[tile.index()] = worth.points as f32 / 10.0;
                }
            }
        }
        row.flag(scoring == Scoring::Cave);
        row.flag(scoring == Scoring::GameMarket);
        row.end();
    }

    fn mask(view: &View, _: &[usize], out: &mut [u8]) {
        for action in view.legal.iter() {
            out[code(action)] = 1;
        }
    }

    fn decode(_: &View, codes: &[usize]) -> Option<Action> {
        match codes {
            [PASS] => Some(Action::Pass),
            [code] => Tile::ALL.get(*code).copied().map(Action::Play),
            _ => None,
        }
    }

    fn encode(_: &View, action: &Action) -> Option<Vec<usize>> {
        Some(vec![code(*action)])
    }
}

fn code(action: Action) -> usize {
    action.tile().map_or(PASS, Tile::index)
}

fn count(plane: &mut [f32], tiles: impl Iterator<Item = Tile>) {
    for tile in tiles {
        plane[tile.index()] += 0.125;
    }
}
