//! Keeps a bot's program running for as long as its tournament lasts.

use std::time::Duration;

use anyhow::{Result, bail};
use tokio::time::{Instant, sleep};

use crate::output;
use crate::play::program::{Place, Program};

/// A program that fails within this time is started anew after a while.
const SHORT: Duration = Duration::from_secs(1);
const SHORTEST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// What a shell ends with if it cannot run, or cannot find, what it is to run.
const CANNOT_RUN: [i32; 2] = [126, 127];

/// Runs a command again and again. Dropping the future ends the program.
pub async fn supervise(command: String, place: Place) -> Result<std::convert::Infallible> {
    let mut program = Program::new(command.clone());
    let mut pause = SHORTEST_PAUSE;
    let mut is_first = true;
    loop {
        let begun = Instant::now();
        program.start(&place)?;
        let status = program.ended().await?;
        let name = &place.name;
        // Later it may be missing for a moment, while somebody builds it anew.
        if is_first && status.code().is_some_and(|code| CANNOT_RUN.contains(&code)) {
            bail!("'{command}' cannot be run: the shell ended with {status}");
        }
        is_first = false;
        if !status.success() {
            let last_words = program.complaints().join("\n  ");
            output::error(&format!("{name} ({command}) ended: {status}\n  {last_words}"));
        }
        // Games can be short; a program that fails at once should not be started in a frenzy.
        pause = match status.success() || begun.elapsed() > SHORT {
            true => SHORTEST_PAUSE,
            false => (pause * 2).min(LONGEST_PAUSE),
        };
        sleep(pause).await;
    }
}
