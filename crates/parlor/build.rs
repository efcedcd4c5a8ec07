//! Notes what a release is built from: the commit and its day. Without git it notes the day alone, and
//! without that nothing. SOURCE_DATE_EPOCH takes the place of the commit's day, so that a package can be
//! built again byte for byte. A debug build notes nothing: each commit would compile it again.

use std::env;
use std::process::Command;

fn main() {
    for name in ["SOURCE_DATE_EPOCH", "PARLOR_BUILD_COMMIT"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=BUILT_FROM={}", build());
}

fn build() -> String {
    if env::var("PROFILE").as_deref() != Ok("release") {
        return "debug build".to_owned();
    }
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    let commit = env::var("PARLOR_BUILD_COMMIT").ok().or_else(|| git(&["rev-parse", "HEAD"]));
    let commit = commit.map(|commit| commit.chars().take(12).collect::<String>());
    let epoch = env::var("SOURCE_DATE_EPOCH").ok();
    let epoch = epoch.or_else(|| git(&["log", "-1", "--format=%ct"]));
    let day = epoch.and_then(|seconds| seconds.trim().parse().ok()).map(day);
    let known: Vec<String> = [commit, day].into_iter().flatten().collect();
    if known.is_empty() { "unknown build".to_owned() } else { known.join(", ") }
}

/// What git says, if there is a git, and this is its checkout.
fn git(arguments: &[&str]) -> Option<String> {
    let told = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(told.stdout).ok()?.trim().to_owned();
    (told.status.success() && !text.is_empty()).then_some(text)
}

/// The day of a number of seconds since 1970, as in 2026-03-01.
fn day(seconds: u64) -> String {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (mut days, mut year, mut month) = (seconds / 86_400, 1970, 1);
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    for length in [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", days + 1)
}
