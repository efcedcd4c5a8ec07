//! Pages that are made of the program, and the commands that other pages show.
//! `REHEARSE=rewrite cargo test -p parlor --lib documents` writes the pages again.

use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, Command as Clap};

use super::tests::{commands, parsed, words};
use super::*;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Compares a page with what it should read, or writes it.
fn assert_page(path: &str, text: &str) {
    let file = Path::new(ROOT).join(path);
    if std::env::var("REHEARSE").as_deref() == Ok("rewrite") {
        std::fs::write(&file, text).expect("the page can be written");
    }
    let page = std::fs::read_to_string(&file).unwrap_or_default();
    let differs = page.lines().zip(text.lines()).find(|(old, new)| old != new);
    assert!(
        page == text,
        "{path} is out of date, first here: {differs:#?}\n\
         REHEARSE=rewrite cargo test -p parlor --lib documents writes it again"
    );
}

const CLI_HEAD: &str = "# Command line

Every command of `parlor`, with its options. `parlor help COMMAND` prints the same in a terminal.
This page is generated from the program.

The exit code is 0 if all went well, 1 if not, and 2 if the command line or a setting has a mistake. A
command stopped by a signal exits with 130 or 143; `serve` is meant to be stopped and exits with 0.
Commands with more exit codes list them.

";

#[test]
fn the_page_of_the_command_line_is_up_to_date() {
    let mut root = shape::of(&games::list());
    root.build();
    let mut found = Vec::new();
    commands(&root, "parlor", &mut found);
    found.retain(|(path, _)| !path.ends_with(" help") && !path.contains(" help "));
    let mut page = CLI_HEAD.to_owned();
    page += "| command | what it does |\n|---|---|\n";
    for (path, command) in &found {
        let anchor = path.replace(' ', "-");
        page += &format!("| [`{path}`](#{anchor}) | {} |\n", cell(&about(command)));
    }
    for (path, command) in found {
        page += &section(&path, command);
    }
    assert_page("docs/reference/cli.md", &page);
}

fn about(command: &Clap) -> String {
    let about = command.get_long_about().or(command.get_about());
    about.map(ToString::to_string).unwrap_or_default()
}

/// What a table's cell can hold.
fn cell(text: &str) -> String {
    let flowing = text.split_whitespace().collect::<Vec<_>>().join(" ");
    flowing.replace('|', "\\|").replace('<', "\\<").replace('*', "\\*")
}

/// One command: what it does, how it is typed, its options, its examples.
fn section(path: &str, mut command: Clap) -> String {
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").trim();
    let mut text = format!("\n## {path}\n\n{}\n\n```text\n{usage}\n```\n", about(&command));
    let is_usual = |arg: &Arg| matches!(arg.get_action(), ArgAction::Help | ArgAction::Version);
    let own = |arg: &&Arg| !arg.is_hide_set() && !is_usual(arg);
    let rows: Vec<String> = command.get_arguments().filter(own).map(row).collect();
    if !rows.is_empty() {
        text += &format!("\n| option | meaning |\n|---|---|\n{}\n", rows.join("\n"));
    }
    let help = command.get_after_long_help().or(command.get_after_help());
    text + &examples(&help.map(ToString::to_string).unwrap_or_default())
}

/// One option: how it is typed, and what it means.
fn row(arg: &Arg) -> String {
    let short = arg.get_short().map(|short| format!("-{short}, ")).unwrap_or_default();
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string);
    let mut meaning = cell(&help.unwrap_or_default());
    if !meaning.ends_with(['.', ':']) {
        meaning.push('.');
    }
    let values = arg.get_possible_values();
    let takes_value = arg.get_action().takes_values();
    if takes_value && !values.is_empty() && !arg.is_hide_possible_values_set() {
        let values: Vec<String> =
            values.iter().map(|value| format!("`{}`", value.get_name())).collect();
        meaning += &format!(" One of {}.", values.join(", "));
    }
    let defaults: Vec<String> =
        arg.get_default_values().iter().map(|value| format!("`{}`", value.display())).collect();
    if takes_value && !defaults.is_empty() && !arg.is_hide_default_value_set() {
        meaning += &format!(" Default: {}.", defaults.join(", "));
    }
    if let Some(variable) = arg.get_env() {
        meaning += &format!(" Variable: `{}`.", variable.display());
    }
    format!("| `{short}{}` | {meaning} |", arg.to_string().replace('|', "\\|"))
}

