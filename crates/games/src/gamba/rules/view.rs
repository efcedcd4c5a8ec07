//! What a viewer may know. Hands are known to their owner alone and reserves to nobody, until
//! the game is over; every card that ever lay on the pile was seen by all.

use serde::{Deserialize, Serialize};

use rules::{Exit, Illegal, Seat, Viewer};

use super::{Action, Card, Cards, Deal, Gamba, Play, Position, RESERVES, Ranks, SEATS};

/// One viewer's picture of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    pub viewer: Viewer,
    /// Where the cards are that neither seat was dealt.
    pub deal: Deal,
    /// Turns played so far.
    pub turns_played: u32,
    /// None once the game is over.
    pub to_act: Option<Seat>,
    /// From bottom to top.
    pub pile: Cards,
    pub must_play_low: bool,
    /// What fits on the pile now; none once the game is over.
    #[serde(default)]
    pub fits: Ranks,
    pub deck_size: usize,
    /// In the order they were burned.
    pub burned: Cards,
    pub seats: [SeatView; SEATS],
    /// What the last turn did, and then who retired.
    pub news: Vec<News>,
    /// How the game ended, once it has.
    pub ending: Option<Ending>,
}

/// One seat, as the viewer sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatView {
    pub hand_size: usize,
    /// The seat's own, or anybody's once the game is over.
    pub hand: Option<Cards>,
    pub reserves: usize,
    /// Anybody's once the game is over.
    pub reserve_cards: Option<Cards<RESERVES>>,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum News {
    /// Cards went onto the pile. `burned` cards left the game with a 10 (none otherwise), and
    /// the hand was refilled by `drawn` from the deck.
    Played {
        seat: Seat,
        cards: Play,
        from: Source,
        burned: u8,
        drawn: u8,
    },
    /// The pile, `taken` cards, went into the hand.
    PickedUp {
        seat: Seat,
        taken: u8,
    },
    /// The reserve could not be played: it went into the hand with the `taken` cards of the
    /// pile. Until the game is over only the seat itself knows the card.
    ReserveFailed {
        seat: Seat,
        card: Option<Card>,
        taken: u8,
    },
    Retired {
        seat: Seat,
        exit: Exit,
    },
}

/// Where a played card came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    Hand,
    Reserve,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// None: both seats went at once, or the turns ran out.
    pub winner: Option<Seat>,
    pub reason: Reason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    NoCardsRemaining,
    Retirement,
    TurnLimit,
}

impl View {
    pub(super) fn of(game: &Gamba, viewer: Viewer) -> View {
        let over = game.ending.is_some();
        let seat_view = |seat: Seat| {
            let (hand, reserves) = (game.hands[seat.index()], game.reserves[seat.index()]);
            SeatView {
                hand_size: hand.len(),
                hand: (over || viewer.is(seat)).then_some(hand),
                reserves: reserves.len(),
                reserve_cards: over.then_some(reserves),
            }
        };
        View {
            viewer,
            deal: game.deal,
            turns_played: game.turns_played,
            to_act: (!over).then_some(game.turn),
            pile: game.pile,
            must_play_low: game.must_play_low,
            fits: if over { Ranks::EMPTY } else { game.position(game.turn).fitting() },
            deck_size: game.deck.len(),
            burned: game.burned,
            seats: [seat_view(Seat(0)), seat_view(Seat(1))],
            news: news(game, viewer),
            ending: game.ending,
        }
    }

    /// What the viewer's own seat may choose from; none for the public.
    pub fn position(&self) -> Option<Position<'_>> {
        let own = &self.seats[self.viewer.seat()?.index()];
        Some(Position {
            hand: own.hand.as_deref()?,
            reserves: own.reserves,
            pile: &self.pile,
            must_play_low: self.must_play_low,
        })
    }

    /// Whether the viewer may do this now, by the rules themselves.
    pub fn check(&self, action: &Action) -> Result<(), Illegal> {
        match self.position() {
            Some(position) if self.viewer.seat() == self.to_act => position.check(action),
            _ => Err(Illegal::new("it is not your turn")),
        }
    }

    /// The top card of the pile.
    pub fn top(&self) -> Option<Card> {
        self.pile.last().copied()
    }
}

fn news(game: &Gamba, viewer: Viewer) -> Vec<News> {
    let mut told = game.last.clone();
    if let Some(News::ReserveFailed { seat, card, .. }) = &mut told
        && !viewer.is(*seat)
        && game.ending.is_none()
    {
        *card = None;
    }
    let mut news = Vec::from_iter(told);
    // The first retirement ends the game, so all of them belong to the last step.
    for (seat, exit) in Seat::all(SEATS).zip(&game.exits) {
        if let Some(exit) = exit {
            news.push(News::Retired { seat, exit: exit.clone() });
        }
    }
    news
}
