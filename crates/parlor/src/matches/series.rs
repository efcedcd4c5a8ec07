//! The games of a match, gathered into blocks and counted in the order of their deals: short games
//! end first, and to count them first would favour the side that wins quickly.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tournament::seating::{Seatings, Side};
use tournament::sprt::Blocks;

/// What one game came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameResult {
    /// Counted from 0 over the whole match.
    pub number: u64,
    pub table: String,
    pub seed: u64,
    /// By seat.
    pub seats: Vec<SeatResult>,
    /// Why it has no result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub void: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeatResult {
    pub side: Side,
    /// 1 is best; 0 in a game without a result.
    pub place: u32,
    pub points: Option<i64>,
    /// Why it did not play to the end: its clock, its crash, its absence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<String>,
    pub moves: u64,
    pub thought_us: u64,
}

/// One deal, played from every seating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Block {
    pub block: u64,
    pub games: Vec<GameResult>,
}

impl Block {
    pub fn is_void(&self) -> bool {
        self.games.iter().any(|game| game.void.is_some())
    }
}

/// All that has been counted.
#[derive(Clone, Debug)]
pub struct Series {
    seatings: Seatings,
    pub blocks: Blocks,
    /// Blocks with a game that has no result; they are not counted.
    pub void: u64,
    /// How many blocks there are, void ones included.
    pub next: u64,
    waiting: BTreeMap<u64, Vec<GameResult>>,
    pub new: Account,
    pub base: Account,
    /// The points of the new side above the base's, each game's average.
    pub points_ahead: Sum,
    /// The score of each single game.
    game_scores: Sum,
}

/// What is counted of one side.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// How often it had each place, the best first.
    pub places: Vec<u64>,
    pub forfeits: u64,
    moves: u64,
    thought_us: u64,
}

impl Account {
    pub fn ms_per_move(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.thought_us as f64 / 1e3 / self.moves as f64)
    }
}

/// Numbers, added up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Sum {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    pub fn mean(&self) -> f64 {
        self.sum / self.count.max(1.0)
    }

    fn variance(&self) -> f64 {
        (self.squares / self.count.max(1.0) - self.mean().powi(2)).max(0.0)
    }

    /// How far off the mean may be (95 %).
    pub fn error(&self) -> f64 {
        1.959_964 * (self.variance() / self.count.max(1.0)).sqrt()
    }
}

impl Series {
    pub fn new(seatings: Seatings) -> Series {
        let seats = seatings.games()[0].len();
        let account = || Account { places: vec![0; seats], ..Account::default() };
        Series {
            blocks: Blocks::new(seatings.steps(), seatings.games().len() as u32),
            seatings,
            void: 0,
            next: 0,
            waiting: BTreeMap::new(),
            new: account(),
            base: account(),
            points_ahead: Sum::default(),
            game_scores: Sum::default(),
        }
    }

    /// The games of a block.
    pub fn block_games(&self) -> u64 {
        self.seatings.games().len() as u64
    }

    /// Takes in a game, in whatever order they end. The next block, once it is whole.
    pub fn add(&mut self, game: GameResult) -> Option<Block> {
        let block = game.number / self.block_games();
        self.waiting.entry(block).or_default().push(game);
        self.next_block()
    }

    /// The block whose turn it is, if all its games are there.
    pub fn next_block(&mut self) -> Option<Block> {
        let games = self.waiting.get(&self.next)?;
        if (games.len() as u64) < self.block_games() {
            return None;
        }
        let mut games = self.waiting.remove(&self.next)?;
        games.sort_by_key(|game| game.number);
        let block = Block { block: self.next, games };
        self.count(&block);
        Some(block)
    }

