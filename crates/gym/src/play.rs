//! One game, played code by code: one seat is asked after the other.

use rules::{Dice, Illegal, Move, Seat, SeatSet, Step, Viewer};

use crate::{Encode, Past, Recall};

/// A game and the seat to choose next. In a simultaneous turn the seats choose in order, and none
/// sees another's choice until all have chosen.
#[derive(Clone, Debug)]
pub struct Play<G: Encode> {
    game: G,
    memories: Vec<G::Memory>,
    /// Those of this turn that have still to choose, the current one included.
    waiting: SeatSet,
    chosen: Vec<(Seat, Move<G::Action>)>,
    /// The codes the current seat has chosen of its action.
    draft: Vec<usize>,
    /// The seat to choose, and its view.
    current: Option<(Seat, G::View)>,
}

impl<G: Encode> Play<G> {
    pub fn new(game: G, seats: usize) -> Play<G> {
        Play::with_memories(game, vec![G::Memory::default(); seats])
    }

    fn with_memories(game: G, memories: Vec<G::Memory>) -> Play<G> {
        let mut play = Play {
            game,
            memories,
            waiting: SeatSet::EMPTY,
            chosen: Vec::new(),
            draft: Vec::new(),
            current: None,
        };
        play.begin_turn();
        play
    }

    /// The seat that chooses next; `None` once the game is over.
    pub fn to_play(&self) -> Option<Seat> {
        self.current.as_ref().map(|(seat, _)| *seat)
    }

    /// The seat to play, with its view.
    pub fn current(&self) -> Option<&(Seat, G::View)> {
        self.current.as_ref()
    }

    /// The seats that still have to choose in this turn.
    pub fn waiting(&self) -> SeatSet {
        self.waiting
    }

    /// Whether no seat has chosen in this turn yet.
    pub fn is_fresh(&self) -> bool {
        self.chosen.is_empty()
    }

    pub fn game(&self) -> &G {
        &self.game
    }

    /// The codes that the seat to play has chosen of its action so far.
    pub fn draft(&self) -> &[usize] {
        &self.draft
    }

    /// A seat's memory of what it has seen.
    pub fn memory(&self, seat: Seat) -> &G::Memory {
        &self.memories[seat.index()]
    }

    /// What a seat knows, as numbers.
    pub fn observe(&self, seat: Seat, out: &mut [f32]) {
        out.fill(0.0);
        let memory = &self.memories[seat.index()];
        match &self.current {
            Some((current, view)) if *current == seat => {
                G::observe(view, memory, &self.draft, out);
            }
            _ => {
                let view = self.game.view(Viewer::Seat(seat));
                let mut memory = memory.clone();
                G::remember(&mut memory, &view);
                G::observe(&view, &memory, &[], out);
            }
        }
    }

    /// The codes a seat may choose next; none unless it still has to choose in this turn.
    pub fn mask(&self, seat: Seat, out: &mut [u8]) {
        out.fill(0);
        match &self.current {
            Some((current, view)) if *current == seat => G::mask(view, &self.draft, out),
            _ if self.waiting.contains(seat) => {
                G::mask(&self.game.view(Viewer::Seat(seat)), &[], out);
            }
            _ => {}
        }
    }

    /// The legal codes of a seat, out of `actions`.
    pub fn legal_codes(&self, seat: Seat, actions: usize) -> Vec<usize> {
        let mut codes = Vec::new();
        match &self.current {
            Some((current, view)) if *current == seat => {
                G::legal_codes(view, &self.draft, actions, &mut codes);
            }
            _ if self.waiting.contains(seat) => {
                G::legal_codes(&self.game.view(Viewer::Seat(seat)), &[], actions, &mut codes);
            }
            _ => {}
        }
        codes
    }

    /// The seat to play chooses a code. Whether the mask allows it was looked up by the caller.
    pub fn apply(&mut self, code: usize) -> Result<(), Illegal> {
        let Some((_, view)) = &self.current else { return Err(Illegal::new("the game is over")) };
        self.draft.push(code);
        if self.draft.len() < G::parts(view) {
            return Ok(());
        }
        let action = G::decode(view, &self.draft);
        self.draft.clear();
        self.act(action.ok_or_else(|| Illegal::new(format!("code {code} means nothing here")))?)
    }

    /// The seat to play does this, whatever codes it had begun with.
    pub fn act(&mut self, action: G::Action) -> Result<(), Illegal> {
        let Some((seat, _)) = self.current else { return Err(Illegal::new("the game is over")) };
        self.game.check(seat, &action)?;
        self.draft.clear();
        self.chosen.push((seat, Move::Act(action)));
        self.waiting.remove(seat);
        if self.waiting.is_empty() {
            // After a deal a seat may have been asked before those in front of it.
            self.chosen.sort_unstable_by_key(|(seat, _)| *seat);
            self.game.advance(Step::Turn(&self.chosen));
            self.chosen.clear();
            self.begin_turn();
        } else {
            self.ask_next();
        }
        Ok(())
    }

    fn begin_turn(&mut self) {
        self.waiting = self.game.to_act();
        if G::REMEMBERS {
            // Seats that are asked see their view then.
            let idle = SeatSet::all(self.memories.len()).without(self.waiting);
            for seat in idle.iter() {
                let view = self.game.view(Viewer::Seat(seat));
                G::remember(&mut self.memories[seat.index()], &view);
            }
        }
        self.ask_next();
    }

    fn ask_next(&mut self) {
        self.current = self.waiting.first().map(|seat| (seat, self.game.view(Viewer::Seat(seat))));
        if let Some((seat, view)) = &self.current {
            G::remember(&mut self.memories[seat.index()], view);
        }
    }

    /// Another game, from the beginning of the turn, that `seat` can't tell from this one by
    /// anything it has seen. Hidden cards are dealt again, and the other seats have yet to choose.
    /// If the seat has begun its choice, it continues that first. `actions` are all actions of the
    /// game so far. `None` once the game is over.
    pub fn resampled<'a>(
        &'a self,
        seat: Seat,
        config: &'a G::Config,
        actions: impl Iterator<Item = &'a G::Action>,
        dice: &mut Dice,
    ) -> Option<Play<G>> {
        let seats = self.memories.len();
        let see = |at: Seat| {
            let (mut memory, view) =
                (self.memories[at.index()].clone(), self.game.view(Viewer::Seat(at)));
            G::remember(&mut memory, &view);
            (memory, view)
        };
        let (memory, _) = see(seat);
        let actions = actions.collect();
        let past = Past { game: &self.game, config, seat, memory: &memory, actions };
        let game = G::redeal(past, dice)?;
        let memories = if G::REMEMBERS {
            let now: Vec<G::View> =
                Seat::all(seats).map(|at| game.view(Viewer::Seat(at))).collect();
            let recall = |at: Seat| {
                if at == seat {
                    return memory.clone();
                }
                let (memory, was) = see(at);
                G::recall(&Recall { seat: at, memory: &memory, was, now: &now })
            };
            Seat::all(seats).map(recall).collect()
        } else {
            vec![memory; seats]
        };
        let mut play = Play::with_memories(game, memories);
        if !self.draft.is_empty() && self.to_play() == Some(seat) {
            play.draft.clone_from(&self.draft);
            play.current = Some((seat, play.game.view(Viewer::Seat(seat))));
        }
        Some(play)
    }
}
