//! Reviews of finished games. They are made on request, step by step, on one thread that gives way to
//! everything else. A review stops when its last reader leaves. A finished one is
//! kept with the data, and made again only by a newer version of the method or the rules.

use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};

use wire::Review;

use super::{Asker, Replays, Undone};
use crate::house::Metrics;
use crate::system;

/// How many reviews are kept in memory.
const IN_MEMORY: usize = 64;

/// The reviewer, and its shelf.
#[derive(Clone, Debug)]
pub struct Reviews {
    /// Requests that wait for the thread, in one queue per address.
    turns: Replays,
    work: Sender<Job>,
    shelf: Arc<Shelf>,
}

type Job = Box<dyn FnOnce() + Send>;

impl Reviews {
    /// Keeps reviews in a folder, if there is one.
    pub fn start(metrics: Arc<Metrics>, folder: Option<PathBuf>) -> io::Result<Reviews> {
        let (work, jobs) = channel::<Job>();
        std::thread::Builder::new().name("reviews".to_owned()).spawn(move || {
            system::give_way();
            for job in jobs {
                // The client that waits gets an error: no answer comes.
                if catch_unwind(AssertUnwindSafe(job)).is_err() {
                    tracing::error!("a review broke down");
                }
            }
        })?;
        let shelf = Shelf { folder, latest: Mutex::default() };
        Ok(Reviews { turns: Replays::new(1, metrics), work, shelf: Arc::new(shelf) })
    }

    /// Does one step of a review when its turn has come. Dropping this future stops the wait.
    pub async fn run<T: Send + 'static>(
        &self,
        asker: Asker,
        step: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Undone> {
        let work = self.work.clone();
        let done = self.turns.run(asker, move |_| {
            let (tell, told) = channel();
            // The client may have gone meanwhile.
            let job = move || drop(tell.send(step()));
            work.send(Box::new(job)).expect("the thread lives as long as there are senders");
            told.recv().expect("the step breaks down")
        });
        done.await
    }

    /// The review that is kept of a game, as JSON.
    pub fn kept(&self, game: &str, id: &str) -> Option<Arc<str>> {
        self.shelf.find(game, id)
    }

    pub fn keep(&self, review: &Review) {
        self.shelf.put(review);
    }
}

/// Where reviews are kept.
#[derive(Debug)]
struct Shelf {
    folder: Option<PathBuf>,
    /// The latest, by game and id.
    latest: Mutex<VecDeque<(String, String, Arc<str>)>>,
}

impl Shelf {
    fn find(&self, game: &str, id: &str) -> Option<Arc<str>> {
        let latest = self.latest.lock().expect("no holder of this lock panics");
        let found = latest.iter().find(|(of, name, _)| (of.as_str(), name.as_str()) == (game, id));
        if let Some((_, _, text)) = found {
            return Some(text.clone());
        }
        drop(latest);
        let text = std::fs::read_to_string(self.place(game, id)?).ok()?;
        let review: Review = serde_json::from_str(&text).ok()?;
        let is_it = (review.game.as_str(), review.id.as_str()) == (game, id);
        let is_current = review.engine == wire::REVIEW_ENGINE;
        (is_it && is_current).then(|| text.into())
    }

    fn put(&self, review: &Review) {
        let text = serde_json::to_string(review).expect("reviews are plain data");
        if let Some(place) = self.place(&review.game, &review.id)
            && let Err(error) = write(&place, &text)
        {
            // It can be made again.
            tracing::warn!(%error, place = %place.display(), "a review is not kept");
        }
        let mut latest = self.latest.lock().expect("no holder of this lock panics");
        latest.push_back((review.game.clone(), review.id.clone(), text.into()));
        if latest.len() > IN_MEMORY {
            latest.pop_front();
        }
    }

    /// The file of a game's review: ids may have any letters.
    fn place(&self, game: &str, id: &str) -> Option<PathBuf> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        let letter = |byte: u8| match plain(byte) {
            true => char::from(byte).to_string(),
            false => format!("_{byte:02x}"),
        };
        let name: String = id.bytes().map(letter).collect();
        Some(self.folder.as_ref()?.join(game).join(format!("{name}.json")))
    }
}

/// Writes a file that is there as a whole or not at all.
fn write(place: &Path, text: &str) -> io::Result<()> {
    let folder = place.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let draft = place.with_extension("new");
    std::fs::write(&draft, text)?;
    std::fs::rename(&draft, place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn review(id: &str, engine: u32) -> Review {
        let (game, id) = ("gamba".to_owned(), id.to_owned());
        let (players, line, decisions) = (Vec::new(), Vec::new(), Vec::new());
        Review { game, id, rules_version: 1, engine, deals: 8, players, line, decisions }
    }

    #[tokio::test]
    async fn what_breaks_down_breaks_nothing_else() {
        let reviews = Reviews::start(Metrics::new(), None).unwrap();
        let broken = reviews.run(Asker::Anybody, || panic!("a bug")).await;
        assert!(matches!(broken, Err(Undone::Broken(_))));
        assert_eq!(reviews.run(Asker::Anybody, || 7).await.unwrap(), 7);
    }

    #[test]
    fn a_review_is_kept_until_the_method_changes() {
        let folder = tempfile::tempdir().unwrap();
        let open = || Reviews::start(Metrics::new(), Some(folder.path().to_owned())).unwrap();
        let id = "../etc/a table/ä";
        open().keep(&review(id, wire::REVIEW_ENGINE));
        open().keep(&review("old", wire::REVIEW_ENGINE + 1));
        let found = open().kept("gamba", id).expect("it is kept");
        assert!(found.contains("a table"), "{found}");
        assert!(open().kept("gamba", "old").is_none());
        assert!(open().kept("sushi-go", id).is_none());
        let inside = std::fs::read_dir(folder.path().join("gamba")).unwrap().count();
        assert_eq!(inside, 2, "ids lead nowhere else");
    }
}
