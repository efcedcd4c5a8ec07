//! Every command is explained, with examples that can be typed.

use super::*;

/// Every command that can be typed, with the words that lead to it.
pub(super) fn commands(
    command: &clap::Command,
    path: &str,
    found: &mut Vec<(String, clap::Command)>,
) {
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        let path = format!("{path} {}", inner.get_name());
        found.push((path.clone(), inner.clone()));
        commands(inner, &path, found);
    }
}

/// The words of a command as a shell would split them, up to its first operator.
pub(super) fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), String::new(), None);
    for letter in line.chars().chain([' ']) {
        match letter {
            '\'' | '"' if quoted == Some(letter) => quoted = None,
            '\'' | '"' if quoted.is_none() => quoted = Some(letter),
            '<' | '>' | '&' | '|' | ';' if quoted.is_none() => return words,
            '#' if quoted.is_none() && word.is_empty() => return words,
            ' ' if quoted.is_none() && !word.is_empty() => words.push(std::mem::take(&mut word)),
            ' ' if quoted.is_none() => {}
            _ => word.push(letter),
        }
    }
    words
}

/// What a command line means.
pub fn parsed(words: &[String]) -> Result<Cli, clap::Error> {
    let command = shape::whole();
    let typed = words.iter().map(Into::into).collect();
    let mut matches = command.clone().try_get_matches_from(shape::spelled(&command, typed))?;
    Cli::from_arg_matches_mut(&mut matches)
}

/// The same as one text.
fn typed(line: &str) -> Result<Cli, clap::Error> {
    parsed(&words(line))
}

#[test]
fn every_command_is_in_one_group() {
    let command = shape::whole();
    let visible = command.get_subcommands().filter(|inner| !inner.is_hide_set());
    let mut all: Vec<&str> = visible.map(|inner| inner.get_name()).collect();
    let mut listed: Vec<&str> =
        shape::GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
    all.sort_unstable();
    listed.sort_unstable();
    assert_eq!(all, listed);
}

#[test]
fn a_game_is_the_first_argument_or_a_flag_as_it_was() {
    for (now, before) in [
        ("parlor match gamba --new a --base b", "parlor match --game gamba --new a --base b"),
        ("parlor tournament run gamba -b a", "parlor tournament run --bot a --game=gamba"),
        ("parlor tournament create gamba", "parlor tournament create --game gamba"),
        ("parlor ladder create gamba --id x", "parlor ladder create --id x --game gamba"),
        ("parlor bench wire gamba", "parlor bench wire --game gamba"),
        ("parlor bot gamba", "parlor bot --game gamba"),
        ("parlor check gamba -b a", "parlor check --game gamba --bot a"),
        ("parlor tournament show gamba cup", "parlor tournament show --game gamba cup"),
    ] {
        for line in [now, before] {
            let words =
                shape::spelled(&shape::whole(), words(line).iter().map(Into::into).collect());
            assert!(
                words.contains(&"gamba".into()) && !words.contains(&"--game".into()),
                "{words:?}"
            );
            if let Err(error) = typed(line) {
                panic!("{line}: {error}");
            }
        }
    }
    assert!(typed("parlor match --new a --base b").is_err(), "a game is needed");
    assert!(typed("parlor match --new a --base b --game").is_err(), "and its name");
    assert!(typed("parlor match gamba --game gamba --new a --base b").is_err(), "once");
    assert!(typed("parlor connect 127.0.0.1 --game gamba --game subsim").is_ok(), "several games");
}

#[test]
fn old_spellings_still_work() {
    for line in [
        "parlor check gamba --bot a --move-timeout 5000 --join-timeout 15000 --game-timeout 300",
        "parlor play gamba --bot a --bot b --replays ./r --seed 7 --games 3",
        "parlor bot gamba --connect 127.0.0.1:8080 --games 3",
        "parlor tables --connect 127.0.0.1:7800 --json",
        "parlor tournament run --game gamba --bot a --bot b --no-show 25 --pace 100 --out ./x",
        "parlor ladder create --game gamba --wait 60 --no-show 25",
        "parlor serve --drain-seconds 900 --keep-days 30 --lease-ms 5000",
        "parlor export gamba --since 1763300000000",
        "parlor data prune --older-than 30d",
        "parlor data abandon",
        "parlor connect 127.0.0.1:7800",
    ] {
        if let Err(error) = typed(line) {
            panic!("{line}: {error}");
        }
    }
}

#[test]
fn times_formats_and_aliases_can_be_typed_in_the_new_way() {
    let Ok(Cli { command: Command::Check(check) }) =
        typed("parlor check gamba -b a --move-timeout 500ms --game-timeout 2m --format text")
    else {
        panic!("it can be typed");
    };
    assert_eq!((check.move_timeout, check.game_timeout), (500, 120));
    assert_eq!(check.format, Some(OutputName::Text));
    let tables = |line: &str| match typed(line) {
        Ok(Cli { command: Command::Tables(args) }) => args.json,
        Ok(_) => panic!("{line} is another command"),
        Err(error) => panic!("{line}: {error}"),
    };
    assert!(tables("parlor tables --format json") && tables("parlor tables --json"));
    assert!(!tables("parlor tables --format text") && !tables("parlor tables"));
    assert!(typed("parlor tables --format json --json").is_err());
    for line in [
        "parlor bridge 127.0.0.1:7800",
        "parlor bot gamba --server 127.0.0.1:8080 -g 3 -s 7",
        "parlor tables --server 127.0.0.1:7800",
        "parlor play gamba -b a -b b -g 3 -s 7 -o ./r",
        "parlor serve --drain-seconds 15m --keep-days 30d --lease-ms 5s",
        "parlor tournament create gamba --format swiss --no-show 1m",
        "parlor export gamba --since 2026-11-18",
        "parlor data close-tables",
    ] {
        if let Err(error) = typed(line) {
            panic!("{line}: {error}");
        }
    }
}

#[test]
fn every_argument_is_explained() {
    let mut found = Vec::new();
    commands(&shape::whole(), "parlor", &mut found);
    let mut bare = Vec::new();
    for (path, command) in found {
        let arguments = command.get_arguments().filter(|argument| argument.get_help().is_none());
        bare.extend(arguments.map(|argument| format!("{path}: {}", argument.get_id())));
    }
    assert!(bare.is_empty(), "{bare:#?}");
}

#[test]
fn every_command_has_examples_and_every_example_can_be_typed() {
    let mut found = Vec::new();
    commands(&shape::whole(), "parlor", &mut found);
    assert!(found.len() > 20, "{} commands", found.len());
    for (path, command) in found {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let help = help.replace("\\\n", " ");
        let examples = help.lines().filter_map(|line| line.strip_prefix("  "));
        let own: Vec<&str> = examples.filter(|line| line.contains("parlor ")).collect();
        assert!(!own.is_empty(), "{path} has no example");
        for example in own {
            let typed = example.split("| ").find(|part| part.starts_with(&path));
            let typed = typed.unwrap_or_else(|| panic!("{path}: {example}"));
            assert!(typed.starts_with(&path), "{path}: {example}");
            if let Err(error) = parsed(&words(typed)) {
                panic!("{path}: {example}: {error}");
            }
        }
    }
}
