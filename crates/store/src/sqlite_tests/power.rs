//! Power cuts. Killing a process does not test syncing: what it wrote is still in the system's
//! memory. Here a disk model under SQLite remembers which writes were synced, and a cut keeps
//! those, and of the others whichever chance lets through.

use super::*;
use disk::Disk;

/// A plain generator, for what chance lets through.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % bound
    }
}

/// What a journal holds that was found after a cut.
fn after_cut(image: &Files) -> Result<BTreeMap<Topic, Vec<StoredRecord>>, StoreError> {
    let folder = temp();
    put(folder.path(), image);
    open(folder.path()).map(|(_, loaded)| loaded.open)
}

/// Appends batches on the modelled disk and looks at cuts after and during each; how many
/// batches that were appended a cut has taken away.
fn cuts(seed: u64, synchronous: &str) -> usize {
    let folder = temp();
    let disk = Disk::under(folder.path());
    let mut chance = Chance(seed);
    let (mut journal, _) = opened(folder.path());
    journal.connection.pragma_update(None, "synchronous", synchronous).unwrap();
    journal.rewrite_after = 3000;
    let mut lost = 0;
    let mut tail = None;
    for number in 1..=40 {
        let before = held(&journal).open;
        let mut batch = vec![opens(number), moves(number, 0)];
        if number > 2 {
            batch.extend([moves(number - 1, 1), closes(number - 2, number * 1000)]);
        }
        append(&mut journal, batch).unwrap();
        let after = held(&journal).open;
        // Any cut so far leaves the whole batch or nothing of it.
        for mut image in disk.images_at_syncs(|| chance.below(2) == 0) {
            image.extend(tail.clone().map(|tail| ("parlor.tail".to_owned(), tail)));
            let found = after_cut(&image);
            let whole = matches!(&found, Ok(found) if *found == before || *found == after);
            assert!(whole || synchronous != "FULL", "seed {seed} batch {number}: {found:?}");
        }
        // Any cut from now on leaves it.
        for keep in [0, 1, 2, 2, 2] {
            let mut image = disk.image(|| keep == 1 || keep == 2 && chance.below(2) == 0);
            let now = std::fs::read(folder.path().join("parlor.tail")).unwrap();
            let tails = [None, tail.clone(), Some(now)];
            let tail = tails[chance.below(3) as usize].clone();
            image.extend(tail.map(|tail| ("parlor.tail".to_owned(), tail)));
            let found = after_cut(&image);
            let there = matches!(&found, Ok(found) if *found == after);
            assert!(there || synchronous != "FULL", "seed {seed} batch {number}: {found:?}");
            lost += usize::from(!there);
        }
        tail = Some(std::fs::read(folder.path().join("parlor.tail")).unwrap());
        if chance.below(6) == 0 {
            let fold = "PRAGMA wal_checkpoint(PASSIVE)";
            journal.connection.query_row(fold, [], |_| Ok(())).unwrap();
        }
    }
    lost
}

#[test]
fn what_was_appended_outlives_a_power_cut() {
    for seed in 1..=2 {
        assert_eq!(cuts(seed, "FULL"), 0);
    }
}

#[test]
fn the_model_notices_what_was_not_synced() {
    assert!(cuts(1, "NORMAL") > 20);
    assert!(cuts(1, "OFF") > 20);
}

/// A disk that forgets. It stands between SQLite and the system for files of one folder.
mod disk {
    #![allow(unsafe_code)]

    use std::collections::BTreeMap;
    use std::ffi::{CStr, c_char, c_int, c_void};
    use std::path::{Path, PathBuf};
    use std::sync::{Mutex, MutexGuard, Once, OnceLock};

    use rusqlite::ffi;

    use super::Files;

    /// The modelled disk of one folder. Others are not touched.
    pub struct Disk(PathBuf);

