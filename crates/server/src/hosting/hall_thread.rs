//! The threads of games, and who waits for them.

use tokio::runtime::{Builder, LocalOptions};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::reading::leave_to_the_hall;

/// Runs a game on a thread of its own, with whoever waits for it.
pub fn on_thread<F>(game: &str, owners: Owners, host: F) -> std::io::Result<()>
where
    F: AsyncFnOnce(&TaskTracker) + Send + 'static,
{
    let (starting, started) = std::sync::mpsc::sync_channel(1);
    let run = move || {
        leave_to_the_hall();
        let built = Builder::new_current_thread()
            .enable_all()
            .max_io_events_per_tick(SOCKETS_AT_ONCE)
            .max_blocking_threads(RECALLING)
            .build_local(LocalOptions::default());
        let runtime = match built {
            Ok(runtime) => runtime,
            // Whoever started this thread waits for this.
            Err(error) => {
                _ = starting.send(Err(error));
                return;
            }
        };
        _ = starting.send(Ok(()));
        let running = owners.tasks.token();
        runtime.block_on(async {
            tokio::select! {
                () = host(&owners.halls) => {}
                () = owners.abandoned.cancelled() => {}
            }
        });
        drop(runtime);
        drop(running);
    };
    std::thread::Builder::new().name(format!("hall-{game}")).spawn(run)?;
    started.recv().unwrap_or_else(|_| Err(std::io::Error::other("a hall's thread panicked")))
}

/// One look at the sockets sees all of them, or those beyond would be heard too late.
const SOCKETS_AT_ONCE: usize = 16 * 1024;

/// So many threads tell what has happened before, so that the hall's own need not. Whoever has asked
/// asks nothing more until it is answered.
const RECALLING: usize = 2;

/// Who waits for a hall's thread.
#[derive(Clone, Default)]
pub struct Owners {
    /// Wait for halls.
    pub halls: TaskTracker,
    /// Wait for everything else, connections and threads.
    pub tasks: TaskTracker,
    /// Cancelled when nobody waits any more.
    pub abandoned: CancellationToken,
}
