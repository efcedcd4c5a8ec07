//! What a bot can do from inside of its isolation, one thing at a time.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::kit::{BINARY, Ended, Running, skipped};
use crate::strangers::{Teams, attempts, cannot_isolate, run, summary};

/// Asks the kernel for a user namespace, in which it could mount what it wants.
const NESTING: &str = r#"
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print("nested", libc.unshare(0x10000000), ctypes.get_errno(), flush=True)
"#;

/// Runs a program as the bot `eve` against a house bot, and gives back what it printed; nothing where
/// bots cannot be isolated.
fn probed(teams: &Teams, program: &str, rest: &[&str]) -> Option<(Ended, String)> {
    let eve = format!("eve=python3 {} {{host}} {{port}}", teams.bot("eve", program).display());
    let bots = [eve, "bob=house:random".to_owned()];
    let ended = run(&teams.out(), &bots, &[&["--isolate", "strict"], rest].concat());
    if cannot_isolate(&ended) {
        return None;
    }
    let printed = fs::read_to_string(teams.out().join("logs/eve/printed.txt"));
    Some((ended, printed.unwrap_or_default()))
}

/// In a namespace that it made, a bot could mount a file system without a limit.
#[test]
fn a_bot_cannot_make_a_user_namespace() {
    let teams = Teams::new();
    let Some((ended, printed)) = probed(&teams, NESTING, &[]) else { return };
    assert!(printed.contains("nested -1"), "{printed} {ended:?}");
}

/// Something else was mounted in the bot's folder, and only the folder itself was read-only.
#[test]
fn a_bot_cannot_write_to_what_is_mounted_in_its_folder() {
    let teams = Teams::new();
    let program = r#"
import sys
try: open(sys.argv[1], "w"); print("wrote", flush=True)
except OSError as error: print("cannot write", error.errno, flush=True)
"#;
    let bot = teams.bot("eve", program);
    let inner = bot.parent().expect("a folder").join("inner");
    fs::create_dir(&inner).unwrap();
    // The mount is gone with the shell that makes it.
    let script = r#"mount -t tmpfs -o mode=1777 none "$1" && shift && exec "$@""#;
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c", script, "-"]).arg(&inner);
    command.args([BINARY, "tournament", "run", "--game", "gamba", "--format", "round-robin"]);
    let file = inner.join("file");
    command.arg("--bot").arg(format!("eve=python3 {} {}", bot.display(), file.display()));
    command.args(["--bot", "bob=house:random", "--isolate", "auto", "--out"]).arg(teams.out());
    let ended = Running::spawn(&mut command, "").end_within(Duration::from_secs(60));
    if !ended.stderr.contains("bots: isolated") {
        skipped(&ended.stderr);
        return;
    }
    let printed = fs::read_to_string(teams.out().join("logs/eve/printed.txt")).unwrap();
    assert!(printed.contains("cannot write 30"), "{printed} {ended:?}");
}

/// Ways to have 256 MB that the kernel's limit for each process leaves out. Afterwards the bot waits, so
/// that nothing but its memory can end it before its game does.
const GREEDY: [(&str, &str); 4] = [
    (
        "shared pages",
        "m = mmap.mmap(-1, 256 << 20)\nfor at in range(0, 256 << 20, 4096): m[at] = 1",
    ),
    (
        "shared pages that are put aside",
        "m = mmap.mmap(-1, 256 << 20)\nm.madvise(mmap.MADV_DONTNEED)",
    ),
    (
        "a file in memory",
        "f = os.memfd_create('m')\nfor _ in range(256): os.write(f, bytes(1 << 20))",
    ),
    (
        "many processes",
        "for _ in range(4):\n  if os.fork() == 0: m = b'x' * (64 << 20); time.sleep(600)",
    ),
];

/// The limit of memory was one of each process, and did not count shared memory at all.
#[test]
fn a_bot_that_takes_too_much_memory_is_ended() {
    for (what, lines) in GREEDY {
        let program = format!("import mmap, os, time\n{lines}\ntime.sleep(600)\n");
        let teams = Teams::new();
        let Some((ended, printed)) = probed(&teams, &program, &["--bot-memory", "128"]) else {
            return;
        };
        let tried = attempts(&summary(&ended), "eve");
        assert!(tried.contains("used more memory than allowed"), "{what}: {tried} {printed}");
        assert!(printed.contains("MB of memory; the limit is 128"), "{what}: {printed}");
    }
}

/// Processes that have started each other share most of their memory, which counts once.
#[test]
fn memory_that_processes_share_counts_once() {
    let program = r#"
import os, time
m = b"x" * (64 << 20)
children = []
for _ in range(8):
    child = os.fork()
    if child == 0: time.sleep(0.5); os._exit(0)
    children.append(child)
for child in children: os.waitpid(child, 0)
print("still here", flush=True)
"#;
    let teams = Teams::new();
    let Some((ended, printed)) = probed(&teams, program, &["--bot-memory", "192"]) else { return };
    assert!(printed.contains("still here"), "{printed} {ended:?}");
    assert_eq!(attempts(&summary(&ended), "eve"), "[]");
}

