//! Sushi Go: a code is a kind of card or an ordered pair of them, not a place in the hand. The
//! memory keeps what the viewer has seen of the hands that go round.

use games::sushi_go::bots::BOTS;
use games::sushi_go::rules::{Action, Card, Config, Known, ROUNDS};
use games::sushi_go::{SushiGo, View};
use rules::{BotKind, Dice, Game, Seat, Viewer};

use crate::row::{Row, from_own};
use crate::spec::axis;
use crate::{Encode, Past, Recall, Spec};

const KINDS: usize = Card::DECK.len();

/// The hands as far as the viewer knows them, by the seat that holds them now: a hand it has passed
/// on loses the cards it has seen played from it since.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    /// The round and turn of the last view.
    last: (u8, u8),
    hands: Vec<Option<[u8; KINDS]>>,
    /// The cards laid in all rounds so far, as far as they were not picked up again.
    laid: [u8; KINDS],
}

impl Encode for SushiGo {
    type Memory = Memory;
    const REMEMBERS: bool = true;

    fn bots() -> &'static [BotKind<SushiGo>] {
        BOTS
    }

    fn random(&self, seat: Seat, dice: &mut Dice) -> Action {
        SushiGo::random(self, seat, dice)
    }

    fn spec(_: &Config, seats: usize) -> Spec {
        let kinds = || axis(Card::DECK.map(|(card, _)| card));
        Spec::new(SushiGo::NAME, seats)
            .simultaneous()
            .codes("play", vec![kinds()])
            .codes("chopsticks", vec![kinds(), kinds()])
            .plane("hand", &[KINDS], "cards of each kind in the own hand")
            .plane("table", &[seats, KINDS], "cards of each kind before each seat, the own first")
            .plane("open_wasabi", &[seats], "wasabi that waits for a nigiri")
            .plane("puddings", &[seats], "puddings of all rounds / 5")
            .plane("scores", &[seats], "points of the rounds that are over / 50")
            .plane("round", &[usize::from(ROUNDS)], "1 at the round")
            .plane("cards_left", &[1], "cards in a hand / 10")
            .plane("last_played", &[seats, KINDS], "cards each seat laid in the last turn")
            .plane("seen", &[seats - 1], "1 if the hand of that other seat was seen before")
            .plane("seen_hands", &[seats - 1, KINDS], "what is left in the hands of the others")
            .plane("passes_left", &[1], "1 if hands go to the next seat, 0 to the one before")
            .plane("pudding_penalty", &[1], "1 if the fewest puddings cost 6 points")
    }

    fn remember(memory: &mut Memory, view: &View) {
        let seats = view.seats.len();
        let now = (view.round, view.turn);
        if memory.last != now {
            if let Some(news) = &view.news
                && memory.last == (news.round, news.turn)
            {
                for played in &news.played {
                    memory.lay(played);
                }
            }
            let hands = std::mem::replace(&mut memory.hands, vec![None; seats]);
            if let Some(news) = &view.news
                && news.round == view.round
                && memory.last == (news.round, news.turn)
            {
                for (seat, hand) in hands.into_iter().enumerate() {
                    let left = hand.map(|hand| without(hand, &news.played[seat]));
                    memory.hands[view.passes_to[seat].index()] = left;
                }
            }
            memory.last = now;
        }
        if let (Some(seat), Some(hand)) = (view.viewer.seat(), &view.hand) {
            memory.hands[seat.index()] = Some(counts(hand));
        }
    }

    fn redeal(past: Past<'_, SushiGo>, dice: &mut Dice) -> Option<SushiGo> {
        let view = past.game.view(Viewer::Seat(past.seat));
        past.game.redealt(past.seat, &past.memory.known(&view), dice)
    }

    /// Which hands a seat has seen is public; their contents come from the new game.
    fn recall(recall: &Recall<'_, SushiGo>) -> Memory {
        let hand = |view: &View| view.hand.as_deref().map(counts);
        let seen = recall.memory.hands.iter().zip(recall.now);
        let hands = seen.map(|(known, view)| known.and_then(|_| hand(view))).collect();
        let mut memory = Memory { hands, ..recall.memory.clone() };
        SushiGo::remember(&mut memory, &recall.now[recall.seat.index()]);
        memory
    }

    fn observe(view: &View, memory: &Memory, _: &[usize], out: &mut [f32]) {
        let seats = view.seats.len();
        let own = view.viewer.seat().map_or(0, |seat| seat.index());
        let mut row = Row::new(out);
        count(row.plane(KINDS), view.hand.as_deref().unwrap_or_default());
        for seat in from_own(own, seats) {
            count(row.plane(KINDS), &view.seats[seat].table);
        }
        for seat in from_own(own, seats) {
            row.number(open_wasabi(&view.seats[seat].table));
        }
        for seat in from_own(own, seats) {
            row.number(view.seats[seat].puddings as f32 / 5.0);
        }
        for seat in from_own(own, seats) {
            row.number(view.seats[seat].score as f32 / 50.0);
        }
        row.one_hot(usize::from(ROUNDS), Some(usize::from(view.round) - 1));
        row.number(view.hand_sizes[own] as f32 / 10.0);
        for seat in from_own(own, seats) {
            let played = view.news.as_ref().map_or(&[][..], |news| &news.played[seat]);
            count(row.plane(KINDS), played);
        }
        let known = |seat: usize| memory.hands.get(seat).copied().flatten();
        for seat in from_own(own, seats).skip(1) {
            row.flag(known(seat).is_some());
        }
        for seat in from_own(own, seats).skip(1) {
            let plane = row.plane(KINDS);
            for (number, cards) in plane.iter_mut().zip(known(seat).unwrap_or_default()) {
                *number = f32::from(cards);
            }
        }
        row.flag(view.passes_to[0].index() == 1);
        row.flag(seats > 2 || view.two_player_pudding_penalty);
        row.end();
    }

    fn mask(view: &View, _: &[usize], out: &mut [u8]) {
        let Some(hand) = &view.hand else { return };
        let held = counts(hand);
        for (kind, &cards) in held.iter().enumerate() {
            out[kind] = u8::from(cards > 0);
        }
        if !view.has_chopsticks() {
            return;
        }
        for first in (0..KINDS).filter(|&kind| held[kind] > 0) {
            for second in (0..KINDS).filter(|&kind| held[kind] > u8::from(kind == first)) {
                out[KINDS + first * KINDS + second] = 1;
            }
        }
    }

    /// The first card of each kind in the hand.
    fn decode(view: &View, codes: &[usize]) -> Option<Action> {
        let &[code] = codes else { return None };
        let hand = view.hand.as_ref()?;
        let find = |kind: usize, but: Option<usize>| {
            (0..hand.len()).find(|&place| hand[place] as usize == kind && Some(place) != but)
        };
        if code < KINDS {
            return find(code, None).map(Action::Play);
        }
        let (first, second) = ((code - KINDS) / KINDS, (code - KINDS) % KINDS);
        let first = find(first, None)?;
        Some(Action::Chopsticks(first, find(second, Some(first))?))
    }

    fn encode(view: &View, action: &Action) -> Option<Vec<usize>> {
        let kind = |place: usize| Some(*view.hand.as_ref()?.get(place)? as usize);
        Some(vec![match *action {
            Action::Play(place) => kind(place)?,
            Action::Chopsticks(first, second) => KINDS + kind(first)? * KINDS + kind(second)?,
        }])
    }
}

