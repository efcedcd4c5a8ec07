//! What it costs to ask for the history of one's table.

use hall::Page;

/// Each hundred records that the server plays again cost one message.
pub const RECORDS_PER_MESSAGE: u64 = 100;

/// How many messages a page costs, as far as it tells itself: everybody at the table may have moved in
/// each turn up to its end.
pub fn worth(page: &Page) -> u64 {
    let records = page.updates.last().map_or(0, |last| last.seq * last.names.len().max(1) as u64);
    records / RECORDS_PER_MESSAGE
}
