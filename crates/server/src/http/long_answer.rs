//! Long answers: they are made piece by piece, as their clients read them, so that an answer that
//! nobody reads takes little memory and no time.

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream::try_unfold;
use hall::Code;
use store::{Archive, StoreError};
use wire::Retold;

use super::bill::Bill;
use super::room::Held;
use super::{ApiError, AppState};
use crate::gate::Limit;
use crate::reading::{Replays, Stop, Undone};

/// An answer that is shorter is sent in one piece, with its length.
pub const SHORT: usize = 192 * 1024;

/// The pieces of a longer one, but for the first.
const PIECE: usize = 64 * 1024;

/// So many steps of a game cost one request.
pub const STEPS_PER_REQUEST: u64 = 100;

/// Something long to tell.
pub struct Tale {
    pub source: Retold,
    /// How much memory it takes while it is told.
    pub bytes: usize,
}

/// How something is told.
#[derive(Clone, Copy)]
pub struct Manner {
    /// The type of the answer.
    pub kind: &'static str,
    /// What the answer is if the beginning cannot be told.
    pub wrong: fn(String) -> ApiError,
    /// What it is if something panics.
    pub broken: fn(String) -> ApiError,
}

/// A tale that is being told.
struct Telling {
    tale: Tale,
    is_over: bool,
    _room: Held,
}

impl Telling {
    /// The next piece, and how many requests it costs.
    fn piece(&mut self, size: usize, stop: &Stop) -> Result<(String, u64), String> {
        let (mut text, mut steps) = (String::new(), 0);
        while text.len() < size && !self.is_over {
            if stop.is_said() {
                return Err("nobody waits for it any more".to_owned());
            }
            match self.tale.source.next() {
                Some(step) => text += &step?,
                None => self.is_over = true,
            }
            steps += 1;
        }
        let cost = text.len() / PIECE;
        Ok((text, cost as u64 + steps / STEPS_PER_REQUEST))
    }
}

/// What began to be told, or for how many bytes there is no room.
enum Begun {
    Told(String, u64, Telling),
    NoRoom(usize),
}

/// Tells what `open` finds. It is opened when its turn has come, and once more if it has to wait for
/// room: nothing of it is kept meanwhile.
pub async fn tell(
    app: &AppState,
    bill: Bill,
    manner: Manner,
    open: impl Fn(&dyn Archive) -> Result<Tale, ApiError> + Clone + Send + 'static,
) -> Result<Response, ApiError> {
    let Manner { kind, wrong, broken } = manner;
    let mut held = Held::default();
    loop {
        let (open, archive, room) = (open.clone(), app.archive.clone(), app.room.clone());
        let address = bill.address();
        let begun = app.replays.run(bill.asker(), move |stop| {
            let tale = open(&*archive)?;
            let room = match address {
                Some(address) => room.try_hold(tale.bytes, address, held),
                None => Some(held),
            };
            let Some(room) = room else { return Ok::<_, ApiError>(Begun::NoRoom(tale.bytes)) };
            let mut telling = Telling { tale, is_over: false, _room: room };
            let (text, cost) = telling.piece(SHORT, stop).map_err(wrong)?;
            Ok(Begun::Told(text, cost, telling))
        });
        let begun = begun.await.map_err(|undone| match undone {
            Undone::Broken(error) => broken(error.to_string()),
            crowded => crowded.into(),
        });
        match begun?? {
            Begun::NoRoom(bytes) => {
                app.metrics.hit(Limit::AnswerMb);
                held = match address {
                    Some(address) => app.room.hold(bytes, address).await,
                    None => Held::default(),
                };
            }
            Begun::Told(text, cost, telling) => {
                bill.charge(cost);
                let kind = [(header::CONTENT_TYPE, kind)];
                return Ok(match telling.is_over {
                    true => (kind, text).into_response(),
                    false => (kind, rest(app.replays.clone(), bill, text, telling)).into_response(),
                });
            }
        }
    }
}