    #[derive(Default)]
    struct State {
        folders: Vec<PathBuf>,
        /// Open files, by the address of SQLite's handle.
        handles: BTreeMap<usize, PathBuf>,
        contents: BTreeMap<PathBuf, Content>,
        /// The contents just before each sync.
        at_syncs: Vec<BTreeMap<PathBuf, Content>>,
    }

    #[derive(Clone, Default)]
    struct Content {
        synced: Vec<u8>,
        pending: Vec<Change>,
    }

    #[derive(Clone)]
    enum Change {
        Write(usize, Vec<u8>),
        Truncate(usize),
    }

    impl Change {
        fn apply(&self, bytes: &mut Vec<u8>) {
            match self {
                Change::Write(offset, data) => {
                    let end = offset + data.len();
                    bytes.resize(bytes.len().max(end), 0);
                    bytes[*offset..end].copy_from_slice(data);
                }
                Change::Truncate(length) => bytes.truncate(*length),
            }
        }
    }

    fn state() -> MutexGuard<'static, State> {
        static STATE: Mutex<State> = Mutex::new(State {
            folders: Vec::new(),
            handles: BTreeMap::new(),
            contents: BTreeMap::new(),
            at_syncs: Vec::new(),
        });
        STATE.lock().expect("no holder of this lock panics")
    }

    impl Disk {
        pub fn under(folder: &Path) -> Disk {
            static REGISTERED: Once = Once::new();
            REGISTERED.call_once(register);
            state().folders.push(folder.to_owned());
            Disk(folder.to_owned())
        }

        /// The files after a cut now: what was synced, and each other change that `survives`.
        pub fn image(&self, survives: impl FnMut() -> bool) -> Files {
            cut(&self.0, &state().contents, survives)
        }

        /// The files after cuts just before each sync since this was last asked.
        pub fn images_at_syncs(&self, mut survives: impl FnMut() -> bool) -> Vec<Files> {
            let (mine, others) = std::mem::take(&mut state().at_syncs)
                .into_iter()
                .partition(|contents| contents.keys().any(|path| path.starts_with(&self.0)));
            let mine: Vec<BTreeMap<PathBuf, Content>> = mine;
            state().at_syncs.extend::<Vec<_>>(others);
            mine.iter().map(|contents| cut(&self.0, contents, &mut survives)).collect()
        }
    }

    fn cut(
        folder: &Path,
        contents: &BTreeMap<PathBuf, Content>,
        mut survives: impl FnMut() -> bool,
    ) -> Files {
        let mut files = Files::new();
        for (path, content) in contents.iter().filter(|(path, _)| path.starts_with(folder)) {
            let mut bytes = content.synced.clone();
            for change in content.pending.iter().filter(|_| survives()) {
                change.apply(&mut bytes);
            }
            let name = path.file_name().expect("a file").to_str().expect("text").to_owned();
            files.insert(name, bytes);
        }
        files
    }

    /// The address of the system's own VFS.
    static SYSTEM: OnceLock<usize> = OnceLock::new();

    /// The address of the system's methods for databases. Those for logs lock nothing, but
    /// write and sync alike.
    static METHODS: OnceLock<usize> = OnceLock::new();

    fn system() -> *mut ffi::sqlite3_vfs {
        *SYSTEM.get().expect("registered") as *mut ffi::sqlite3_vfs
    }

    fn theirs() -> &'static ffi::sqlite3_io_methods {
        let address = *METHODS.get().expect("a file is open");
        // SAFETY: the system's methods are a constant of SQLite's.
        unsafe { &*(address as *const ffi::sqlite3_io_methods) }
    }

    fn register() {
        // SAFETY: the system's VFS is never unregistered; ours is leaked, as SQLite demands.
        unsafe {
            let system = ffi::sqlite3_vfs_find(std::ptr::null());
            assert!(!system.is_null());
            SYSTEM.set(system as usize).expect("once");
            let mut ours = std::ptr::read(system);
            ours.zName = c"forgetful".as_ptr();
            ours.pNext = std::ptr::null_mut();
            ours.xOpen = Some(open);
            ours.xDelete = Some(delete);
            let ours = Box::leak(Box::new(ours));
            assert_eq!(ffi::sqlite3_vfs_register(ours, 1), ffi::SQLITE_OK);
        }
    }

    unsafe extern "C" fn open(
        _: *mut ffi::sqlite3_vfs,
        name: *const c_char,
        file: *mut ffi::sqlite3_file,
        flags: c_int,
        out_flags: *mut c_int,
    ) -> c_int {
        // SAFETY: the arguments are SQLite's, and are passed to the system's VFS unchanged; its
        // methods differ from ours only in the functions that we put in front.
        unsafe {
            let open = (*system()).xOpen.expect("the system can open");
            let result = open(system(), name, file, flags, out_flags);
            if result != ffi::SQLITE_OK || name.is_null() {
                return result;
            }
            let path = PathBuf::from(CStr::from_ptr(name).to_str().expect("text"));
            let kept = ffi::SQLITE_OPEN_MAIN_DB | ffi::SQLITE_OPEN_WAL;
            let mut state = state();
            let modelled = state.folders.iter().any(|folder| path.starts_with(folder));
            if !modelled || flags & kept == 0 {
                return result;
            }
            METHODS.get_or_init(|| (*file).pMethods as usize);
            let mut methods = std::ptr::read((*file).pMethods);
            methods.iVersion = 2;
            methods.xWrite = Some(write);
            methods.xTruncate = Some(truncate);
            methods.xSync = Some(sync);
            (*file).pMethods = Box::leak(Box::new(methods));
            // What is there was renamed to be there, and was synced before.
            let found = || std::fs::read(&path).unwrap_or_default();
            state
                .contents
                .entry(path.clone())
                .or_insert_with(|| Content { synced: found(), pending: Vec::new() });
            state.handles.insert(file as usize, path);
            result
        }
    }

    fn change(file: *mut ffi::sqlite3_file, change: Change) {
        let mut state = state();
        let path = state.handles[&(file as usize)].clone();
        state.contents.entry(path).or_default().pending.push(change);
    }

    unsafe extern "C" fn write(
        file: *mut ffi::sqlite3_file,
        data: *const c_void,
        length: c_int,
        offset: i64,
    ) -> c_int {
        // SAFETY: SQLite gives `length` bytes at `data`.
        unsafe {
            let bytes = std::slice::from_raw_parts(data.cast::<u8>(), length as usize);
            change(file, Change::Write(offset as usize, bytes.to_vec()));
            theirs().xWrite.expect("the system can write")(file, data, length, offset)
        }
    }

    unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, length: i64) -> c_int {
        change(file, Change::Truncate(length as usize));
        // SAFETY: the file is SQLite's.
        unsafe { theirs().xTruncate.expect("the system can truncate")(file, length) }
    }

    unsafe extern "C" fn sync(file: *mut ffi::sqlite3_file, flags: c_int) -> c_int {
        let mut state = state();
        let path = state.handles[&(file as usize)].clone();
        let folder = path.parent().expect("in a folder").to_owned();
        let mine = state.contents.iter().filter(|(path, _)| path.starts_with(&folder));
        let mine = mine.map(|(path, content)| (path.clone(), content.clone())).collect();
        state.at_syncs.push(mine);
        let content = state.contents.entry(path).or_default();
        for change in std::mem::take(&mut content.pending) {
            change.apply(&mut content.synced);
        }
        drop(state);
        // SAFETY: the file is SQLite's.
        unsafe { theirs().xSync.expect("the system can sync")(file, flags) }
    }

    unsafe extern "C" fn delete(
        _: *mut ffi::sqlite3_vfs,
        name: *const c_char,
        sync_folder: c_int,
    ) -> c_int {
        // SAFETY: the name is SQLite's, and ends with a zero.
        unsafe {
            let path = PathBuf::from(CStr::from_ptr(name).to_str().expect("text"));
            state().contents.remove(&path);
            (*system()).xDelete.expect("the system can delete")(system(), name, sync_folder)
        }
    }
}
