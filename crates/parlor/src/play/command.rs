//! Bots as they are typed, and what cannot work however long it is tried.

use anyhow::Result;
use wire::{AnyDialect, Framing};

use super::worker::{Kind, RunningBot, Way};
use crate::bots::Destination;
use crate::system::finds_program;
use crate::terminal::Unreadable;

/// `house:STRATEGY`, or a command.
pub fn parse(text: &str, wire: &AnyDialect) -> Result<Kind, Unreadable> {
    let refuse = |why: String| Err(Unreadable(why));
    if let Some(strategy) = text.strip_prefix("house:") {
        wire.check_strategy(strategy).map_err(Unreadable)?;
        return Ok(Kind::House(strategy.to_owned()));
    }
    let command = text.trim();
    if command.is_empty() {
        return refuse(
            "--bot is empty. Write house:STRATEGY, or the command that starts the bot".into(),
        );
    }
    if wire.check_strategy(command).is_ok() {
        return refuse(format!("--bot {command} is not a command: did you mean house:{command}?"));
    }
    if let Some(wrong) = mistyped(command) {
        let known = Destination::WORDS.map(|known| format!("{{{known}}}")).join(" ");
        return refuse(format!("--bot {command}: there is no {{{wrong}}}; there are {known}"));
    }
    Ok(Kind::Command(text.to_owned()))
}

/// A bot that runs already: `listen:HOST:PORT` or `connect:HOST:PORT`, with the name it joins under.
pub fn parse_running(
    name: Option<&str>,
    text: &str,
    wire: &AnyDialect,
) -> Result<Option<RunningBot>, Unreadable> {
    let refuse = |why: &str| Err(Unreadable(format!("{text}: {why}")));
    let (way, address) = match text.split_once(':') {
        Some(("listen", address)) => (Way::Listen, address),
        Some(("connect", address)) => (Way::Connect, address),
        _ => return Ok(None),
    };
    let split = address.rsplit_once(':');
    let parts = split.and_then(|(host, port)| Some((host, port.parse::<u16>().ok()?)));
    let Some((host, port)) = parts.filter(|(host, port)| !host.is_empty() && *port > 0) else {
        return refuse("write the address as HOST:PORT, such as listen:127.0.0.1:7001");
    };
    let Some(name) = name else {
        return refuse(&format!("write NAME={text}, with the name under which the bot joins"));
    };
    if way == Way::Connect && matches!(wire.framing, Framing::WebSocket { .. }) {
        return refuse("players of this protocol connect by WebSocket; use listen: for them");
    }
    Ok(Some(RunningBot { name: name.to_owned(), way, host: host.to_owned(), port }))
}

/// A bot with the name it is given, as `ann=./bot` or `ann=house:random`, in two parts. What
/// stands before the first `=` is a name where it could be one: a variable is set by `env`.
pub fn split<'a>(
    text: &'a str,
    wire: &AnyDialect,
) -> Result<(Option<&'a str>, &'a str), Unreadable> {
    let is_word = |name: &str| {
        let fits = |letter: char| letter.is_alphanumeric() || "_-.".contains(letter);
        name.starts_with(char::is_alphanumeric) && name.chars().all(fits)
    };
    match text.split_once('=') {
        Some((name, _)) if is_word(name) && !(wire.is_name)(name) => {
            let game = wire.game;
            Err(Unreadable(format!(
                "--bot {text}: no player of {game} can be called '{name}'. Give the bot another \
                 name, or write 'env {text}' to set a variable."
            )))
        }
        Some((name, command)) if is_word(name) => Ok((Some(name), command)),
        _ => Ok((None, text)),
    }
}

/// Refuses a command whose program there is not. What shells make of more than a program and its
/// arguments is known by running it alone, so all else is left to them.
pub fn check_program(bot: &Kind) -> Result<()> {
    let Kind::Command(command) = bot else { return Ok(()) };
    let Some(program) = program(command) else { return Ok(()) };
    if !finds_program(program)? {
        let why = format!("--bot {command}: there is no program {program}, or it cannot be run");
        return Err(Unreadable(why).into());
    }
    Ok(())
}

