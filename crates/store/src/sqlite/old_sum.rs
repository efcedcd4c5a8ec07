//! The checksums of journals from before they were CRC-32, and their replacement.

use rusqlite::{Transaction, params};

use super::layout::{self, Kept};

const PRIME: u64 = 0x9e37_79b9_7f4a_7c15;

/// How earlier releases summed a text up. It stays as it was, to look at what they have written.
pub fn sum(text: &str) -> i64 {
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let mix = |hash: u64, word: &[u8; 8]| {
        (hash ^ u64::from_le_bytes(*word)).wrapping_mul(PRIME).rotate_left(29)
    };
    let hash = words.iter().chain([&last]).fold(text.len() as u64, mix);
    hash as i64
}

/// Puts a new checksum in the place of every old one; the inner error names one that is wrong.
pub fn replace(transaction: &Transaction<'_>) -> rusqlite::Result<Result<(), String>> {
    for part in [batches, counters, games] {
        if let Err(wrong) = part(transaction)? {
            return Ok(Err(wrong));
        }
    }
    Ok(Ok(()))
}

type Replaced = rusqlite::Result<Result<(), String>>;

fn batches(transaction: &Transaction<'_>) -> Replaced {
    let mut update = transaction.prepare("UPDATE journal SET sum = ?2 WHERE batch = ?1")?;
    let mut select = transaction.prepare("SELECT batch, body, sum FROM journal")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let (batch, body): (i64, String) = (row.get(0)?, row.get(1)?);
        if row.get::<_, i64>(2)? != sum(&body) ^ batch.wrapping_mul(PRIME as i64) {
            return Ok(Err(format!("batch {batch}: the checksum is wrong")));
        }
        update.execute(params![batch, layout::batch_sum(batch, &body)])?;
    }
    Ok(Ok(()))
}

fn counters(transaction: &Transaction<'_>) -> Replaced {
    let mut update = transaction.prepare("UPDATE counters SET sum = ?2 WHERE game = ?1")?;
    let mut select = transaction.prepare("SELECT game, next_table, sum FROM counters")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let (game, next): (String, u64) = (row.get(0)?, row.get(1)?);
        if row.get::<_, i64>(2)? != sum(&format!("{game} {next}")) {
            return Ok(Err(format!("the table counter of '{game}' has a wrong checksum")));
        }
        update.execute(params![game, layout::counter_sum(&game, next)])?;
    }
    Ok(Ok(()))
}

/// A finished game that is damaged does not keep the others from being read: its checksums stay
/// wrong, and it is found out when it is asked for.
fn games(transaction: &Transaction<'_>) -> Replaced {
    let update = "UPDATE games SET summary_sum = ?2, records_sum = ?3 WHERE place = ?1";
    let mut update = transaction.prepare(update)?;
    let mut select = transaction.prepare(
        "SELECT place, game, id, finished, rules_version, opened_at, closed_at, names, closing, rated,
                summary_sum, records, records_sum FROM games",
    )?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let (game, id): (String, String) = (row.get(1)?, row.get(2)?);
        let (names, closing): (String, String) = (row.get(7)?, row.get(8)?);
        let kept = Kept {
            game: &game,
            id: &id,
            finished: row.get(3)?,
            rules_version: row.get(4)?,
            opened_at: row.get(5)?,
            closed_at: row.get(6)?,
            names: &names,
            closing: &closing,
            rated: row.get(9)?,
            versions: None,
            tournament: None,
        };
        let (place, records): (i64, String) = (row.get(0)?, row.get(11)?);
        let (summary_sum, records_sum): (i64, i64) = (row.get(10)?, row.get(12)?);
        let renewed = |right: bool, new: i64| if right { new } else { !new };
        let summary = renewed(summary_sum == sum(&kept.text()), kept.sum());
        let records = renewed(records_sum == sum(&records), layout::sum(&records));
        update.execute(params![place, summary, records])?;
    }
    Ok(Ok(()))
}
