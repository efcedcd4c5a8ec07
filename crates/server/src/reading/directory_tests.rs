//! The directory of a hall that only the test drives.

use games::sushi_go::SushiGo;
use hall::{
    Entry, Hall, Input, NewEntrant, NewTournament, Order, Output, Request, Status, TableNo, Time,
};
use rules::Seed;
use wire::Playable;

use super::*;

struct Stage {
    hall: Hall,
    directory: Arc<Directory>,
}

impl Stage {
    /// A hall with a cup, and its directory.
    fn new() -> Stage {
        let terms = SushiGo::terms(&Default::default()).expect("defaults are fine");
        let hall = Hall::new(terms.clone(), SushiGo::hooks(), 100, Seed::from_number(7));
        let mut stage =
            Stage { hall, directory: Arc::new(Directory::new("sushi-go", OpenRecords::default())) };
        stage.ask(Request::Convene(Box::new(NewTournament {
            id: Some("cup".into()),
            plan: tournament::Plan { max_entrants: 64, ..Default::default() },
            terms,
            no_show_ms: 1000,
            starts_when_full: false,
            open: true,
            open_names: true,
            entry: Entry::Open,
            entrants: Vec::new(),
        })));
        stage
    }

    fn ask(&mut self, request: Request) {
        let mut outputs = Vec::new();
        self.hall.handle(Time(1), Input::Asked(1, request), &mut outputs);
        let listed = outputs.into_iter().filter_map(|output| match output {
            Output::Listed(change) => Some(change),
            _ => None,
        });
        self.directory.publish(&mut listed.collect(), &mut Vec::new());
    }

    fn enter(&mut self, number: usize) {
        let name = format!("bot{number}").into();
        let entrant =
            NewEntrant { name, display: None, plays_as: None, bot: None, version: None, key: None };
        self.ask(Request::Order { id: "cup".into(), order: Order::Enter(entrant) });
    }
}

#[test]
fn what_was_published_is_read() {
    let mut stage = Stage::new();
    let tables = |stage: &Stage, status| {
        stage.directory.read(|lists| lists.tables(status, TableNo(0)).count())
    };
    assert_eq!((tables(&stage, None), tables(&stage, Some(Status::Waiting))), (1, 1));
    let id = stage.directory.read(|lists| {
        let (_, info) = lists.tables(None, TableNo(0)).next().expect("one is always open");
        info.id.clone()
    });
    stage.ask(Request::Close { id: id.clone(), reason: "over".to_owned() });
    let status = stage.directory.read(|lists| lists.table(&id).map(|info| info.status));
    assert_eq!(status, Some(Status::Void));
    assert_eq!(tables(&stage, Some(Status::Waiting)), 1, "another is open in its place");
}

/// Every watcher had the whole tournament rendered again, on the hall's thread.
#[test]
fn a_tournament_is_rendered_once_for_all_readers() {
    let mut stage = Stage::new();
    let read = |stage: &Stage| stage.directory.tournament("cup").expect("it is there").json;
    let first = read(&stage);
    let (watched, _news) = stage.directory.watch_tournament("cup").expect("it is there");
    assert!(Arc::ptr_eq(&first, &read(&stage)) && Arc::ptr_eq(&first, &watched.json));
    stage.enter(1);
    let second = read(&stage);
    assert_ne!(first, second);
    assert!(second.contains("bot1") && Arc::ptr_eq(&second, &read(&stage)));
    assert!(stage.directory.tournament("none").is_none());
}

/// Watchers got every single change, as fast as they came.
#[tokio::test(start_paused = true)]
async fn tournament_watchers_receive_at_most_two_changes_a_second() {
    let mut stage = Stage::new();
    let closing = CancellationToken::new();
    let kept = tokio::spawn(stage.directory.clone().keep(closing.clone()));
    let (_, mut news) = stage.directory.watch_tournament("cup").expect("it is there");
    let mut heard = 0;
    for number in 0..40 {
        stage.enter(number);
        // Forty changes in two seconds.
        tokio::time::sleep(Duration::from_millis(50)).await;
        heard += usize::from(news.has_changed().expect("it is kept"));
        news.mark_unchanged();
    }
    assert!((3..=5).contains(&heard), "{heard} changes in two seconds");
    tokio::time::sleep(FEED_EVERY).await;
    let last = news.borrow_and_update().json.clone();
    assert!(last.contains("bot39"), "the latest is heard in the end");
    assert!(Arc::ptr_eq(&last, &stage.directory.tournament("cup").expect("it is there").json));
    closing.cancel();
    kept.await.expect("ends");
}

/// The hall's thread stores changes there while others read, and is never itself a reader.
#[test]
fn a_halls_thread_waits_for_no_reader() {
    let directory = Arc::new(Directory::new("sushi-go", OpenRecords::default()));
    let (reads, is_reading) = std::sync::mpsc::channel();
    let (finish, is_finished) = std::sync::mpsc::channel::<()>();
    let reader = std::thread::spawn({
        let directory = directory.clone();
        move || {
            directory.read(|_| {
                reads.send(()).expect("the test waits");
                is_finished.recv().expect("the test goes on");
            });
        }
    });
    is_reading.recv().expect("the reader holds its lock");
    let hall = std::thread::spawn({
        let directory = directory.clone();
        move || {
            leave_to_the_hall();
            let number = directory.next_number();
            directory.publish(&mut vec![Listing::Anew], &mut Vec::new());
            directory.take_up(OpenRecords::default());
            assert_eq!(directory.next_number(), number + 1);
        }
    });
    hall.join().expect("it did not wait");
    finish.send(()).expect("the reader waits");
    reader.join().expect("it has read");
    let (changes, number) = directory.changes();
    assert_eq!((changes.len(), number), (1, 1));
    if cfg!(debug_assertions) {
        let reads = std::thread::spawn(move || {
            leave_to_the_hall();
            directory.read(|_| ());
        });
        assert!(reads.join().is_err(), "a hall's thread that reads is found out");
    }
}
