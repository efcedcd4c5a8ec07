//! The key of a name, as given to a command.

use std::path::Path;

use anyhow::{Context, Result};
use hall::is_key;

use crate::terminal::Unreadable;

/// The key that was said or lies in a file, if any.
pub fn read_key(key: Option<&str>, file: Option<&Path>) -> Result<Option<String>> {
    let key = match file {
        None => key.map(str::to_owned),
        Some(file) => {
            let text = std::fs::read_to_string(file);
            Some(text.with_context(|| format!("cannot read {}", file.display()))?)
        }
    };
    let Some(key) = key.map(|key| key.trim().to_owned()) else { return Ok(None) };
    match is_key(&key) {
        true => Ok(Some(key)),
        false => {
            Err(Unreadable("this is not a key: a key is pk_ and 26 letters and digits".to_owned())
                .into())
        }
    }
}

/// A warning about a secret given as an argument, where other users of the machine can read it.
pub fn told_to_everybody(arguments: impl Iterator<Item = String>) -> Option<String> {
    let secrets = [("--key", "--key-file FILE"), ("--token", "PARLOR_TOKEN")];
    let mut given = arguments.filter_map(|argument| {
        let name = argument.split('=').next().unwrap_or_default().to_owned();
        secrets.into_iter().find(|(secret, _)| *secret == name)
    });
    let (secret, instead) = given.next()?;
    Some(format!(
        "Every user of this machine can see what follows {secret} in the process list. Use {instead}."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_among_the_arguments_is_remarked_once() {
        let told = |line: &str| told_to_everybody(line.split(' ').map(str::to_owned));
        for (line, instead) in [
            ("parlor names show ann --key pk_x", "--key-file"),
            ("parlor connect here --key=pk_x --key=pk_x", "--key-file"),
            ("parlor drain --token abc", "PARLOR_TOKEN"),
        ] {
            let remark = told(line).unwrap_or_default();
            assert!(remark.contains(instead) && !remark.contains("pk_x"), "{line}: {remark}");
        }
        assert_eq!(told("parlor names show ann --key-file ann.key"), None);
        assert_eq!(told("parlor tokens list"), None);
    }
}
