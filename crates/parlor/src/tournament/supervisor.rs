//! Keeps a bot's program running for as long as its tournament lasts.

use std::time::Duration;

use anyhow::Result;
use tokio::time::{Instant, sleep};

use crate::output;
use crate::play::program::{Place, Program};

/// A program that fails within this time is started anew after a while.
const SHORT: Duration = Duration::from_secs(1);
const SHORTEST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Runs a command again and again. Dropping the future ends the program.
pub async fn supervise(command: String, place: Place) -> Result<std::convert::Infallible> {
    let mut program = Program::new(command.clone());
    let mut pause = SHORTEST_PAUSE;
    loop {
        let begun = Instant::now();
        program.start(&place)?;
        let status = program.ended().await?;
        if !status.success() {
            let last_words = program.complaints().join("\n  ");
            let name = &place.name;
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
