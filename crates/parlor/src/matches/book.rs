//! The match in a folder: its settings, every block, and the replays, so that it can be continued,
//! and counted again by anyone.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::series::Block;
use crate::printed::{self, Printed};

pub struct Book {
    folder: PathBuf,
    blocks: File,
}

impl Book {
    /// Opens the folder. Its first line holds the match's settings and seed; with `resume` the
    /// settings must be the same as before, and the seed and blocks of then are returned. `seed`:
    /// the one that was asked for, and the one to use for a new match.
    pub fn open(
        folder: &Path,
        mut about: Value,
        (asked, seed): (Option<u64>, u64),
        resume: bool,
    ) -> Result<(Book, u64, Vec<Block>)> {
        let path = folder.join("blocks.jsonl");
        std::fs::create_dir_all(folder.join("replays"))
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let kept = match path.exists() {
            true => read(&path)?,
            false => None,
        };
        if kept.is_some() && !resume {
            bail!("there is a match in {}: pass --resume, or another --out", folder.display());
        }
        let open = OpenOptions::new().create(true).append(true).open(&path);
        let mut blocks = open.with_context(|| format!("cannot write {}", path.display()))?;
        let kept_seed = kept.as_ref().and_then(|kept| kept.about["seed"].as_u64());
        let seed = asked.or(kept_seed).unwrap_or(seed);
        about["seed"] = seed.into();
        let played = match kept {
            Some(kept) if kept.about != about => {
                let there = kept.about;
                bail!("the match in {} is another one: {there}, not {about}", folder.display())
            }
            Some(kept) => {
                // A line that was cut off by a crash is no block.
                blocks.set_len(kept.length)?;
                kept.blocks
            }
            None => {
                writeln!(blocks, "{about}")?;
                Vec::new()
            }
        };
        Ok((Book { folder: folder.to_owned(), blocks }, seed, played))
    }

    pub fn keep(&mut self, block: &Block) -> Result<()> {
        let line = serde_json::to_string(block).expect("plain data");
        writeln!(self.blocks, "{line}").context("cannot write the block")
    }

    pub fn keep_replay(&self, table: &str, replay: &str, lines: &[Printed]) -> Result<()> {
        let path = self.folder.join("replays").join(format!("{table}.jsonl"));
        std::fs::write(&path, replay)
            .with_context(|| format!("cannot write {}", path.display()))?;
        printed::keep(&path, lines)
    }
}

struct Kept {
    about: Value,
    blocks: Vec<Block>,
    /// How many bytes are whole lines.
    length: u64,
}

/// What a file says as far as it is whole; none if not even its first line is.
fn read(path: &Path) -> Result<Option<Kept>> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut kept: Option<Kept> = None;
    let (mut reader, mut line) = (BufReader::new(file), String::new());
    while reader.read_line(&mut line)? > 0 && line.ends_with('\n') {
        let wrong = || format!("{} is not a match of this program: {line}", path.display());
        match &mut kept {
            None => {
                let about = serde_json::from_str(&line).with_context(wrong)?;
                kept = Some(Kept { about, blocks: Vec::new(), length: line.len() as u64 });
            }
            Some(kept) => {
                kept.blocks.push(serde_json::from_str(&line).with_context(wrong)?);
                kept.length += line.len() as u64;
            }
        }
        line.clear();
    }
    Ok(kept)
}