fn count(plane: &mut [f32], cards: &[Card]) {
    for card in cards {
        plane[*card as usize] += 1.0;
    }
}

fn counts(cards: &[Card]) -> [u8; KINDS] {
    let mut counts = [0; KINDS];
    for card in cards {
        counts[*card as usize] += 1;
    }
    counts
}

impl Memory {
    fn lay(&mut self, played: &[Card]) {
        for card in played {
            self.laid[*card as usize] += 1;
        }
        if played.len() == 2 {
            let sticks = &mut self.laid[Card::Chopsticks as usize];
            *sticks = sticks.saturating_sub(1);
        }
    }

    /// The same as the rules take it.
    fn known(&self, view: &View) -> Known {
        let mut gone = self.laid;
        for card in view.seats.iter().flat_map(|seat| &seat.table) {
            gone[*card as usize] = gone[*card as usize].saturating_sub(1);
        }
        let own = view.viewer.seat().map(|seat| seat.index());
        let hands = self.hands.iter().enumerate();
        let hands = hands.map(|(seat, hand)| hand.filter(|_| Some(seat) != own).map(cards));
        Known { gone: cards(gone), hands: hands.collect() }
    }
}

fn cards(counts: [u8; KINDS]) -> Vec<Card> {
    let kinds = Card::DECK.iter().zip(counts);
    kinds.flat_map(|((card, _), count)| std::iter::repeat_n(*card, count.into())).collect()
}

/// A hand from which these cards were laid. Two were laid for chopsticks, which went back into it.
fn without(mut hand: [u8; KINDS], played: &[Card]) -> [u8; KINDS] {
    for card in played {
        hand[*card as usize] -= 1;
    }
    if played.len() == 2 {
        hand[Card::Chopsticks as usize] += 1;
    }
    hand
}

/// A nigiri goes onto the wasabi that lay there first.
fn open_wasabi(table: &[Card]) -> f32 {
    let mut open: f32 = 0.0;
    for card in table {
        if *card == Card::Wasabi {
            open += 1.0;
        } else if card.nigiri().is_some() {
            open = (open - 1.0).max(0.0);
        }
    }
    open
}
