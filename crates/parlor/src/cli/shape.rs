//! How the command line as a whole looks: commands in groups, output formats, the game as the first
//! argument, and what shells complete.

use std::ffi::OsString;
use std::fs::{create_dir_all, write};
use std::path::Path;

use anyhow::{Context, Result};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, Command, CommandFactory, ValueEnum};
use clap_complete::Shell;
use wire::Games;

use super::Cli;
use crate::terminal::output;

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OutputName {
    Text,
    Json,
}

impl OutputName {
    /// What was asked for; else text for people, and JSON for programs.
    pub fn chosen(asked: Option<OutputName>, is_terminal: bool) -> OutputName {
        let usual = if is_terminal { OutputName::Text } else { OutputName::Json };
        asked.unwrap_or(usual)
    }
}

/// The commands, by what people want to do.
pub const GROUPS: [(&str, &[&str]); 5] = [
    ("Play and watch", &["serve", "tables", "watch", "replay", "review", "docs"]),
    ("Build a bot", &["starter", "bot", "play", "check", "match", "connect", "mcp"]),
    ("Compete", &["tournament", "ladder", "names", "ratings", "export"]),
    (
        "Operate a server",
        &["config", "data", "tokens", "bans", "kick", "audit", "drain", "fleet", "self-check"],
    ),
    ("Develop Parlor", &["bench", "soak", "labyrinth", "completions"]),
];

const NEW_HERE: &str = "New here? Run 'parlor serve --house-bots', then open http://127.0.0.1:7800 in a browser.\n\
                        'parlor docs' is the documentation, and 'parlor help COMMAND' explains a command.";

/// What `parlor` alone says.
pub const WELCOME: &str =
    "Parlor hosts turn-based games that bots, people and language models play over the network.

  parlor serve --house-bots      start a server with opponents, then open http://127.0.0.1:7800
  parlor starter gamba           print a bot to start from
  parlor check gamba --bot CMD   test your bot
  parlor docs                    read the documentation

'parlor help' lists all commands.";

/// All that can be typed.
pub fn whole() -> Command {
    let command = shaped(Cli::command()).max_term_width(WIDEST);
    let list = grouped(&command);
    command
        .help_template("{about}\n\n{usage-heading} {usage}\n{after-help}\n\nOptions:\n{options}")
        .after_help(format!("{}\n{NEW_HERE}", list.trim_start()))
}

/// Every command with what it does, under the headings.
fn grouped(command: &Command) -> String {
    let mut text = String::new();
    for (heading, names) in GROUPS {
        text.push_str(&format!("\n{heading}:\n"));
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            text.push_str(&format!("  {name:<12} {}\n", about.trim_end_matches('.')));
        }
    }
    text
}

/// Columns of help at most, and of an example that fits into any terminal.
const WIDEST: usize = 100;
const EXAMPLE: usize = 78;

/// Commands that can print JSON have `--format`, of which `--json` is short for one, and what is said
/// after the options flows to the width of the terminal.
fn shaped(command: Command) -> Command {
    let has = |id: &str| command.get_arguments().any(|arg| arg.get_id() == id);
    let is_missing = has("json") && !has("format");
    let command = if is_missing { with_format(command) } else { command };
    let help = command.get_after_help().map(|help| flowing(&help.to_string()));
    let command = if let Some(help) = help { command.after_help(help) } else { command };
    command.mut_subcommands(shaped)
}

/// Sentences as one line for each paragraph; examples as they are, and long ones in several lines that
/// a shell reads as one.
fn flowing(help: &str) -> String {
    let mut text = String::new();
    let mut last_flows = false;
    for line in help.lines() {
        let flows = !line.is_empty() && !line.starts_with("  ") && !line.ends_with(':');
        if !text.is_empty() {
            text.push(if flows && last_flows { ' ' } else { '\n' });
        }
        match line.starts_with("  ") {
            true => text.push_str(&broken(line)),
            false => text.push_str(line),
        }
        last_flows = flows;
    }
    text
}

/// A long command, broken before options.
fn broken(example: &str) -> String {
    let mut text = String::new();
    let mut width = 0;
    for (at, part) in example.split(" --").enumerate() {
        let part = if at == 0 { part.to_owned() } else { format!(" --{part}") };
        if width > 0 && width + part.len() + 2 > EXAMPLE {
            text.push_str(" \\\n     ");
            width = 5;
        }
        width += part.len();
        text.push_str(&part);
    }
    text
}

