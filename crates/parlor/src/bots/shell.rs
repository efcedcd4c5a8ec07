//! Values in a command for the shell: each stays one word and is never run. For Windows only plain
//! words are accepted: its shell has no quotes that can hold everything.

use anyhow::{Result, bail};

/// Fills each `{word}` in. A value is quoted as the place asks for where it stands: outside of quotes,
/// in single or in double ones. An error if there is no way to quote it there.
pub fn filled(command: &str, values: &[(&str, String)]) -> Result<String> {
    filled_for(Shell::HERE, command, values)
}

fn filled_for(shell: Shell, command: &str, values: &[(&str, String)]) -> Result<String> {
    let mut text = String::with_capacity(command.len());
    let (mut at, mut quote) = (0, Quote::None);
    while let Some(letter) = command[at..].chars().next() {
        let found = values.iter().find_map(|(word, value)| {
            let after = command[at..].strip_prefix('{')?.strip_prefix(word)?.strip_prefix('}')?;
            Some((word, value, command.len() - after.len()))
        });
        if let Some((word, value, after)) = found {
            if let Some(why) = shell.objection(&command[..at], &command[after..], quote, value) {
                let variable = word.to_uppercase();
                bail!(
                    "'{command}' cannot take the {word} '{value}' at {{{word}}}: {why}. Let the bot \
                     read PARLOR_{variable}{}",
                    if shell == Shell::Sh {
                        format!(", or write \"$PARLOR_{variable}\"")
                    } else {
                        String::new()
                    }
                );
            }
            text.push_str(&quote.quoted(value));
            at = after;
            continue;
        }
        text.push(letter);
        at += letter.len_utf8();
        match (quote, letter) {
            (Quote::None | Quote::Double(_), '\\') => {
                if let Some(next) = command[at..].chars().next().filter(|next| *next != '{') {
                    text.push(next);
                    at += next.len_utf8();
                }
            }
            (Quote::None, '\'') => quote = Quote::Single(at),
            (Quote::None, '"') => quote = Quote::Double(at),
            (Quote::Single(_), '\'') | (Quote::Double(_), '"') => quote = Quote::None,
            _ => {}
        }
    }
    Ok(text)
}

/// What runs the commands of bots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shell {
    Sh,
    Cmd,
}

impl Shell {
    const HERE: Shell = if cfg!(windows) { Shell::Cmd } else { Shell::Sh };

    fn objection(
        self,
        before: &str,
        after: &str,
        quote: Quote,
        value: &str,
    ) -> Option<&'static str> {
        match self {
            Shell::Cmd if !value.chars().all(is_plain) => {
                Some("the shell of Windows has no safe quotes for it")
            }
            Shell::Cmd if value.starts_with('/') => Some("a program would read it as an option"),
            _ => objection(before, after, quote, value),
        }
    }
}

/// Why a value cannot stand between these parts of a command for `sh`.
fn objection(before: &str, after: &str, quote: Quote, value: &str) -> Option<&'static str> {
    let begins_word =
        before.chars().next_back().is_none_or(|letter| !is_plain(letter) && letter != '=');
    if value.starts_with('-') && begins_word {
        return Some("a program would read it as an option");
    }
    if value.chars().all(is_plain) {
        // No shell sees anything in it but letters, not even one that another one starts.
        return None;
    }
    if before.ends_with('\\') {
        return Some("it follows a backslash");
    }
    if ["$(", "`", "<<", "$'"].iter().any(|opening| before.contains(opening)) {
        return Some("it is in or after a command inside the command");
    }
    let (begin, mark) = match quote {
        Quote::None => return None,
        Quote::Single(begin) => (begin, '\''),
        Quote::Double(begin) => (begin, '"'),
    };
    let rest = after.split(mark).next().unwrap_or_default();
    let has_blanks =
        before[begin..].contains(char::is_whitespace) || rest.contains(char::is_whitespace);
    has_blanks.then_some("it is part of a longer text in quotes, which may be a command of its own")
}

fn is_plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "_.:/-".contains(letter)
}

