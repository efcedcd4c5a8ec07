//! `parlor check`: an exam for a bot, item by item, with the lines of both sides where it fails.

mod examiner;
mod upload;

use std::io::{IsTerminal, stdout};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::time::Duration;

use anyhow::Result;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use wire::{AnyDialect, Framing, Games};

use crate::bots::{Confinement, Pacing};
use crate::cli::{CheckArgs, OutputName};
use crate::play::{self, CommandEnd, House, Kind, Lane, Match, Order, Played, Reason, house};
use crate::terminal::{Unreadable, output, unless_interrupted};

use examiner::{Examiner, Interference};
use upload::Upload;

pub fn run(roster: &Games, args: &CheckArgs) -> Result<ExitCode> {
    let passed =
        tokio::runtime::Runtime::new()?.block_on(unless_interrupted(check(roster, args)))?;
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// One question of the exam.
struct Item {
    name: &'static str,
    about: &'static str,
    interference: Interference,
    games: u64,
    needs: Needs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    Nothing,
    /// A protocol in which a refused move can be made again.
    Refusals,
    /// A protocol in which players can reconnect.
    WayBack,
    /// Whether the bot ends after a game is looked at.
    CommandEnd,
}

const ITEMS: &[Item] = &[
    Item {
        name: "normal game",
        about: "a whole game, nothing special",
        interference: Interference::Pacing(Pacing::Plain),
        games: 1,
        needs: Needs::Nothing,
    },
    Item {
        name: "split packets",
        about: "messages arrive in pieces, many of them single bytes",
        interference: Interference::Pacing(Pacing::Split),
        games: 1,
        needs: Needs::Nothing,
    },
    Item {
        name: "merged packets",
        about: "several messages arrive in one packet",
        interference: Interference::Pacing(Pacing::Merged),
        games: 1,
        needs: Needs::Nothing,
    },
    Item {
        name: "slow server",
        about: "answers arrive late",
        interference: Interference::Pacing(Pacing::Slow),
        games: 1,
        needs: Needs::Nothing,
    },
    Item {
        name: "refused move",
        about: "a move is refused; the bot has to make another",
        interference: Interference::Refuse { nth: 2 },
        games: 1,
        needs: Needs::Refusals,
    },
    Item {
        name: "reconnect",
        about: "the connection is lost in the middle of the game",
        interference: Interference::Cut { nth: 2 },
        games: 1,
        needs: Needs::WayBack,
    },
    Item {
        name: "closed table",
        about: "the table is closed while the bot thinks; its late move is refused, and it plays the next game",
        interference: Interference::Close { nth: 2 },
        games: 2,
        needs: Needs::Nothing,
    },
    Item {
        name: "many games",
        about: "three games in a row; a bot that ends after a game is started again",
        interference: Interference::Pacing(Pacing::Plain),
        games: 3,
        needs: Needs::Nothing,
    },
    Item {
        name: "end of game",
        about: "the bot ends, or stays connected and does no harm",
        interference: Interference::Pacing(Pacing::Plain),
        games: 1,
        needs: Needs::CommandEnd,
    },
];

/// The answer to one item.
enum Mark {
    Good(String),
    /// What is wrong, each with lines that show it.
    Wrong(Vec<Fault>),
    NotApplicable(&'static str),
}

/// The usual mistakes of a bot that sends or receives nothing.
const NO_END: &str = "do   end every message with \\n: until then it has not arrived";
const ONE_READ: &str = "do   one read is not one message: collect what arrives, and cut it at \\n";
const ONE_VALUE: &str =
    "do   one read is not one message: collect what arrives until a JSON value is complete";
const REFUSED: &str = "do   after a refused move no new position follows: it is still your turn, so send another move";

/// What to do if a bot does not move when it has to. A WebSocket cuts messages itself.
fn advice_to_move(was_refused: bool, framing: Framing) -> Vec<String> {
    let advice = match framing {
        _ if was_refused => REFUSED,
        Framing::Lines { .. } => ONE_READ,
        Framing::JsonValues { .. } => ONE_VALUE,
        Framing::WebSocket { .. } => return Vec::new(),
    };
    vec![advice.to_owned()]
}

struct Fault {
    what: String,
    lines: Vec<String>,
}

async fn check(roster: &Games, args: &CheckArgs) -> Result<bool> {
    let wire = Arc::new(roster.wire(&args.game, args.wire.as_deref()).map_err(Unreadable)?);
    let opponent = args.opponent.as_deref().unwrap_or(wire.strategies[0].name);
    wire.check_strategy(opponent).map_err(Unreadable)?;
    let command = args.bot.trim();
    if wire.check_strategy(command).is_ok() || command.starts_with("house:") {
        let why = format!(
            "--bot {command}: check tests a command, not a house bot; choose the house bot it plays against with --opponent"
        );
        return Err(Unreadable(why).into());
    }
    let upload = Upload::wanted(args)?;
    let bot = play::command::parse(&args.bot, &wire)?;
    house::check_options(roster, &wire, &args.set, ("--seats", args.seats))?;
    play::command::check_program(&bot)?;
    let house = Arc::new(House::start(roster, &wire, &args.set).await?);
    let names = Arc::new(AtomicUsize::new(0));
    let format = OutputName::chosen(args.format, stdout().is_terminal());
    let mut passed = true;
    let mut told = Vec::new();
    for (number, item) in ITEMS.iter().enumerate() {
        let exam = Exam { args, wire: &wire, house: &house, names: &names, opponent };
        let mark = exam.ask(number, item).await?;
        let is_wrong = matches!(mark, Mark::Wrong(_));
        passed &= !is_wrong;
        report(item, &mark, format)?;
        told.push(in_json(item, &mark));
        // A mistake that fails one test usually fails all; a page shows them all.
        if is_wrong && !args.all && upload.is_none() && number + 1 < ITEMS.len() {
            output::note("Stopped at the first test that failed. --all runs the others, too.");
            break;
        }
    }
    house::shutdown(house).await?;
    if let Some(upload) = upload {
        tokio::task::spawn_blocking(move || upload.send(told)).await??;
    }
    Ok(passed)
}

struct Exam<'a> {
    args: &'a CheckArgs,
    wire: &'a Arc<AnyDialect>,
    house: &'a Arc<House>,
    names: &'a Arc<AtomicUsize>,
    opponent: &'a str,
}

impl Exam<'_> {
    async fn ask(&self, number: usize, item: &Item) -> Result<Mark> {
        match item.needs {
            Needs::Refusals if self.wire.signs.refusal.is_none() => {
                return Ok(Mark::NotApplicable("in this protocol, breaking a rule ends the game"));
            }
            Needs::WayBack if !self.wire.way_back => {
                return Ok(Mark::NotApplicable("this protocol has no reconnect"));
            }
            _ => {}
        }
        let examiner = Arc::new(Examiner::new(self.wire.signs, item.interference));
        let mut bots = vec![Kind::Command(self.args.bot.clone())];
        bots.extend((1..self.args.seats).map(|_| Kind::House(self.opponent.to_owned())));
        let shared = Arc::new(Match {
            house: self.house.clone(),
            wire: self.wire.clone(),
            title: format!("check-{}", number + 1),
            bots,
            called: Vec::new(),
            deal: None,
            games: item.games,
            seed: self.args.seed,
            order: Order::Rotation,
            options: play::clock(self.args.move_timeout),
            join_timeout: Duration::from_millis(self.args.join_timeout),
            game_timeout: Duration::from_secs(self.args.game_timeout),
            // Nothing can be learnt any more about a bot that is gone.
            ends_with_commands: true,
            next: AtomicU64::new(0),
            names: self.names.clone(),
            observer: Some(examiner.clone()),
            confinement: Confinement::none(),
            cells: AtomicUsize::new(0),
        });
        let (sender, mut results) = mpsc::channel(item.games as usize);
        let closer = close_table_of(&examiner, self.house);
        let lane = async { Lane::new(shared).await?.run(sender).await };
        let farewells = tokio::select! {
            farewells = lane => farewells?,
            failed = closer => return Err(failed),
        };
        let mut faults = Vec::new();
        while let Some(mut played) = results.recv().await {
            if let Interference::Close { .. } = item.interference {
                forgive_closing(&mut played, self.wire.way_back);
            }
            let was_refused = item.needs == Needs::Refusals || !played.bots[0].refusals.is_empty();
            let advice = advice_to_move(was_refused, self.wire.framing);
            faults.extend(judge(&played, &examiner, advice));
        }
        faults.extend(judge_interference(item, &examiner));
        let mut comment = String::new();
        if item.needs == Needs::CommandEnd && faults.is_empty() {
            match judge_farewell(&farewells, &examiner) {
                Ok(text) => comment = text,
                Err(fault) => faults.push(fault),
            }
        }
        Ok(if faults.is_empty() { Mark::Good(comment) } else { Mark::Wrong(faults) })
    }
}

