//! The operator's own way in: a socket in the data folder that speaks HTTP, and answers when there is
//! no room for another connection at any port. `descriptors` keeps some for it. Whoever may read the
//! folder may use it, and shows a token there as everywhere.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{UnixListener, UnixStream};
use tokio_util::sync::CancellationToken;

use super::{HttpThreads, serve_stream};
use crate::gate::Gate;
use crate::house::clock;

/// What the socket is called in the data folder.
pub const SOCKET: &str = "operator.sock";

/// The socket, until the server ends.
#[derive(Debug)]
pub struct OperatorSocket {
    listener: UnixListener,
    path: PathBuf,
}

impl OperatorSocket {
    /// None where there cannot be one, because the folder's path is too long for a socket: the
    /// ports have to do there.
    pub fn bind(data: &Path) -> Option<OperatorSocket> {
        let path = data.join(SOCKET);
        // The folder is this server's alone, so whoever left one there is gone.
        let bound = match std::fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => UnixListener::bind(&path),
        };
        match bound {
            Ok(listener) => Some(OperatorSocket { listener, path }),
            Err(error) => {
                let path = path.display();
                tracing::warn!(%error, %path, "commands have no socket of their own");
                None
            }
        }
    }

    /// Serves whoever comes until the server stops.
    pub async fn serve(self, gate: Arc<Gate>, threads: HttpThreads, stop: CancellationToken) {
        loop {
            let accepted = tokio::select! {
                () = stop.cancelled() => return,
                accepted = self.listener.accept() => accepted,
            };
            match accepted {
                Ok((socket, _)) => serve(socket, &gate, &threads),
                Err(error) => {
                    if let Some(times) = gate.complaints.hear(clock::now()) {
                        tracing::warn!(%error, times, "cannot answer the operator");
                    }
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
        }
    }
}

fn serve(socket: UnixStream, gate: &Arc<Gate>, threads: &HttpThreads) {
    let admission = Arc::new(gate.admit_operator());
    let (router, closing) = (threads.router.clone(), threads.closing.clone());
    threads.tasks.spawn(async move {
        tokio::select! {
            () = serve_stream(socket, admission, router) => {}
            () = closing.cancelled() => {}
        }
    });
}

impl Drop for OperatorSocket {
    fn drop(&mut self) {
        // A server that is killed leaves it behind, too; the next one removes it.
        _ = std::fs::remove_file(&self.path);
    }
}
