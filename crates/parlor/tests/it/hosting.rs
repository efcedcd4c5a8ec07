//! What docs/guides/host-on-the-internet.md shows is true: its commands run, and its files can be read.

use std::path::Path;
use std::process::Command;

use crate::kit::{BINARY, Ended, Running, Server, serve};

const PAGE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guides/host-on-the-internet.md");

/// The blocks of the page that are fenced with this word.
fn blocks(word: &str) -> Vec<String> {
    let page = std::fs::read_to_string(PAGE).expect("docs/guides/host-on-the-internet.md");
    let fence = format!("```{word}\n");
    let blocks = page.split(&fence).skip(1);
    blocks
        .map(|rest| rest.split("```").next().expect("there is always a first").to_owned())
        .collect()
}

/// Every command of the page with what it prints.
fn commands() -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for line in blocks("console").iter().flat_map(|block| block.lines()) {
        match line.strip_prefix("$ ") {
            Some(command) => found.push((command.to_owned(), Vec::new())),
            None => found.last_mut().expect("a command comes first").1.push(line.to_owned()),
        }
    }
    found
}

/// Lets a shell run it.
fn run(command: &str) -> Ended {
    let mut shell = Command::new("sh");
    shell.args(["-c", &command.replacen("parlor", BINARY, 1)]);
    Running::spawn(&mut shell, "").end()
}

#[test]
fn every_way_to_serve_can_be_typed() {
    let ways: Vec<String> = commands()
        .into_iter()
        .filter_map(|(command, _)| Some(command.strip_prefix("parlor serve")?.to_owned()))
        .collect();
    assert!(ways.len() >= 5, "{ways:?}");
    for way in ways {
        let ended = run(&format!("parlor config{way}"));
        assert_eq!(ended.code, Some(0), "parlor serve{way}: {}", ended.stderr);
    }
}

#[test]
fn what_operators_type_does_what_the_page_says() {
    let folder = tempfile::tempdir().unwrap();
    let (data, backup) = (folder.path().join("data"), folder.path().join("backup"));
    std::fs::create_dir(&backup).unwrap();
    let mut command = Command::new(BINARY);
    command.args(serve(&data));
    let server = Server::await_ready(Running::spawn(&mut command, ""));
    let place = |path: &Path| path.display().to_string();
    let mut tried = 0;
    for (command, shown) in commands() {
        let Some(words) =
            command.strip_prefix("parlor ").filter(|words| !words.starts_with("serve"))
        else {
            continue;
        };
        let restored = place(&folder.path().join("restored"));
        let own = if words.starts_with("data restore") { restored } else { place(&data) };
        let mut typed = command.replace("/var/lib/parlor", &own);
        typed = typed.replace("/mnt/backup", &place(&backup));
        if !typed.contains("--data") {
            typed += &format!(" --data {own}");
        }
        let ended = run(&typed);
        assert_eq!(ended.code, Some(0), "{typed}: {}", ended.stderr);
        // Lines with a number in them are of another day.
        let is_plain = |line: &&String| !line.contains(|c: char| c.is_ascii_digit() || c == '/');
        for line in shown.iter().filter(is_plain) {
            assert!(ended.stdout.lines().any(|said| said == line), "{typed}: {line}: {ended:?}");
        }
        tried += 1;
    }
    assert!(tried >= 10, "only {tried} commands were tried");
    // The last of them has drained it.
    assert_eq!(server.end().code, Some(0));
}

#[test]
fn the_unit_starts_a_server_that_the_program_knows() {
    let units = blocks("ini");
    let [unit] = &units[..] else { panic!("one unit is shown: {units:?}") };
    let value = |key: &str| {
        let line = unit.lines().find_map(|line| line.strip_prefix(&format!("{key}=")));
        line.unwrap_or_else(|| panic!("{key} is missing")).to_owned()
    };
    for line in unit.lines().filter(|line| !line.is_empty()) {
        assert!(line.starts_with('[') || line.contains('='), "{line}");
    }
    let started = value("ExecStart");
    let flags = started.strip_prefix("/usr/local/bin/parlor serve").expect("it serves");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("parlor.toml");
    std::fs::write(&file, run("parlor config").stdout).unwrap();
    let flags = flags.replace("/etc/parlor.toml", &file.display().to_string());
    let ended = run(&format!("parlor config{flags}"));
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let descriptors: usize = value("LimitNOFILE").parse().expect("a number");
    let wanted = server::Limits::default().connections;
    assert!(descriptors > wanted + 512, "{descriptors} are too few for {wanted} connections");
    assert_eq!(value("Restart"), "always", "a drained server is started again");
}

/// No proxy need be there: what is looked at is that every directive ends, and where it goes.
#[test]
fn the_proxy_passes_on_what_the_server_asks_for() {
    let shown = blocks("nginx");
    let [config] = &shown[..] else { panic!("one is shown: {shown:?}") };
    let lines = config.lines().map(str::trim).filter(|line| !line.is_empty());
    let mut depth = 0_i32;
    for line in lines {
        depth += line.matches('{').count() as i32 - line.matches('}').count() as i32;
        assert!(depth >= 0 && line.ends_with(['{', '}', ';']), "{line}");
    }
    assert_eq!(depth, 0);
    let (_, port) = wire::HTTP_PORT;
    for directive in [
        &*format!("proxy_pass http://127.0.0.1:{port};"),
        "proxy_set_header Host $host;",
        "proxy_set_header X-Forwarded-For $remote_addr;",
        "proxy_set_header Upgrade $http_upgrade;",
    ] {
        assert!(config.contains(directive), "{directive}");
    }
}