/// Closes the table of the bot when its move is held back. Ends only if that fails.
async fn close_table_of(examiner: &Examiner, house: &House) -> anyhow::Error {
    loop {
        examiner.holds_move().await;
        if let Err(error) = house.close_running().await {
            return error;
        }
        examiner.let_go();
    }
}

/// A closed game has no result, and the server refuses the late move: neither is the bot's fault.
/// Where players cannot reconnect, the server hangs up, and a bot may end with its connection.
fn forgive_closing(played: &mut Played, way_back: bool) {
    let bot = &mut played.bots[0];
    bot.refusals.clear();
    bot.reasons.clear();
    // How a program ended after the first game may be counted with the second.
    let deserted_next = bot.deserted && played.number > 0;
    if !way_back && !deserted_next {
        bot.troubles.clear();
        bot.last_words.clear();
    }
    if let Some(account) = &mut played.account {
        account.void = None;
    }
}

/// What the server saw of one game.
fn judge(played: &Played, examiner: &Examiner, advice: Vec<String>) -> Vec<Fault> {
    let bot = &played.bots[0];
    let notes = examiner.notes();
    let mut faults = Vec::new();
    // What led to several faults is shown with the first of them.
    let mut fault = |what: String, mut lines: Vec<String>| {
        let known = faults.iter().filter(|fault: &&Fault| lines.starts_with(&fault.lines));
        let shown = known.map(|fault| fault.lines.len()).max().unwrap_or(0);
        faults.push(Fault { what, lines: lines.split_off(shown) });
    };
    if bot.absent {
        fault("it did not join its table".to_owned(), notes.telling());
    }
    if let Some(unfinished) = notes.unfinished() {
        fault(
            format!("its last message has no end of line: {unfinished}"),
            vec![NO_END.to_owned()],
        );
    }
    for trouble in &bot.troubles {
        fault(trouble.clone(), notes.telling());
    }
    if !bot.last_words.is_empty() {
        fault("its last output:".to_owned(), bot.last_words.clone());
    }
    let mut told: Vec<&String> = Vec::new();
    for refusal in &bot.refusals {
        if !told.contains(&refusal) {
            told.push(refusal);
            let reason = bot.reasons.iter().find(|reason| reason.answer == *refusal);
            let why = reason.map(Reason::told).unwrap_or_default();
            let lines = [notes.before(refusal), why].concat();
            fault(format!("the server refused: {refusal}"), lines);
        }
    }
    // Where the protocol has no answer, only the server knows.
    let mut silent: Vec<&Reason> = Vec::new();
    for reason in bot.reasons.iter().filter(|reason| reason.answer.is_empty()) {
        if !silent.iter().any(|known| known.cause == reason.cause) {
            silent.push(reason);
            fault(format!("the server rejected: {}", reason.sent), reason.told());
        }
    }
    let account = played.account.as_ref();
    let seat = account.and_then(|account| account.seats.iter().find(|seat| seat.name == bot.name));
    if let Some(seat) = seat {
        if let Some(exit) = seat.standing.as_ref().and_then(|standing| standing.exit.as_ref()) {
            fault(format!("it is out of the game: {exit}"), notes.telling());
        }
        if seat.timeouts > 0 && notes.unfinished().is_none() {
            fault("it waited, although the server was waiting for its move".to_owned(), advice);
        }
        if seat.timeouts > 0 {
            let times = output::count(seat.timeouts, "time");
            fault(
                format!("its time ran out, and the server moved for it, {times}"),
                notes.telling(),
            );
        }
    }
    // Whatever trouble there was is why it has no result.
    let void = account.and_then(|account| account.void.as_ref());
    if let Some(void) = void.filter(|_| bot.troubles.is_empty()) {
        fault(format!("the game has no result: {void}"), notes.telling());
    }
    faults
}