/// The program that a command starts, if it is plain to see.
fn program(command: &str) -> Option<&str> {
    let is_one_command = !command.contains(['|', '&', ';', '(', ')', '`', '\n']);
    let is_plain = |word: &&str| {
        word.chars().all(|letter| letter.is_alphanumeric() || "_./-+".contains(letter))
    };
    command.split_whitespace().next().filter(is_plain).filter(|_| is_one_command)
}

/// The first word in braces that looks like a typing mistake. Shells and the programs they start
/// use braces for other things, so all others are left alone.
fn mistyped(command: &str) -> Option<&str> {
    command.match_indices('{').find_map(|(open, _)| {
        let (before, rest) = (&command[..open], &command[open + 1..]);
        let word = &rest[..rest.find('}')?];
        let is_slip = Destination::WORDS.iter().any(|known| is_slip(&word.to_lowercase(), known));
        let is_known = Destination::WORDS.contains(&word);
        (is_slip && !is_known && !before.ends_with('$')).then_some(word)
    })
}

/// Whether two words are equal but for one letter missing, added or wrong, or two exchanged.
fn is_slip(word: &str, known: &str) -> bool {
    let (word, known): (Vec<char>, Vec<char>) = (word.chars().collect(), known.chars().collect());
    let same_begin = word.iter().zip(&known).take_while(|(a, b)| a == b).count();
    let (word, known) = (&word[same_begin..], &known[same_begin..]);
    let same_end = word.iter().rev().zip(known.iter().rev()).take_while(|(a, b)| a == b).count();
    match (&word[..word.len() - same_end], &known[..known.len() - same_end]) {
        ([] | [_], [] | [_]) => true,
        ([a, b], [c, d]) => (a, b) == (d, c),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Kind, String> {
        let wire = games::list().wire("sushi-go", None).unwrap();
        parse(text, &wire).map_err(|error| error.to_string())
    }

    #[test]
    fn what_cannot_work_is_refused_with_what_would() {
        for (text, words) in [
            ("", "--bot is empty"),
            ("  ", "--bot is empty"),
            ("greedy", "did you mean house:greedy?"),
            (" random ", "did you mean house:random?"),
            ("house:bold", "no strategy 'bold'; there are random, pip, mika, greedy"),
            ("./bot {host} {prot}", "there is no {prot}; there are {host} {port} {name} {table}"),
            ("./bot '{hst}'", "there is no {hst}"),
            ("./bot {hosst}", "there is no {hosst}"),
            ("./bot {Port}", "there is no {Port}"),
            ("./bot {host}:{tabel}", "there is no {tabel}"),
        ] {
            let said = parsed(text).expect_err(text);
            assert!(said.contains(words), "{text}: {said}");
        }
    }

    #[test]
    fn a_program_is_looked_for_where_it_is_plain_to_see() {
        let checked = |text: &str| check_program(&Kind::Command(text.to_owned()));
        for text in ["./no-such-bot {port}", " no-such-bot", "/ {port}", "/etc/passwd"] {
            let said = checked(text).expect_err(text).to_string();
            assert!(said.starts_with(&format!("--bot {text}: there is no program ")), "{said}");
        }
        for text in [
            "sh bot.sh {host}",
            "/bin/sh",
            "exec sleep 1000",
            "no-such-bot || ./no-such-bot",
            "HASTE=1 no-such-bot",
            "'no such bot' {port}",
            "$NO_SUCH_BOT",
            "cd elsewhere; ./no-such-bot",
        ] {
            assert!(checked(text).is_ok(), "{text}");
        }
        assert!(check_program(&Kind::House("greedy".to_owned())).is_ok());
    }

    #[test]
    fn braces_of_shells_and_programs_are_left_alone() {
        assert_eq!(parsed("house:greedy"), Ok(Kind::House("greedy".to_owned())));
        for text in [
            "./bot {host} {port} {name} {table} {game} {tournament}",
            "./greedy",
            "greedy --fast",
            "./bot ${PORT} ${Host} ${prot}",
            "awk '{print}' | ./bot '{\"name\": 1}' {} {a,b} { }",
            "awk '{next} {exit} {test} {time}'",
            "./bot { {host} } {",
        ] {
            assert_eq!(parsed(text), Ok(Kind::Command(text.to_owned())));
        }
    }
}