/// The first piece, and then all others as they are read.
fn rest(replays: Replays, bill: Bill, first: String, telling: Telling) -> Body {
    let state = (Some(first), Some(telling));
    Body::from_stream(try_unfold(state, move |(first, telling)| {
        let (replays, bill) = (replays.clone(), bill.clone());
        async move {
            if let Some(first) = first {
                return Ok(Some((first, (None, telling))));
            }
            let Some(mut telling) = telling.filter(|telling| !telling.is_over) else {
                return Ok(None);
            };
            let told = replays.run(bill.goes_on(), move |stop| {
                let piece = telling.piece(PIECE, stop);
                piece.map(|piece| (piece, telling))
            });
            // The head of the answer is sent: whoever reads it learns of this by its end.
            let told = told.await.map_err(|undone| format!("{undone:?}")).flatten();
            let ((text, cost), telling) = told.map_err(|why| {
                tracing::warn!(why, "a long answer ends early");
                std::io::Error::other(why)
            })?;
            bill.charge(cost);
            Ok::<_, std::io::Error>(Some((text, (None, Some(telling)))))
        }
    }))
}

/// Sends a text that is there, in pieces if it is long.
pub async fn send(app: &AppState, bill: Bill, kind: &'static str, text: Bytes) -> Response {
    let length = text.len();
    let kind = [(header::CONTENT_TYPE, kind)];
    bill.charge((length / PIECE) as u64);
    let Some(address) = bill.address().filter(|_| length > SHORT) else {
        return (kind, text).into_response();
    };
    let held = match app.room.try_hold(length, address, Held::default()) {
        Some(held) => held,
        None => {
            app.metrics.hit(Limit::AnswerMb);
            app.room.hold(length, address).await
        }
    };
    let pieces = try_unfold((text, held), |(mut text, held)| async move {
        let piece = text.split_to(text.len().min(PIECE));
        Ok::<_, std::io::Error>((!piece.is_empty()).then_some((piece, (text, held))))
    });
    let length = [(header::CONTENT_LENGTH, length.to_string())];
    (kind, length, Body::from_stream(pieces)).into_response()
}

/// What cannot be read, and whose fault it is.
pub fn unread(error: &StoreError) -> ApiError {
    match error {
        StoreError::Away { .. } => {
            tracing::warn!(%error, "the archive");
            ApiError::unavailable("the database does not answer")
        }
        error => {
            tracing::error!(%error, "the archive");
            ApiError::new(Code::Internal, error.to_string())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_util::StreamExt;

    use super::*;
    use crate::house::Metrics;

    /// A game without end, in lines of a kilobyte, and how many of them were made.
    fn endless() -> (Telling, Arc<AtomicUsize>) {
        let made = Arc::new(AtomicUsize::new(0));
        let count = made.clone();
        let lines = std::iter::repeat_with(move || {
            count.fetch_add(1, Ordering::Relaxed);
            Ok("x".repeat(1024))
        });
        let tale = Tale { source: Box::new(lines), bytes: 0 };
        (Telling { tale, is_over: false, _room: Held::default() }, made)
    }

    /// The frames of one game of 64 were 230 MB of memory, for as long as nobody read them.
    #[tokio::test]
    async fn what_nobody_reads_is_not_made() {
        let (mut telling, made) = endless();
        let (first, _) = telling.piece(SHORT, &Stop::default()).expect("is told");
        assert_eq!(first.len(), SHORT);
        let replays = Replays::new(1, Metrics::new());
        let body = rest(replays, Bill::free(), first, telling);
        let mut pieces = body.into_data_stream();
        for read in 0..5 {
            let piece = pieces.next().await.expect("there is more").expect("is told");
            assert!(piece.len() <= SHORT);
            assert_eq!(made.load(Ordering::Relaxed), (SHORT + read * PIECE) / 1024);
        }
    }

    #[test]
    fn a_long_answer_costs_as_much_as_it_is_worth() {
        let (mut telling, _) = endless();
        let (_, cost) = telling.piece(10 * PIECE, &Stop::default()).expect("is told");
        assert_eq!(cost, 10 + 640 / STEPS_PER_REQUEST);
    }

    #[test]
    fn nothing_more_is_made_once_nobody_waits() {
        let (mut telling, made) = endless();
        let stop = Stop::default();
        stop.say();
        assert!(telling.piece(PIECE, &stop).is_err());
        assert_eq!(made.load(Ordering::Relaxed), 0);
    }
}
