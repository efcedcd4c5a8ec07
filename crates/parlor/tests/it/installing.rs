//! What packages rely on: the version, the manual, and the check of a machine.

use std::net::TcpListener;

use serde_json::Value;

use crate::kit::{parlor, serve};

#[test]
fn the_version_says_what_it_was_built_from() {
    let told = parlor(&["--version"]).stdout;
    let version = env!("CARGO_PKG_VERSION");
    assert!(told.starts_with(&format!("parlor {version} (")), "{told}");
    assert!(told.trim_end().ends_with(')'), "{told}");
}

#[test]
fn the_manual_has_a_page_for_every_command_and_completions_for_three_shells() {
    let folder = tempfile::tempdir().unwrap();
    let ended = parlor(&["manual", folder.path().to_str().unwrap()]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let page = read("man/parlor-serve.1");
    assert!(page.contains("house\\-bots"), "{page}");
    assert!(read("man/parlor.1").contains("self\\-check"));
    assert!(read("man/parlor-tournament-run.1").contains("format"));
    assert!(!folder.path().join("man/parlor-jail.1").exists(), "it is not for people");
    for name in ["parlor.bash", "_parlor", "parlor.fish"] {
        assert!(read(&format!("completions/{name}")).contains("tournament"), "{name}");
    }
}

#[test]
fn a_machine_on_which_a_server_would_start_passes_and_a_busy_port_fails() {
    let folder = tempfile::tempdir().unwrap();
    let mut arguments = serve(&folder.path().join("data"));
    arguments[0] = "self-check".to_owned();
    arguments.push("--json".to_owned());
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let fine = parlor(&words);
    assert_eq!(fine.code, Some(0), "{fine:?}");
    assert!(!folder.path().join("data").exists(), "nothing is made");
    let held = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = format!("http={}", held.local_addr().unwrap().port());
    let ended = parlor(&[&words[..], &["--port", &port]].concat());
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let findings = ended.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let failed: Vec<Value> = findings.filter(|finding| finding["verdict"] == "fails").collect();
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert_eq!(failed[0]["about"], "port http");
}
