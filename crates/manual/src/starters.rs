//! Bots to start from, one for each game and language, with the reader's name and this server's address
//! filled in.

use rust_embed::RustEmbed;

use crate::zip;

#[derive(RustEmbed)]
#[folder = "../../examples/"]
#[include = "*.py"]
#[include = "*.mjs"]
struct Examples;

#[derive(RustEmbed)]
#[folder = "../../python/parlor_games/"]
#[include = "net.py"]
struct Library;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    Python,
    JavaScript,
}

impl Language {
    pub const ALL: [Language; 2] = [Language::Python, Language::JavaScript];

    pub fn name(self) -> &'static str {
        match self {
            Language::Python => "python",
            Language::JavaScript => "javascript",
        }
    }

    /// What runs it.
    pub fn program(self) -> &'static str {
        match self {
            Language::Python => "python3",
            Language::JavaScript => "node",
        }
    }
}

/// One file that can be had.
#[derive(Debug)]
pub struct Starter {
    pub file: &'static str,
    /// Which game it plays; none: every game, over the JSON protocol.
    pub game: Option<&'static str>,
    pub language: Language,
}

const fn starter(file: &'static str, game: &'static str, language: Language) -> Starter {
    Starter { file, game: Some(game), language }
}

pub const STARTERS: [Starter; 11] = [
    starter("sushi_go.py", "sushi-go", Language::Python),
    starter("subsim.py", "subsim", Language::Python),
    starter("gamba.py", "gamba", Language::Python),
    starter("labyrinth.py", "labyrinth", Language::Python),
    starter("tiger_dragon.py", "tiger-dragon", Language::Python),
    Starter { file: "net.py", game: None, language: Language::Python },
    starter("sushi_go.mjs", "sushi-go", Language::JavaScript),
    starter("subsim.mjs", "subsim", Language::JavaScript),
    starter("gamba.mjs", "gamba", Language::JavaScript),
    starter("labyrinth.mjs", "labyrinth", Language::JavaScript),
    starter("tiger_dragon.mjs", "tiger-dragon", Language::JavaScript),
];

/// What is filled in.
#[derive(Debug, Clone, Default)]
pub struct Filling {
    /// A host that `is_host`.
    pub host: Option<String>,
    pub port: Option<u16>,
    /// The player's name, with its key behind a colon if there is one.
    pub name: Option<String>,
}

impl Starter {
    pub fn named(file: &str) -> Option<&'static Starter> {
        STARTERS.iter().find(|starter| starter.file == file)
    }

    pub fn of(game: &str, language: Language) -> Option<&'static Starter> {
        STARTERS.iter().find(|each| each.game == Some(game) && each.language == language)
    }

    /// The program as it is in the repository.
    pub fn source(&self) -> String {
        let found =
            if self.game.is_some() { Examples::get(self.file) } else { Library::get(self.file) };
        let found = found.expect("every starter is among the files");
        String::from_utf8_lossy(&found.data).into_owned()
    }

    /// The program with defaults for this server and this player, so that it needs no arguments.
    pub fn filled(&self, filling: &Filling) -> String {
        let source = self.source();
        let lines = source.split_inclusive('\n').map(|line| match self.language {
            Language::Python => python(line, filling),
            Language::JavaScript => javascript(line, filling),
        });
        lines.collect()
    }
}

/// `parser.add_argument("port", nargs="?", type=int, default=8080)`
fn python(line: &str, filling: &Filling) -> String {
    let Some(argument) = line.strip_prefix("parser.add_argument(\"") else {
        return line.to_owned();
    };
    let value = match argument.split('"').next() {
        Some("host") => filling.host.as_deref().map(quoted),
        Some("port") => filling.port.map(|port| port.to_string()),
        Some("name" | "color") => filling.name.as_deref().map(quoted),
        _ => None,
    };
    let (Some(value), Some(at)) = (value, line.find("default=")) else { return line.to_owned() };
    let start = at + "default=".len();
    format!("{}{value}{}", &line[..start], &line[start + value_end(&line[start..])..])
}

