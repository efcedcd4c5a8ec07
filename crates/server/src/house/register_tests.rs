//! The register over a journal: every change survives a restart.

use hall::{HouseRecord, KeyHash};
use store::folder::Folder;
use store::sqlite::SqliteJournal;
use store::{HOUSE, Journal};

use super::*;
use crate::journal::JournalWriter;

fn claim(name: &'static str) -> impl FnOnce(&Register) -> Result<HouseRecord, String> + Send {
    move |register| match register.claimed(name) {
        Some(known) => Err(format!("{} has a key", known.name)),
        None => Ok(HouseRecord::Claimed { name: name.into(), key: KeyHash::of(name) }),
    }
}

/// Lets something happen to the register of a folder, between a start and an end.
async fn visit<T>(data: &std::path::Path, act: impl AsyncFnOnce(RegisterHandle) -> T) -> T {
    let mut journal = SqliteJournal::open(Folder::take(data).unwrap()).unwrap();
    let loaded = journal.load(HOUSE).unwrap();
    let (writer, thread, _failed) = JournalWriter::start(Box::new(journal)).unwrap();
    let pending = PendingBatches::new(writer.clone(), None, HOUSE, loaded.epoch);
    let (keeper, handle) = RegisterKeeper::new(restore(&loaded).unwrap(), Pen::Own(pending));
    let keeping = tokio::spawn(keeper.keep(Vec::new(), CancellationToken::new()));
    let done = act(handle).await;
    keeping.await.unwrap();
    writer.stop().await;
    thread.join().unwrap();
    done
}

#[tokio::test]
async fn names_stay_claimed_over_restarts() {
    let data = tempfile::tempdir().unwrap();
    visit(data.path(), async |register| {
        assert_eq!(register.change(claim("ann")).await, Some(Ok(())));
        assert!(register.read().claimed("ann").is_some(), "it is read as soon as it is told");
        let again = register.change(claim("Ann")).await;
        assert_eq!(again, Some(Err("ann has a key".to_owned())));
        assert_eq!(register.change(claim("bob")).await, Some(Ok(())));
    })
    .await;
    visit(data.path(), async |register| {
        assert_eq!(register.read().claimed("ann").unwrap().key, KeyHash::of("ann"));
        let release = |_: &Register| Ok::<_, String>(HouseRecord::Released { name: "ann".into() });
        assert_eq!(register.change(release).await, Some(Ok(())));
    })
    .await;
    let names = visit(data.path(), async |register| {
        register.read().names().map(|known| known.name.to_string()).collect::<Vec<_>>()
    });
    assert_eq!(names.await, ["bob"]);
}

#[tokio::test]
async fn nodes_of_a_fleet_share_one_register() {
    let memory = store::memory::Memory::default();
    let (grown, register) = watch::channel(0);
    let shared = crate::journal::SharedHouse {
        journal: Arc::new(move || -> Box<dyn Journal> { Box::new(memory.clone()) }),
        register,
        audit: watch::channel(0).1,
        admin_token: String::new(),
        database: None,
    };
    let node = || {
        let pen = Pen::Shared(shared.stream(HOUSE));
        let (keeper, handle) = RegisterKeeper::new(Register::default(), pen);
        (tokio::spawn(keeper.keep(Vec::new(), CancellationToken::new())), handle)
    };
    let ((_one, one), (_two, two)) = (node(), node());
    assert_eq!(one.change(claim("ann")).await, Some(Ok(())));
    let taken = two.change(claim("Ann")).await;
    assert_eq!(
        taken,
        Some(Err("ann has a key".to_owned())),
        "what another has written is read first"
    );
    assert_eq!(two.change(claim("bob")).await, Some(Ok(())));
    assert!(one.read().claimed("bob").is_none());
    grown.send_replace(2);
    let mut known = one.known.clone();
    known.wait_for(|register| register.claimed("bob").is_some()).await.expect("it is kept");
    assert_eq!(one.change(claim("eve")).await, Some(Ok(())));
}

#[tokio::test]
async fn a_name_under_which_nobody_finishes_a_game_lapses() {
    const DAY: u64 = 24 * 60 * 60 * 1000;
    let data = tempfile::tempdir().unwrap();
    visit(data.path(), async |register| {
        assert_eq!(register.change(claim("ann")).await, Some(Ok(())));
        assert_eq!(register.change(claim("bob")).await, Some(Ok(())));
        let proven = |_: &Register| Ok::<_, String>(HouseRecord::Proven { name: "bob".into() });
        assert_eq!(register.change(proven).await, Some(Ok(())));
        let lapsing = crate::house::Lapsing {
            expire_days: 30,
            register: register.clone(),
            archive: Arc::new(store::memory::Memory::default()),
            hosted: Arc::default(),
        };
        let now = clock::now();
        lapsing.look(now + 29 * DAY, None).await.unwrap();
        assert!(register.read().claimed("ann").is_some(), "it is not time yet");
        lapsing.look(now + 31 * DAY, None).await.unwrap();
    })
    .await;
    let names = visit(data.path(), async |register| {
        register.read().names().map(|known| known.name.to_string()).collect::<Vec<_>>()
    });
    assert_eq!(names.await, ["bob"], "it was written down");
}