    /// Counts the next block.
    pub fn count(&mut self, block: &Block) {
        self.next = block.block + 1;
        if block.is_void() {
            self.void += 1;
            return;
        }
        let places = |game: &GameResult| game.seats.iter().map(|seat| seat.place).collect();
        let places: Vec<Vec<u32>> = block.games.iter().map(places).collect();
        self.blocks.add(self.seatings.score(&places));
        for (seating, (game, places)) in
            self.seatings.games().iter().zip(block.games.iter().zip(&places))
        {
            let one = Seatings::of(seating.clone());
            let score = one.score(std::slice::from_ref(places)) as f64 / one.steps() as f64;
            self.game_scores.add(score);
            for seat in &game.seats {
                let account = match seat.side {
                    Side::New => &mut self.new,
                    Side::Base => &mut self.base,
                };
                if let Some(place) = account.places.get_mut(seat.place.max(1) as usize - 1) {
                    *place += 1;
                }
                account.forfeits += u64::from(seat.forfeit.is_some());
                account.moves += seat.moves;
                account.thought_us += seat.thought_us;
            }
            if let (Some(new), Some(base)) = (points(game, Side::New), points(game, Side::Base)) {
                self.points_ahead.add(new - base);
            }
        }
    }

    /// How many games of fresh deals one game of repeated deals is worth. None while there is no
    /// telling.
    pub fn gain(&self) -> Option<f64> {
        let (_, variance) = self.blocks.moments();
        let gain = self.game_scores.variance() / (self.block_games() as f64 * variance);
        (self.blocks.len() > 1 && variance > 0.0).then_some(gain)
    }

    pub fn games(&self) -> u64 {
        self.blocks.len() * self.block_games()
    }
}

/// The average points of one side's seats.
fn points(game: &GameResult, side: Side) -> Option<f64> {
    let seats: Vec<&SeatResult> = game.seats.iter().filter(|seat| seat.side == side).collect();
    let points: Option<Vec<i64>> = seats.iter().map(|seat| seat.points).collect();
    let points = points?;
    Some(points.iter().sum::<i64>() as f64 / points.len().max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tournament::seating::Design;

    fn game(number: u64, sides: [Side; 2], places: [u32; 2]) -> GameResult {
        let seat = |(side, place): (Side, u32)| SeatResult {
            side,
            place,
            points: Some(i64::from(3 - place)),
            forfeit: None,
            moves: 1,
            thought_us: 1000,
        };
        let seats = sides.into_iter().zip(places).map(seat).collect();
        GameResult { number, table: format!("game-{number}"), seed: number / 2, seats, void: None }
    }

    const THERE: [Side; 2] = [Side::New, Side::Base];
    const BACK: [Side; 2] = [Side::Base, Side::New];

    #[test]
    fn blocks_are_counted_in_the_order_of_their_deals() {
        let mut series = Series::new(Design::Half.seatings(2).unwrap());
        assert!(series.add(game(3, BACK, [2, 1])).is_none());
        assert!(series.add(game(2, THERE, [1, 2])).is_none(), "the first block is not whole");
        assert!(series.add(game(1, BACK, [1, 2])).is_none());
        assert_eq!(series.add(game(0, THERE, [1, 2])).unwrap().block, 0);
        assert_eq!(series.next_block().unwrap().block, 1);
        assert!(series.next_block().is_none());
        assert_eq!(series.blocks.counts(), [0, 0, 1, 0, 1]);
        assert_eq!((series.games(), &series.new.places[..]), (4, &[3, 1][..]));
        assert_eq!(series.new.ms_per_move(), Some(1.0));
        assert!((series.points_ahead.mean() - 0.5).abs() < 1e-9);
    }

    #[test]
    fn a_block_with_a_void_game_does_not_count() {
        let mut series = Series::new(Design::Half.seatings(2).unwrap());
        series.add(game(0, THERE, [1, 2]));
        let void = GameResult { void: Some("no end".to_owned()), ..game(1, BACK, [0, 0]) };
        assert!(series.add(void).unwrap().is_void());
        assert_eq!((series.void, series.games(), series.next), (1, 0, 1));
    }
}
