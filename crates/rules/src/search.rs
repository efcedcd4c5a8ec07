//! Search for games of hidden cards in which one seat moves at a time: Monte Carlo tree search over
//! information sets, with one tree from the searching seat's perspective.
//!
//! Each iteration deals the hidden cards again, walks down the tree by what pays in such games,
//! adds one move, and lets a simple rule play on from there. The caller sets the number of
//! iterations and supplies all chance: the same view and dice give the same move.

use crate::{Dice, Game, Move, Seat, Step};

/// What a search needs to know about a game.
pub trait Outlook {
    type Game: Game;

    /// Identifies a move. Moves with equal keys are equally good.
    type Key: Copy + PartialEq;

    /// A game that looks the same to this player.
    fn imagine(&self, dice: &mut Dice) -> Option<Self::Game>;

    /// Whether to look no further: the game, or the part of it that is searched, has ended.
    fn is_over(&self, game: &Self::Game) -> bool;

    /// The moves worth looking at, each by its own key, the most promising first. Never none.
    fn moves(&self, game: &Self::Game, seat: Seat, moves: &mut Vec<Choice<Self>>);

    /// A move chosen without search.
    fn quick_move(&self, game: &Self::Game, seat: Seat, dice: &mut Dice) -> Action<Self>;

    /// What a game is worth to a seat, from 0 to 1, once it is over or has lasted
    /// [`Budget::turns`].
    fn worth(&self, game: &Self::Game, seat: Seat) -> f64;
}

pub type Action<O> = <<O as Outlook>::Game as Game>::Action;

/// A move and its key.
pub type Choice<O> = (<O as Outlook>::Key, Action<O>);

/// How much is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    pub iterations: u32,
    /// Number of turns after which a game is judged as it is.
    pub turns: u32,
    /// How much what was tried little is preferred to what paid most, some tenths.
    pub curiosity: f64,
}

/// The move of `seat` that was found to be best. None if there is nothing to be imagined.
pub fn best_move<O: Outlook + ?Sized>(
    outlook: &O,
    seat: Seat,
    budget: Budget,
    dice: &mut Dice,
) -> Option<Action<O>> {
    let mut tree = Tree::<O> { nodes: vec![Node::root()], budget };
    let mut moves = Vec::new();
    // The seat's legal moves don't depend on what it can't see.
    outlook.moves(&outlook.imagine(dice)?, seat, &mut moves);
    if moves.len() > 1 {
        for _ in 0..budget.iterations {
            tree.iterate(outlook, dice)?;
        }
    }
    let visits = |key: O::Key| tree.child(0, key).map_or(0, |child| tree.nodes[child].visits);
    let best = moves.into_iter().rev().max_by_key(|(key, _)| visits(*key));
    best.map(|(_, action)| action)
}

struct Tree<O: Outlook + ?Sized> {
    nodes: Vec<Node<O::Key>>,
    budget: Budget,
}

/// A move that was looked at, after those that led to it.
struct Node<K> {
    /// Only the root has none.
    made: Option<(Seat, K)>,
    children: Vec<usize>,
    visits: u32,
    /// How often it could have been made.
    chances: u32,
    /// The sum of what it was worth to the seat that made it.
    worth: f64,
}

impl<K> Node<K> {
    fn root() -> Node<K> {
        Node { made: None, children: Vec::new(), visits: 0, chances: 0, worth: 0.0 }
    }
}

impl<O: Outlook + ?Sized> Tree<O> {
    fn iterate(&mut self, outlook: &O, dice: &mut Dice) -> Option<()> {
        let mut game = outlook.imagine(dice)?;
        let mut path = vec![0];
        let mut turns = 0;
        let mut moves = Vec::new();
        while let Some(seat) = next_seat(outlook, &game) {
            moves.clear();
            outlook.moves(&game, seat, &mut moves);
            let at = path[path.len() - 1];
            let (child, is_new) = self.descend(at, seat, &moves);
            let key = self.nodes[child].made.expect("a child was a move").1;
            let chosen = moves.iter().find(|(other, _)| *other == key);
            advance(&mut game, seat, chosen.expect("chosen among them").1.clone());
            turns += 1;
            path.push(child);
            if is_new {
                break;
            }
        }
        while let Some(seat) = next_seat(outlook, &game).filter(|_| turns < self.budget.turns) {
            let action = outlook.quick_move(&game, seat, dice);
            advance(&mut game, seat, action);
            turns += 1;
        }
        for index in path {
            let node = &mut self.nodes[index];
            node.visits += 1;
            if let Some((seat, _)) = node.made {
                node.worth += outlook.worth(&game, seat);
            }
        }
        Some(())
    }

    /// The move to look at next: the first that never was, else the one that promises most.
    fn descend(&mut self, at: usize, seat: Seat, moves: &[Choice<O>]) -> (usize, bool) {
        let mut most = None;
        let mut untried = None;
        for (key, _) in moves {
            let Some(child) = self.child(at, *key) else {
                untried = untried.or(Some(*key));
                continue;
            };
            let node = &mut self.nodes[child];
            node.chances += 1;
            let visits = f64::from(node.visits);
            let doubt = (f64::from(node.chances).ln() / visits).sqrt();
            let promise = node.worth / visits + self.budget.curiosity * doubt;
            if most.is_none_or(|(_, best)| promise > best) {
                most = Some((child, promise));
            }
        }
        let Some(key) = untried else {
            return (most.expect("there is a move").0, false);
        };
        let child = self.nodes.len();
        self.nodes.push(Node { made: Some((seat, key)), chances: 1, ..Node::root() });
        self.nodes[at].children.push(child);
        (child, true)
    }

    fn child(&self, at: usize, key: O::Key) -> Option<usize> {
        let made = |child: &&usize| self.nodes[**child].made.is_some_and(|(_, made)| made == key);
        self.nodes[at].children.iter().find(made).copied()
    }
}

fn next_seat<O: Outlook + ?Sized>(outlook: &O, game: &O::Game) -> Option<Seat> {
    if outlook.is_over(game) { None } else { game.to_act().first() }
}

fn advance<G: Game>(game: &mut G, seat: Seat, action: G::Action) {
    game.advance(Step::Turn(&[(seat, Move::Act(action))]));
}
