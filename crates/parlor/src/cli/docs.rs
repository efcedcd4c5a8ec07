//! What can be typed after `parlor docs` and `parlor starter`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Args)]
pub struct DocsArgs {
    /// A page, or words to search for [default: a list of all pages].
    #[arg(value_name = "PAGE")]
    pub words: Vec<String>,
    /// Print the page's Markdown source.
    #[arg(long)]
    pub markdown: bool,
}

#[derive(Args)]
pub struct StarterArgs {
    /// {games}.
    pub game: String,
    /// The programming language.
    #[arg(short, long, value_name = "LANGUAGE", value_enum, default_value_t = LanguageName::Python)]
    pub lang: LanguageName,
    /// Write it to this file [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The server that the bot connects to by default [default: 127.0.0.1].
    #[arg(long, value_name = "HOST")]
    pub host: Option<String>,
    /// The game's port on that server [default: the game's usual port].
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
    /// The player's default name.
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LanguageName {
    #[value(alias = "py")]
    Python,
    #[value(alias = "js")]
    Javascript,
}
