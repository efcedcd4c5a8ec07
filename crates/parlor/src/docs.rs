//! The documentation and the starter bots at a terminal.

use std::fs::OpenOptions;
use std::io::{IsTerminal, Write, stdout};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use manual::{Filling, Language, Manual, Page, STARTERS, Starter, is_host};
use wire::Games;

use crate::cli::{DocsArgs, LanguageName, StarterArgs};
use crate::terminal::{Unreadable, output};

/// Columns of a terminal that does not say how wide it is, and of a line that is easy to read.
const WIDTH: usize = 80;
const WIDEST: usize = 100;

/// Prints a page, a list of pages, or what is found.
pub fn run(args: &DocsArgs) -> Result<()> {
    let manual = Manual::get();
    let words = args.words.join(" ");
    if words.trim().is_empty() {
        return shown(&listed(manual));
    }
    match named(manual, &words) {
        Some(page) if args.markdown => output::text(&page.markdown),
        Some(page) => shown(&manual::text(&page.markdown, width())),
        None => shown(&found(manual, &words)?),
    }
}

/// The page at this path, with this last word, or with this title.
fn named<'m>(manual: &'m Manual, words: &str) -> Option<&'m Page> {
    let path = words.trim_start_matches("docs/").trim_end_matches(".md").to_lowercase();
    let path = manual.moved(&path).unwrap_or(&path);
    let last = |page: &&Page| page.path.rsplit('/').next() == Some(path);
    let title = |page: &&Page| page.title.to_lowercase() == path;
    manual.page(path).or_else(|| manual.pages().find(last)).or_else(|| manual.pages().find(title))
}

fn listed(manual: &Manual) -> String {
    let mut text =
        String::from("'parlor docs PAGE' prints a page, 'parlor docs WORDS' searches them.\n");
    for section in &manual.sections {
        text.push_str(&format!("\n{}\n", section.title));
        for page in section.pages.iter().filter_map(|path| manual.page(path)) {
            text.push_str(&format!("  {:<34}{}\n", page.path, page.title));
        }
    }
    text
}

fn found(manual: &Manual, words: &str) -> Result<String> {
    let hits = manual.search(words, 12);
    if hits.is_empty() {
        let likely = manual.suggestions(words);
        let likely: Vec<&str> = likely.iter().map(|page| page.path.as_str()).collect();
        let advice = match likely.is_empty() {
            true => "'parlor docs' lists all pages".to_owned(),
            false => format!("did you mean {}? 'parlor docs' lists all pages", likely.join(", ")),
        };
        return Err(Unreadable(format!(
            "no page is called '{words}' or contains these words: {advice}"
        ))
        .into());
    }
    let mut text = format!("No page is called '{words}'. These contain the words:\n");
    for hit in hits {
        let place =
            if hit.heading.is_empty() { String::new() } else { format!(": {}", hit.heading) };
        text.push_str(&format!("\nparlor docs {}\n  {}{place}\n", hit.page.path, hit.page.title));
        text.push_str(&format!("  {}\n", hit.excerpt));
    }
    Ok(text)
}

fn width() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse::<usize>().ok());
    let seen = rustix::termios::tcgetwinsize(stdout()).ok().map(|size| usize::from(size.ws_col));
    let width = told.or(seen).filter(|width| *width > 0);
    width.unwrap_or(WIDTH).min(WIDEST)
}

/// Shows a text, through a pager on a terminal.
fn shown(text: &str) -> Result<()> {
    if !stdout().is_terminal() {
        return output::text(text);
    }
    let pager = std::env::var("PAGER").unwrap_or_else(|_| "less -FRX".to_owned());
    let mut words = pager.split_whitespace();
    let Some(program) = words.next() else { return output::text(text) };
    let started = Command::new(program).args(words).stdin(Stdio::piped()).spawn();
    let Ok(mut child) = started else { return output::text(text) };
    if let Some(mut input) = child.stdin.take() {
        // A reader who has seen enough closes the pager, and with it the pipe.
        _ = input.write_all(text.as_bytes());
    }
    child.wait().context("the pager failed")?;
    Ok(())
}

/// Writes a bot to start from.
pub fn starter(games: &Games, args: &StarterArgs) -> Result<()> {
    games.find(&args.game).map_err(Unreadable)?;
    let language = match args.lang {
        LanguageName::Python => Language::Python,
        LanguageName::Javascript => Language::JavaScript,
    };
    let starter = Starter::of(&args.game, language).ok_or_else(|| {
        let known: Vec<&str> = STARTERS.iter().filter_map(|starter| starter.game).collect();
        Unreadable(format!(
            "there is no starter for {}; there are starters for {}",
            args.game,
            known.join(", ")
        ))
    })?;
    if let Some(host) = args.host.as_deref().filter(|host| !is_host(host)) {
        return Err(
            Unreadable(format!("--host {host} is not the name or address of a machine")).into()
        );
    }
    let StarterArgs { host, port, name, .. } = args;
    let program = starter.filled(&Filling { host: host.clone(), port: *port, name: name.clone() });
    let Some(file) = &args.out else { return output::text(&program) };
    let written = OpenOptions::new().write(true).create_new(true).open(file);
    let written = written.and_then(|mut file| file.write_all(program.as_bytes()));
    written.with_context(|| {
        format!("cannot write {}: choose a file that does not exist", file.display())
    })?;
    output::note(&format!(
        "{file} is a bot for {game}. Start a server with 'parlor serve --house-bots', then: {program} {file}",
        file = file.display(),
        game = args.game,
        program = language.program(),
    ));
    Ok(())
}
