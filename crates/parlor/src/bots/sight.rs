//! What of the organiser's files a bot must be able to read: its own program and the folder of that,
//! and interpreters that are not the system's.

use std::path::{Component, Path, PathBuf};

use crate::system::all_may;

/// These are shown to every bot.
const SYSTEM: [&str; 10] =
    ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/usr", "/opt", "/nix", "/gnu", "/snap"];
/// Nothing below these is for bots.
const NEVER: [&str; 4] = ["/proc", "/sys", "/dev", "/etc"];

/// What a command sees: at which place, and what is shown there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sight(pub Vec<(PathBuf, PathBuf)>);

impl Sight {
    /// For a command that runs in a folder. `path`: where programs are looked for. `home`: the
    /// organiser's, of which nothing is shown as a whole.
    pub fn of(command: &str, folder: &Path, path: &str, home: Option<&Path>) -> Sight {
        let mut sight = Sight::default();
        for word in words(command) {
            let place = plain(&folder.join(word));
            let is_whole = home.is_some_and(|home| home.starts_with(&place));
            if place.is_dir() && !is_whole {
                sight.add(place);
            } else if place.is_file() {
                let around = place.parent().unwrap_or(Path::new("/")).to_owned();
                // A bot in the home folder itself gets its file and nothing else of it.
                let is_whole = home.is_some_and(|home| home.starts_with(&around));
                sight.add(if is_whole { place.clone() } else { around });
                sight.add_prefix(&place);
            }
            for programs in std::env::split_paths(path).filter(|programs| programs.is_absolute()) {
                let program = programs.join(word);
                if !word.contains('/') && program.is_file() {
                    sight.add_prefix(&program);
                    break;
                }
            }
        }
        // Where one lies in another, the outer shows both.
        sight.0.sort();
        let mut kept: Vec<(PathBuf, PathBuf)> = Vec::new();
        for (place, source) in sight.0 {
            if !kept.iter().any(|(outer, _)| place.starts_with(outer)) {
                kept.push((place, source));
            }
        }
        Sight(kept)
    }

    /// Whether every user may read what is shown.
    pub fn is_for_all(&self) -> bool {
        self.0.iter().all(|(_, source)| {
            let Ok(found) = source.metadata() else { return false };
            let wanted = if found.is_dir() { 0o005 } else { 0o004 };
            all_may(&found, wanted)
        })
    }

    fn add(&mut self, place: PathBuf) {
        let is_below = |roots: &[&str]| roots.iter().any(|root| place.starts_with(root));
        if place == Path::new("/") || is_below(&SYSTEM) || is_below(&NEVER) {
            return;
        }
        if let Ok(source) = place.canonicalize() {
            self.0.push((place, source));
        }
    }

    /// A program in a folder `bin` has its libraries beside that folder; it may be a link to one
    /// elsewhere.
    fn add_prefix(&mut self, program: &Path) {
        let targets = [Some(program.to_owned()), program.canonicalize().ok()];
        for program in targets.into_iter().flatten() {
            let Some(bin) = program.parent().filter(|bin| bin.ends_with("bin")) else { continue };
            let Some(prefix) = bin.parent() else { continue };
            for name in ["bin", "lib", "lib64", "libexec", "pyvenv.cfg"] {
                let part = prefix.join(name);
                if part.exists() {
                    self.add(part);
                }
            }
        }
    }
}

/// What may be a path in a command.
fn words(command: &str) -> impl Iterator<Item = &str> {
    let cuts = |letter: char| letter.is_whitespace() || "'\"`;|&()<>=,:{}$".contains(letter);
    command
        .split(cuts)
        .filter(|word| !word.is_empty() && !word.chars().all(|c| c == '.' || c == '/'))
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_sees_its_folder_and_not_its_neighbours() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        for bot in
            ["teams/ann/bot.py", "teams/bob/bot.py", "bot.py", "venv/bin/python", "venv/lib/x"]
        {
            std::fs::create_dir_all(home.join(bot).parent().unwrap()).unwrap();
            std::fs::write(home.join(bot), "").unwrap();
        }
        let seen = |command: &str| -> Vec<String> {
            let sight = Sight::of(command, &home, "/usr/bin:/bin", Some(&home));
            let place = |(place, _): &(PathBuf, PathBuf)| {
                place.strip_prefix(&home).unwrap().display().to_string()
            };
            sight.0.iter().map(place).collect()
        };
        assert_eq!(seen("python3 teams/ann/bot.py {host} {port}"), ["teams/ann"]);
        assert_eq!(seen("cd teams/ann && ./bot.py"), ["bot.py", "teams/ann"]);
        assert_eq!(seen("teams/bob/../ann/bot.py"), ["teams/ann"]);
        assert_eq!(seen("python3 bot.py /etc/passwd"), ["bot.py"]);
        assert_eq!(seen("venv/bin/python teams/bob/bot.py"), ["teams/bob", "venv/bin", "venv/lib"]);
        assert_eq!(seen("sleep 1; ls / . .."), Vec::<String>::new());
    }
}