/// `const [host = "127.0.0.1", port = "8080", name = …] = positionals;`
fn javascript(line: &str, filling: &Filling) -> String {
    if !line.contains("[host = ") || !line.contains("] = positionals") {
        return line.to_owned();
    }
    let port = filling.port.map(|port| port.to_string());
    let mut line = line.to_owned();
    for (names, value) in [
        (&["[host = "][..], &filling.host),
        (&[" port = "], &port),
        (&[" name = ", " color = "], &filling.name),
    ] {
        let Some(value) = value else { continue };
        let start = names.iter().find_map(|name| Some(line.find(name)? + name.len()));
        let Some(start) = start else { continue };
        let end = start + value_end(&line[start..]);
        line.replace_range(start..end, &quoted(value));
    }
    line
}

/// Where a value ends: at the comma or bracket that is outside everything it opens.
fn value_end(text: &str) -> usize {
    let (mut depth, mut quote) = (0_i32, None);
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(letter),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}' | ',') if depth == 0 => return at,
            (None, ')' | ']' | '}') => depth -= 1,
            _ => {}
        }
    }
    text.trim_end().len()
}

/// A text as both languages write it.
fn quoted(text: &str) -> String {
    serde_json::Value::String(text.to_owned()).to_string()
}

/// All starters of a language and how to run them, as one archive.
pub fn archive(language: Language, filling_of: impl Fn(&Starter) -> Filling) -> Vec<u8> {
    let folder = format!("parlor-{}", language.name());
    let own = || STARTERS.iter().filter(|starter| starter.language == language);
    let mut files = vec![(format!("{folder}/README.txt"), readme(language, own()))];
    for starter in own() {
        let path = format!("{folder}/{}", starter.file);
        files.push((path, starter.filled(&filling_of(starter))));
    }
    zip::archive(&files)
}

fn readme<'s>(language: Language, starters: impl Iterator<Item = &'s Starter>) -> String {
    let program = language.program();
    let mut text = String::from("Starter bots, one for each game. They need no packages.\n\n");
    for starter in starters {
        text.push_str(&match starter.game {
            Some(game) => format!("{program} {:<18} plays {game}\n", starter.file),
            None => format!("{:<26} a library: a bot in ten lines, for every game\n", starter.file),
        });
    }
    text.push_str(
        "\nEach takes [HOST] [PORT] [NAME] and --games N; 0 means until you stop it. The server's address \
         is filled\nin where it was known. Change the function that chooses the moves: that is your bot.\n\
         On Windows, write py in place of python3.\n\nThe server's pages /docs and /connect say the rest.\n",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filling() -> Filling {
        Filling {
            host: Some("192.168.1.20".to_owned()),
            port: Some(24_001),
            name: Some("a\"nn:pk_key".to_owned()),
        }
    }

    #[test]
    fn every_starter_takes_host_port_and_name() {
        for starter in STARTERS.iter().filter(|starter| starter.game.is_some()) {
            let (source, filled) = (starter.source(), starter.filled(&filling()));
            for value in ["\"192.168.1.20\"", "24001", r#""a\"nn:pk_key""#] {
                assert!(!source.contains(value), "{}", starter.file);
                assert_eq!(filled.matches(value).count(), 1, "{}: {value}", starter.file);
            }
            assert_eq!(source.lines().count(), filled.lines().count());
            assert_eq!(starter.filled(&Filling::default()), source);
        }
    }

    #[test]
    fn every_example_is_offered() {
        let mut files: Vec<String> = Examples::iter().map(|name| name.into_owned()).collect();
        files.push("net.py".to_owned());
        files.sort();
        let mut offered: Vec<&str> = STARTERS.iter().map(|starter| starter.file).collect();
        offered.sort();
        assert_eq!(files, offered);
    }

    #[test]
    fn an_archive_is_the_same_each_time_and_ends_with_its_directory() {
        let zip = archive(Language::Python, |_| filling());
        assert_eq!(zip, archive(Language::Python, |_| filling()));
        assert!(zip.starts_with(b"PK\x03\x04"));
        assert_eq!(zip[zip.len() - 22..][..4], *b"PK\x05\x06");
        assert_eq!(zip[zip.len() - 12], 7, "six programs and how to run them");
    }
}