fn judge_interference(item: &Item, examiner: &Examiner) -> Option<Fault> {
    let notes = examiner.notes();
    let lines = notes.telling();
    match item.interference {
        Interference::Pacing(_) => None,
        _ if !notes.interfered() => {
            let what = "it made too few moves for this test".to_owned();
            Some(Fault { what, lines })
        }
        Interference::Refuse { .. } if notes.moves_since == 0 => {
            Some(Fault { what: "it made no other move".to_owned(), lines })
        }
        Interference::Cut { .. } if notes.connections < 2 => {
            Some(Fault { what: "it did not reconnect".to_owned(), lines })
        }
        Interference::Cut { .. } if notes.moves_since == 0 => {
            Some(Fault { what: "it reconnected but made no move".to_owned(), lines })
        }
        Interference::Close { .. } if notes.moves_since == 0 => {
            Some(Fault { what: "it made no move in the next game".to_owned(), lines })
        }
        Interference::Refuse { .. } | Interference::Cut { .. } | Interference::Close { .. } => None,
    }
}

fn judge_farewell(farewells: &[CommandEnd], examiner: &Examiner) -> Result<String, Fault> {
    let notes = examiner.notes();
    match farewells.first() {
        Some(CommandEnd::Ended(status)) if status.success() => Ok("it ended".to_owned()),
        Some(CommandEnd::Ended(status)) => {
            let what = format!("it ended with {status}");
            Err(Fault { what, lines: notes.telling() })
        }
        Some(CommandEnd::Stayed) if notes.said_after_end > 0 => {
            Ok("it stayed connected and kept playing".to_owned())
        }
        Some(CommandEnd::Stayed) => Ok("it stayed connected and sent nothing more".to_owned()),
        // It was gone when the game was counted, and that was in order.
        None => Ok("it ended".to_owned()),
    }
}

