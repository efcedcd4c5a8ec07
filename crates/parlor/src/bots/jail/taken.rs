//! What all processes of a jail take together.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::io::Errno;

/// The jail's own first process, which is not the bot's.
const FIRST: &str = "1";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// In bytes: private pages, page tables, and shared memory, whether mapped or only held open.
    pub memory: u64,
    /// Processes and threads.
    pub tasks: u64,
}

/// Memory that is in no file system: by its number, how large it is.
#[derive(Default)]
struct Shared {
    /// What the kernel says that it holds.
    held: BTreeMap<u64, u64>,
    /// The mapped size. The system doesn't say how much of that is in memory.
    mapped: BTreeMap<u64, u64>,
}

impl Taken {
    /// Counts memory by a quick estimate, which is never too low; exactly, if the estimate is above
    /// `limit`.
    pub fn now(limit: Option<u64>) -> io::Result<Taken> {
        let (mut tasks, mut memory) = (0, segments()?);
        let (mut shared, mut processes) = (Shared::default(), Vec::new());
        for process in numbers(Path::new("/proc"))? {
            let threads = numbers(&process.join("task"))?;
            tasks += threads.len() as u64;
            if process.ends_with(FIRST) {
                continue;
            }
            // The thread that a process is named after may have ended before the others, and threads need
            // not share what they hold open.
            let mut is_counted = false;
            for thread in threads {
                let status = gone_is_empty(fs::read_to_string(thread.join("status")))?;
                let Some(pages) = field(&status, "RssAnon:") else { continue };
                shared.add_open(&thread)?;
                if !is_counted {
                    is_counted = true;
                    let tables = field(&status, "VmPTE:").unwrap_or(0);
                    memory += pages + tables + field(&status, "VmSwap:").unwrap_or(0);
                    shared.add_mapped(&gone_is_empty(fs::read_to_string(thread.join("maps")))?);
                    let number = thread.file_name().unwrap_or_default();
                    processes.push((Path::new("/proc").join(number), pages));
                }
            }
        }
        memory += shared.size();
        if limit.is_some_and(|limit| memory > limit) {
            // Pages that processes share since one has started the other were counted for each.
            for (process, pages) in processes {
                let rollup = process.join("smaps_rollup");
                let rollup = gone_is_empty(fs::read_to_string(rollup))?;
                memory -= pages - field(&rollup, "Pss_Anon:").unwrap_or(pages).min(pages);
            }
        }
        Ok(Taken { memory, tasks })
    }
}

impl Shared {
    /// Adds what a thread holds open.
    fn add_open(&mut self, thread: &Path) -> io::Result<()> {
        for file in numbers(&thread.join("fd"))? {
            let Ok(target) = fs::read_link(&file) else { continue };
            if is_memory(&target.to_string_lossy())
                && let Ok(found) = fs::metadata(&file)
            {
                self.held.insert(found.ino(), found.blocks() * 512);
            }
        }
        Ok(())
    }

    /// Adds what is in the kernel's list of a process's memory.
    fn add_mapped(&mut self, maps: &str) {
        for line in maps.lines() {
            let mut words = line.split_ascii_whitespace();
            let mut next = || words.next().unwrap_or_default();
            let (range, _, offset, _, number) = (next(), next(), next(), next(), next());
            if !line.split_once('/').is_some_and(|(_, name)| is_memory(&format!("/{name}"))) {
                continue;
            }
            let hex = |text: &str| u64::from_str_radix(text, 16).unwrap_or(0);
            let (first, last) = range.split_once('-').unwrap_or_default();
            let end = hex(offset).saturating_add(hex(last).saturating_sub(hex(first)));
            let size = self.mapped.entry(number.parse().unwrap_or(0)).or_default();
            *size = end.max(*size);
        }
    }

    fn size(&self) -> u64 {
        let numbers: BTreeSet<&u64> = self.held.keys().chain(self.mapped.keys()).collect();
        let size = |number| self.held.get(number).or(self.mapped.get(number)).unwrap_or(&0);
        numbers.into_iter().map(size).sum()
    }
}

/// Whether the kernel calls memory so that is in no file system.
fn is_memory(name: &str) -> bool {
    name.starts_with("/memfd:") || name == "/dev/zero (deleted)"
}

/// Total size of all System V shared memory segments. They stay when no process uses them.
fn segments() -> io::Result<u64> {
    let Ok(list) = fs::read_to_string("/proc/sysvipc/shm") else { return Ok(0) };
    let size = |line: &str| line.split_ascii_whitespace().nth(3)?.parse::<u64>().ok();
    Ok(list.lines().skip(1).filter_map(size).sum())
}

/// What is named by a number in a folder; nothing, if the process it is about has ended.
fn numbers(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(fault) if is_gone(&fault) => return Ok(Vec::new()),
        Err(fault) => return Err(fault),
    };
    let paths = entries.map_while(Result::ok).filter(|entry| {
        entry.file_name().to_string_lossy().bytes().all(|letter| letter.is_ascii_digit())
    });
    Ok(paths.map(|entry| entry.path()).collect())
}

fn gone_is_empty(read: io::Result<String>) -> io::Result<String> {
    match read {
        Err(fault) if is_gone(&fault) => Ok(String::new()),
        read => read,
    }
}

fn is_gone(fault: &io::Error) -> bool {
    fault.kind() == ErrorKind::NotFound || Errno::from_io_error(fault) == Some(Errno::SRCH)
}

/// A number of kilobytes in a list of the kernel, in bytes.
fn field(text: &str, name: &str) -> Option<u64> {
    let value = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = value.trim().trim_end_matches("kB").trim_end().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_memory_counts_once_however_often_it_is_mapped() {
        let mut shared = Shared::default();
        let maps = "\
7f00-8f00 rw-s 00000000 00:01 77 /dev/zero (deleted)
8f00-9f00 rw-s 00001000 00:01 77 /dev/zero (deleted)
a000-b000 r--p 00000000 00:01 78 /memfd:a name (deleted)
b000-f000 r-xp 00000000 fe:00 79 /usr/lib/libc.so
f000-ff00 rw-p 00000000 00:00 0";
        shared.add_mapped(maps);
        shared.add_mapped(maps);
        assert_eq!(shared.size(), 0x2000 + 0x1000);
        shared.held.insert(78, 0x200);
        assert_eq!(shared.size(), 0x2000 + 0x200, "what is known exactly");
    }

    #[test]
    fn the_kernels_lists_are_read() {
        assert_eq!(field("Name:\tbot\nRssAnon:\t     432 kB\n", "RssAnon:"), Some(432 * 1024));
        assert_eq!(field("Name:\tbot\n", "RssAnon:"), None);
    }
}
