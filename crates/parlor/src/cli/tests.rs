//! Every command is explained, with examples that can be typed.

use super::*;

/// Every command that can be typed, with the words that lead to it.
fn commands(command: &clap::Command, path: &str, found: &mut Vec<(String, clap::Command)>) {
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        let path = format!("{path} {}", inner.get_name());
        found.push((path.clone(), inner.clone()));
        commands(inner, &path, found);
    }
}

/// The words of a command as a shell tells them apart, up to what the shell itself is told.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for letter in line.chars().chain([' ']) {
        match letter {
            '\'' => quoted = !quoted,
            '<' | '>' | '&' | '|' if !quoted => return words,
            ' ' if !quoted && !word.is_empty() => words.push(std::mem::take(&mut word)),
            ' ' if !quoted => {}
            _ => word.push(letter),
        }
    }
    words
}

#[test]
fn every_argument_is_explained() {
    let mut found = Vec::new();
    commands(&Cli::command(), "parlor", &mut found);
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
    commands(&Cli::command(), "parlor", &mut found);
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
            if let Err(error) = Cli::try_parse_from(words(typed)) {
                panic!("{path}: {example}: {error}");
            }
        }
    }
}