/// Says who it is, and starts as many processes as it can.
const FORKING: &str = r#"
import os, time
print("user", os.getuid(), flush=True)
children = 0
try:
    while children < 1000:
        if os.fork() == 0: time.sleep(60); os._exit(0)
        children += 1
except OSError as error: print("no more processes", children, error.errno, flush=True)
"#;

#[test]
fn each_bot_is_another_user_of_the_range() {
    let teams = Teams::new();
    let bots = ["ann", "bob"].map(|name| {
        let bot = teams.bot(name, "import os\nprint('user', os.getuid(), flush=True)\n");
        format!("{name}=python3 {}", bot.display())
    });
    let few = run(&teams.out(), &bots, &["--isolate", "strict", "--as", "20000-20000"]);
    if cannot_isolate(&few) {
        return;
    }
    if few.stderr.contains("only root") {
        skipped(&few.stderr);
        return;
    }
    assert!(few.stderr.contains("there are more bots than ids"), "{few:?}");
    let ended = run(&teams.out(), &bots, &["--isolate", "strict", "--as", "20000-20063"]);
    for (name, user) in [("ann", "user 20000"), ("bob", "user 20001")] {
        let printed = fs::read_to_string(teams.out().join("logs").join(name).join("printed.txt"));
        let printed = printed.unwrap_or_else(|_| panic!("{ended:?}"));
        assert!(printed.contains(user), "{name}: {printed}");
    }
}

/// A user of the machine who is not root.
const NOBODY: u32 = 65_534;

#[test]
fn bots_are_isolated_for_users_other_than_root() {
    let teams = Teams::new();
    let bot = teams.bot("eve", FORKING);
    let open = |path: &std::path::Path| fs::set_permissions(path, Permissions::from_mode(0o755));
    open(bot.parent().and_then(|folder| folder.parent()).expect("a folder of folders")).unwrap();
    fs::create_dir(teams.out()).unwrap();
    let mut command = Command::new(BINARY);
    if rustix::process::geteuid().is_root() {
        chown(teams.out(), Some(NOBODY), Some(NOBODY)).unwrap();
        command.uid(NOBODY).gid(NOBODY);
        let mut tried = Command::new(BINARY);
        tried.arg("--version").uid(NOBODY).gid(NOBODY).stdout(Stdio::null());
        if let Err(why) = tried.status() {
            skipped(&format!("nobody cannot run {BINARY}: {why}"));
            return;
        }
    }
    command.args(["tournament", "run", "--game", "gamba", "--format", "round-robin"]);
    command.arg("--bot").arg(format!("eve=python3 {}", bot.display()));
    command.args(["--bot", "bob=house:random", "--isolate", "strict", "--out"]).arg(teams.out());
    let ended = Running::spawn(command.current_dir("/"), "").end_within(Duration::from_secs(60));
    if cannot_isolate(&ended) {
        return;
    }
    let told = "bots: isolated (own user, processes, files, network; 1024 MB memory, 64 processes)";
    assert!(ended.stderr.starts_with(told), "{ended:?}");
    let printed = fs::read_to_string(teams.out().join("logs/eve/printed.txt")).unwrap();
    assert!(printed.contains("user 1000"), "{printed}");
    // One of the 64 is the bot itself, one the shell that runs it.
    let counts = ["no more processes 62", "no more processes 63"];
    assert!(counts.iter().any(|count| printed.contains(count)), "{printed}");
    let tried = attempts(&summary(&ended), "eve");
    assert!(tried.contains("reached its limit of processes"), "{tried}");
}

/// Runs the program where no namespaces can be made.
fn run_without_namespaces(teams: &Teams, isolate: &str) -> Option<Ended> {
    let script = "cd /proc/sys/user && echo 0 >max_mnt_namespaces && echo 0 >max_user_namespaces && \
                  cd / && exec \"$@\"";
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "sh", "-c", script, "-", BINARY]);
    command.args(["tournament", "run", "--game", "gamba", "--format", "round-robin"]);
    command.args(["--bot", "eve=true", "--bot", "bob=house:random", "--isolate", isolate]);
    let spawned = Running::spawn(command.arg("--out").arg(teams.out()), "");
    let ended = spawned.end_within(Duration::from_secs(60));
    if ended.stderr.starts_with("unshare:") || ended.stderr.starts_with("sh:") {
        skipped(&ended.stderr);
        return None;
    }
    Some(ended)
}

#[test]
fn strict_refuses_to_start_where_bots_cannot_be_isolated() {
    let teams = Teams::new();
    let Some(ended) = run_without_namespaces(&teams, "strict") else { return };
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.contains("bots cannot be isolated on this system"), "{ended:?}");
    assert_eq!(ended.stdout, "", "nothing was played");
}

#[test]
fn auto_says_that_bots_are_not_isolated() {
    let teams = Teams::new();
    let Some(ended) = run_without_namespaces(&teams, "auto") else { return };
    assert!(ended.stderr.starts_with("bots cannot be isolated here:"), "{ended:?}");
    assert!(ended.stderr.contains("\nbots: not isolated"), "{ended:?}");
}