/// The text below a help: its examples as commands, the rest as paragraphs.
fn examples(help: &str) -> String {
    let mut text = String::new();
    for paragraph in help.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
        let (head, commands) = paragraph.split_once('\n').unwrap_or((paragraph, ""));
        let is_list = head.ends_with(':') && commands.lines().all(|line| line.starts_with(' '));
        text += &match is_list && !commands.is_empty() {
            true => {
                let lines: Vec<&str> =
                    commands.lines().map(|line| line.strip_prefix("  ").unwrap_or(line)).collect();
                let fence = if head == "Examples:" { "sh" } else { "text" };
                format!("\n{head}\n\n```{fence}\n{}\n```\n", lines.join("\n"))
            }
            false => format!("\n{}\n", paragraph.replace('<', "\\<").replace('*', "\\*")),
        };
    }
    text
}

const CONFIG_HEAD: &str = "# Configuration

Every setting with its default. `parlor config` prints the same as a file; save it, delete what you do
not change, and start the server with it:

```sh
parlor config > parlor.toml
parlor serve --config parlor.toml
```

Settings come from the defaults, then `--config FILE`, then `PARLOR_*` variables, then flags; the last one
wins. A setting of a section can also be given as `--set SECTION.KEY=VALUE`, such as
`parlor serve --set gamba.turn_timeout_ms=20000`. Unknown settings are refused. `PARLOR_LOG` sets what is
logged on standard error: a level, or levels by part, as in `warn,server=debug`.

This page is generated from the program.
";

#[test]
fn the_page_of_the_configuration_is_up_to_date() {
    let config = crate::config::printed::text(&games::list(), &server::Settings::default());
    let config = config.expect("the defaults can be printed");
    let mut page = CONFIG_HEAD.to_owned() + "\n## The server\n\n```toml\n";
    let (_, config) = config.split_once("\n\n").expect("a heading, then the settings");
    let mut parts = config.split("\n\n");
    page += parts.next().expect("the server's own settings");
    for part in parts {
        let name = part.lines().find_map(|line| line.strip_prefix('[')?.strip_suffix(']'));
        let name = name.expect("every part is a section");
        page += &format!("\n```\n\n## `[{name}]`\n\n```toml\n{part}");
    }
    assert_page("docs/reference/configuration.md", &(page + "\n```\n"));
}

/// All Markdown of the project.
fn pages() -> Vec<PathBuf> {
    let mut folders = vec![PathBuf::from(ROOT)];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable folder").path();
            let name = path.file_name().expect("it is in a folder").to_string_lossy().into_owned();
            if path.is_dir() {
                let others = ["target", "node_modules", "dist", "parlor-data"];
                if !name.starts_with('.') && !others.contains(&name.as_str()) {
                    folders.push(path);
                }
            } else if name.ends_with(".md") {
                found.push(path);
            }
        }
    }
    found
}

/// The commands of this program in a page: those in blocks, which are whole, and those in sentences.
fn shown(page: &str) -> Vec<(bool, String)> {
    let mut found = Vec::new();
    let page = page.replace("\\\n", " ");
    let mut is_block = false;
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            is_block = !is_block;
        } else if is_block {
            let line = line.trim_start().trim_start_matches("$ ");
            for part in line.split("| ").map(str::trim_start) {
                let part = part.trim_start_matches("./").trim_start_matches("target/release/");
                let part = part.replacen("cargo run --release --", "parlor", 1);
                if part.starts_with("parlor ") && !part.starts_with("parlor help") {
                    found.push((true, part));
                }
            }
        } else {
            let spans = line.split('`').skip(1).step_by(2);
            let own = spans.filter(|span| span.starts_with("parlor ") && !span.contains("help"));
            found.extend(own.map(|span| (false, span.to_owned())));
        }
    }
    found.retain(|(_, command)| !command.contains("...") && !command.contains('…'));
    found
}

#[test]
fn every_command_that_a_page_shows_can_be_typed() {
    let (mut count, mut wrong) = (0, Vec::new());
    // The generated page shows usage lines, and its examples are typed by the tests beside this file.
    for path in pages().into_iter().filter(|path| !path.ends_with("reference/cli.md")) {
        let page = std::fs::read_to_string(&path).expect("a page");
        for (is_whole, command) in shown(&page) {
            count += 1;
            if let Err(error) = parsed(&words(&command)) {
                let is_named = match error.kind() {
                    ErrorKind::DisplayVersion => true,
                    ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
                    | ErrorKind::MissingRequiredArgument => !is_whole,
                    _ => false,
                };
                if !is_named {
                    wrong.push(format!("{}: {command}: {error}", path.display()));
                }
            }
        }
    }
    assert!(count > 200, "only {count} commands were found");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}