fn with_format(command: Command) -> Command {
    let format = Arg::new("format")
        .long("format")
        .value_name("FORMAT")
        .value_parser(["text", "json"])
        .action(ArgAction::Set)
        .conflicts_with("json")
        .help("How to print the result");
    command.arg(format).mut_arg("json", |json| json.default_value_if("format", "json", "true"))
}

/// The same for these games: `{games}` in a help text stands for them.
pub fn of(games: &Games) -> Command {
    fn fill_in(command: Command, games: &str) -> Command {
        let filled = command.mut_args(|arg| match arg.get_help() {
            Some(help) => {
                let help = help.to_string().replace("{games}", games);
                arg.help(help)
            }
            None => arg,
        });
        filled.mut_subcommands(|command| fill_in(command, games))
    }
    let names = games.names();
    let list = match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => "no game".to_owned(),
    };
    fill_in(whole(), &list)
}

/// What was typed, with a game that is written as `--game GAME` in its place: the first argument.
pub fn spelled(command: &Command, mut typed: Vec<OsString>) -> Vec<OsString> {
    let (mut here, mut first) = (command, 1);
    while let Some(inner) = typed.get(first).and_then(|word| here.find_subcommand(word)) {
        (here, first) = (inner, first + 1);
    }
    if !here.get_positionals().any(is_game) {
        return typed;
    }
    let end = typed.iter().position(|word| word == "--").unwrap_or(typed.len());
    let flagged = |word: &OsString| {
        word.to_str()
            .and_then(|word| word.strip_prefix("--game"))
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    };
    let Some(at) = typed[first.min(end)..end].iter().position(flagged).map(|at| at + first) else {
        return typed;
    };
    let word = typed.remove(at);
    let game = match word.to_str().and_then(|word| word.split_once('=')) {
        Some((_, game)) => game.into(),
        None if at < typed.len() => typed.remove(at),
        // clap says that a value is missing.
        None => return [typed, vec![word]].concat(),
    };
    typed.insert(first, game);
    typed
}

/// Whether an argument is a game.
fn is_game(arg: &Arg) -> bool {
    arg.get_id() == "game" && arg.get_value_names().is_none_or(|names| names == ["GAME"])
}

/// Prints the script that a shell completes this command line by: games and strategies included.
pub fn completions(games: &Games, shell: Shell) -> Result<()> {
    output::line(&script(games, shell)?)
}

fn script(games: &Games, shell: Shell) -> Result<String> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut known(of(games), games), "parlor", &mut script);
    Ok(String::from_utf8(script)?.trim_end().to_owned())
}

/// Writes what packages bring along for this command line: manual pages and completions.
pub fn manual(games: &Games, folder: &Path) -> Result<()> {
    let (pages, scripts) = (folder.join("man"), folder.join("completions"));
    for folder in [&pages, &scripts] {
        create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let mut command = of(games);
    command.build();
    // In a manual the version alone says enough, and stays the same from build to build.
    let command = command.version(env!("CARGO_PKG_VERSION"));
    clap_mangen::generate_to(command, &pages).context("cannot write the manual")?;
    for (shell, name) in
        [(Shell::Bash, "parlor.bash"), (Shell::Zsh, "_parlor"), (Shell::Fish, "parlor.fish")]
    {
        let place = scripts.join(name);
        write(&place, script(games, shell)? + "\n")
            .with_context(|| format!("cannot write {}", place.display()))?;
    }
    Ok(())
}

/// The command line with every value that is known beforehand. Others are accepted where it is typed.
fn known(command: Command, games: &Games) -> Command {
    let names = games.names();
    let wires = games.iter().filter_map(|game| game.wires().into_iter().next());
    let mut strategies: Vec<&str> =
        wires.flat_map(|wire| wire.strategies).map(|strategy| strategy.name).collect();
    strategies.sort_unstable();
    strategies.dedup();
    let house: Vec<String> = strategies.iter().map(|name| format!("house:{name}")).collect();
    let filled = command.mut_args(|arg| {
        let values: Vec<String> = match arg.get_id().as_str() {
            "game" if is_game(&arg) => names.iter().map(|name| (*name).to_owned()).collect(),
            "strategy" | "opponent" => strategies.iter().map(|name| (*name).to_owned()).collect(),
            "bot" | "new" | "base" => house.clone(),
            _ => return arg,
        };
        arg.value_parser(PossibleValuesParser::new(values))
    });
    filled.mut_subcommands(|command| known(command, games))
}
