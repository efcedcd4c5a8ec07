//! How what a server says arrives at a bot.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::OwnedWriteHalf;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pacing {
    Plain,
    /// Byte by byte, in separate packets.
    Split,
    /// As many messages in one packet as come within a while.
    Merged,
    /// Late, and later at first.
    Slow,
}

/// How long packets are waited for that go out as one.
const MERGE: Duration = Duration::from_millis(25);
/// The pause between two packets of one byte.
const DRIP: Duration = Duration::from_millis(1);
/// This many bytes at the beginning and the end of a piece are sent one by one; those between in
/// pieces of a few, or a game would take all day.
const DRIPS: usize = 12;
/// How late a slow server is: for the first packets, and from then on.
const LATE_AT_FIRST: (u32, Duration) = (4, Duration::from_millis(700));
const LATE: Duration = Duration::from_millis(15);

/// Carries everything to the bot.
pub async fn pace(
    pacing: Pacing,
    from: &mut (impl AsyncReadExt + Unpin),
    mut to: OwnedWriteHalf,
) -> std::io::Result<()> {
    let mut buffer = vec![0; 16 * 1024];
    for packet in 0.. {
        let mut count = from.read(&mut buffer).await?;
        if count == 0 {
            break;
        }
        match pacing {
            Pacing::Plain => to.write_all(&buffer[..count]).await?,
            Pacing::Slow => {
                let (early, longer) = LATE_AT_FIRST;
                tokio::time::sleep(if packet < early { longer } else { LATE }).await;
                to.write_all(&buffer[..count]).await?;
            }
            Pacing::Merged => {
                let until = tokio::time::Instant::now() + MERGE;
                while count < buffer.len() {
                    let more = from.read(&mut buffer[count..]);
                    match tokio::time::timeout_at(until, more).await {
                        Ok(more) if more.as_ref().is_ok_and(|more| *more > 0) => count += more?,
                        _ => break,
                    }
                }
                to.write_all(&buffer[..count]).await?;
            }
            Pacing::Split => drip(&buffer[..count], &mut to).await?,
        }
    }
    to.shutdown().await
}

async fn drip(bytes: &[u8], to: &mut OwnedWriteHalf) -> std::io::Result<()> {
    let mut at = 0;
    while at < bytes.len() {
        let alone = at < DRIPS || bytes.len() - at <= DRIPS;
        // Pieces of changing length, so that every kind of place gets cut.
        let length = if alone { 1 } else { (3 + at % 61).min(bytes.len() - DRIPS - at) };
        to.write_all(&bytes[at..at + length]).await?;
        at += length;
        tokio::time::sleep(DRIP).await;
    }
    Ok(())
}
