//! How a game begins: a dealt labyrinth or a given one, homes, treasures and colours.

use rules::{Dice, Seat, SetupError};

use super::super::board::{Board, Connector, Coordinate, Gem, Maze, Tile, Treasure};
use super::config::{Config, TurnOrder};
use super::state::{Color, PlayerEntry, State};

/// The start of a game: the state with every `goto` known, and who plays which entry of it.
pub(in crate::labyrinth) struct Start {
    pub state: State,
    /// `order[i]` plays `state.players[i]`.
    pub order: Vec<Seat>,
}

pub(in crate::labyrinth) fn start(
    config: &Config,
    seats: usize,
    dice: &mut Dice,
) -> Result<Start, SetupError> {
    let mut state = match &config.state {
        Some(state) => given(state, seats)?,
        None => dealt(config, seats, dice)?,
    };
    if let Some(goal) = config.goals.iter().find(|&&goal| !state.maze.board.contains(goal)) {
        return refuse(format!("goals names {goal}, which is not on the board"));
    }
    state.goals.extend(&config.goals);
    if state.players.iter().any(|player| player.goto.is_none()) {
        deal_treasures(&mut state, dice)?;
    }
    let order: Vec<Seat> = match config.turn_order {
        TurnOrder::Join => Seat::all(seats).collect(),
        TurnOrder::ReverseJoin => Seat::all(seats).rev().collect(),
    };
    choose_colors(&mut state.players, &order, &config.colors)?;
    Ok(Start { state, order })
}

fn refuse<T>(why: String) -> Result<T, SetupError> {
    Err(SetupError(why))
}

fn given(state: &State, seats: usize) -> Result<State, SetupError> {
    state.check().map_err(|why| SetupError(format!("state: {why}")))?;
    let known = state.players.len();
    if !(1..=known.min(Seat::MAX)).contains(&seats) {
        return refuse(format!("{seats} players cannot start from a state with {known}"));
    }
    let mut state = state.clone();
    state.players.truncate(seats);
    Ok(state)
}

/// "Random 7x7, random connectors, distinct random gem pairs for the 49 tiles and the spare.
/// Homes: distinct random fixed tiles; avatars start there."
fn dealt(config: &Config, seats: usize, dice: &mut Dice) -> Result<State, SetupError> {
    let [rows, columns] = config.size;
    let area = usize::from(rows) * usize::from(columns);
    let fixed = usize::from(rows / 2) * usize::from(columns / 2);
    if area + 1 > Treasure::COUNT {
        return refuse(format!(
            "size = [{rows}, {columns}] needs {area} tiles and a spare with different treasures, \
             there are only {}",
            Treasure::COUNT
        ));
    }
    let most = fixed.min(Color::NAMES.len());
    if !(2..=most).contains(&seats) {
        return refuse(match most {
            0 | 1 => format!("size = [{rows}, {columns}] has no room for two players' homes"),
            _ => format!("{seats} players, but a board of {rows} x {columns} takes 2 to {most}"),
        });
    }
    let mut taken = vec![false; Treasure::COUNT];
    let mut tiles: Vec<Tile> = (0..=area).map(|_| deal_tile(&mut taken, dice)).collect();
    let spare = tiles.pop().expect("one tile more than cells");
    let board = Board::new(rows, columns, tiles).expect("as many tiles as cells");
    let mut homes = fixed_tiles(&board);
    dice.shuffle(&mut homes);
    let players = homes[..seats]
        .iter()
        .zip(Color::NAMES)
        .map(|(&home, name)| PlayerEntry {
            color: Color::unchecked(name),
            current: home,
            home,
            goto: None,
        })
        .collect();
    Ok(State { maze: Maze { board: board.into(), spare, last: None }, players, goals: Vec::new() })
}

fn deal_tile(taken: &mut [bool], dice: &mut Dice) -> Tile {
    let connector = *dice.pick(&Connector::ALL);
    loop {
        let gems = [dice.below(Gem::COUNT), dice.below(Gem::COUNT)].map(Gem::numbered);
        let treasure = Treasure(gems);
        if !std::mem::replace(&mut taken[treasure.number()], true) {
            return Tile { connector, treasure };
        }
    }
}

fn fixed_tiles(board: &Board) -> Vec<Coordinate> {
    board.coordinates().filter(|at| at.is_fixed()).collect()
}

/// "Treasures: fixed tiles, distinct, never the player's own home."
fn deal_treasures(state: &mut State, dice: &mut Dice) -> Result<(), SetupError> {
    let mut places = fixed_tiles(&state.maze.board);
    let seats = state.players.len();
    // A third of all shuffles or more will do wherever any does, so this many tries fail only
    // on a given board on which all must fail.
    const TRIES: usize = 1000;
    for _ in 0..TRIES {
        dice.shuffle(&mut places);
        let fits = places.len() >= seats
            && state.players.iter().zip(&places).all(|(player, &place)| player.home != place);
        if fits {
            for (player, &place) in state.players.iter_mut().zip(&places) {
                player.goto = Some(place);
            }
            return Ok(());
        }
    }
    let fixed = places.len();
    refuse(format!("{seats} treasures do not fit on the {fixed} fixed tiles of the state's board"))
}

/// "A joiner's colour replaces its own"; who chose none keeps the state's, or gets an unused one.
fn choose_colors(
    players: &mut [PlayerEntry],
    order: &[Seat],
    chosen: &[String],
) -> Result<(), SetupError> {
    let chosen_by = |seat: Seat| chosen.get(seat.index()).filter(|text| !text.is_empty());
    let mut used: Vec<Color> = Vec::new();
    for text in order.iter().filter_map(|&seat| chosen_by(seat)) {
        let Some(color) = Color::parse(text) else {
            let names = Color::NAMES.join(", ");
            return refuse(format!("colors names {text:?}; allowed are {names} and RRGGBB"));
        };
        if used.contains(&color) {
            return refuse(format!("colors names {text:?} twice"));
        }
        used.push(color);
    }
    let known: Vec<Color> = players.iter().map(|player| player.color.clone()).collect();
    for (player, &seat) in players.iter_mut().zip(order) {
        if let Some(text) = chosen_by(seat) {
            player.color = Color::unchecked(text);
            continue;
        }
        if used.contains(&player.color) {
            player.color = unused(&[used.as_slice(), &known].concat());
        }
        used.push(player.color.clone());
    }
    Ok(())
}

fn unused(used: &[Color]) -> Color {
    let names = Color::NAMES.iter().map(|name| Color::unchecked(name));
    let shades = (0..).map(|shade: u32| Color::unchecked(&format!("{shade:06X}")));
    names.chain(shades).find(|color| !used.contains(color)).expect("shades do not run out")
}