/// A mark in a word, and what there is to say of it.
fn word_of(mark: &Mark) -> (&'static str, &str) {
    match mark {
        Mark::Good(comment) => ("ok", comment.as_str()),
        Mark::Wrong(_) => ("WRONG", ""),
        Mark::NotApplicable(why) => ("n/a", *why),
    }
}

fn in_json(item: &Item, mark: &Mark) -> Value {
    let (word, comment) = word_of(mark);
    let faults: Vec<_> = match mark {
        Mark::Wrong(faults) => {
            faults.iter().map(|fault| json!({"what": fault.what, "lines": fault.lines})).collect()
        }
        _ => Vec::new(),
    };
    let word = word.to_lowercase();
    json!({"item": item.name, "mark": word, "comment": comment, "faults": faults})
}

fn report(item: &Item, mark: &Mark, format: OutputName) -> Result<()> {
    let (word, comment) = word_of(mark);
    if format == OutputName::Json {
        return output::line(&in_json(item, mark).to_string());
    }
    let comment = if comment.is_empty() { item.about } else { comment };
    output::line(&format!("{word:<6}{:<16}{comment}", item.name))?;
    if let Mark::Wrong(faults) = mark {
        for fault in faults {
            output::line(&format!("      {}", fault.what))?;
            for line in &fault.lines {
                output::line(&format!("        {line}"))?;
            }
        }
    }
    Ok(())
}