/// In which quotes a place is, and where they begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quote {
    None,
    Single(usize),
    Double(usize),
}

impl Quote {
    fn quoted(self, value: &str) -> String {
        let single = value.replace('\'', r"'\''");
        match self {
            Quote::None if value.chars().all(is_plain) => value.to_owned(),
            Quote::None => format!("'{single}'"),
            Quote::Single(_) => single,
            Quote::Double(_) => {
                let special = |letter: char| matches!(letter, '\\' | '"' | '$' | '`');
                let escaped = |letter: char| match special(letter) {
                    true => format!("\\{letter}"),
                    false => letter.to_string(),
                };
                value.chars().map(escaped).collect()
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Command;

    use super::*;

    /// A name such as `a;touch qq` ran as a command.
    #[test]
    fn a_value_is_one_word_wherever_it_stands_and_nothing_of_it_runs() {
        for name in
            ["ann", "a;echo run", "a b", "$(echo run)", "`echo run`", "it's", "\"", "\\", "$HOME"]
        {
            let values = [("name", name.to_owned()), ("port", "7".to_owned())];
            for command in [
                "printf '%s\\n' {name} {port}",
                "printf '%s\\n' '{name}' '{port}'",
                "printf '%s\\n' \"{name}\" \"{port}\"",
                "printf \"%s\\n\" ''{name}\"\" {port}",
            ] {
                let filled = filled(command, &values).unwrap();
                let ran = Command::new("sh").args(["-c", &filled]).output().unwrap();
                let printed = String::from_utf8(ran.stdout).unwrap();
                assert_eq!(printed, format!("{name}\n7\n"), "{filled}");
            }
        }
    }

    #[test]
    fn what_needs_no_quotes_gets_none_and_other_braces_stay() {
        let values = [("host", "127.0.0.1".to_owned()), ("table", String::new())];
        let filled = filled("./bot {host}:1 {table} {a,b} ${X} '{print}'", &values).unwrap();
        assert_eq!(filled, "./bot 127.0.0.1:1  {a,b} ${X} '{print}'");
    }

    /// In these places quotes do not mean what they seem to, and the value ran as a command.
    #[test]
    fn a_value_that_cannot_be_quoted_where_it_stands_is_refused() {
        for command in [
            r#"./bot "$(echo {name})""#,
            r#"./bot "$(echo "{name}")""#,
            "./bot `echo {name}`",
            r"./bot \{name}",
            "sh -c './bot {name}'",
            r#"bash -c "./bot {name}""#,
            "eval ./bot '{name} x'",
            "cat <<X\n{name}\nX",
        ] {
            let refused = filled(command, &[("name", "a;touch qq".to_owned())]).unwrap_err();
            let refused = refused.to_string();
            assert!(refused.contains(r#"write "$PARLOR_NAME""#), "{command}: {refused}");
            // A plain name is safe everywhere.
            let fine = filled(command, &[("name", "ann".to_owned())]).unwrap();
            assert_eq!(fine, command.replace("{name}", "ann"));
        }
    }

    #[test]
    fn a_command_for_windows_takes_plain_words_alone() {
        let named = |name: &str| {
            filled_for(Shell::Cmd, "bot.exe {name} \"{name}\"", &[("name", name.to_owned())])
        };
        assert_eq!(named("ann").unwrap(), "bot.exe ann \"ann\"");
        for name in ["a b", "a&calc", "%PATH%", "a^b", "\"", "it's", "/s", "-x", "a|b"] {
            let refused = named(name).unwrap_err().to_string();
            assert!(refused.ends_with("Let the bot read PARLOR_NAME"), "{refused}");
        }
    }

    #[test]
    fn a_value_is_never_an_option() {
        let named = |command: &str| filled(command, &[("name", "-rf".to_owned())]);
        for command in ["./bot {name}", "./bot '{name}'", "./bot \"{name}\"", "{name}"] {
            let refused = named(command).unwrap_err().to_string();
            assert!(refused.contains("as an option"), "{command}: {refused}");
        }
        assert_eq!(named("./bot --name={name}").unwrap(), "./bot --name=-rf");
    }
}
