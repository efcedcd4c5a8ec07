//! The operator's own way in: a socket that belongs to the data folder, speaks HTTP, and answers when
//! there is no room for another connection at any port. `descriptors` keeps some for it. A client that may
//! read the folder may use it, and shows a token there as everywhere.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use super::{HttpThreads, serve_stream};
use crate::gate::Gate;
use crate::house::clock;
use crate::system::{OperatorListener, PLACE};

/// The socket, until the server ends.
#[derive(Debug)]
pub struct OperatorSocket(OperatorListener);

impl OperatorSocket {
    /// None where there cannot be one, such as in a folder whose path is too long for a socket: the
    /// ports have to do there.
    pub fn bind(data: &Path) -> Option<OperatorSocket> {
        match OperatorListener::bind(data) {
            Ok(listener) => Some(OperatorSocket(listener)),
            Err(error) => {
                let path = data.join(PLACE);
                let path = path.display();
                tracing::warn!(%error, %path, "commands have no socket of their own");
                None
            }
        }
    }

    /// Serves all who come until the server stops.
    pub async fn serve(self, gate: Arc<Gate>, threads: HttpThreads, stop: CancellationToken) {
        loop {
            let accepted = tokio::select! {
                () = stop.cancelled() => return,
                accepted = self.0.accept() => accepted,
            };
            match accepted {
                Ok(socket) => serve(socket, &gate, &threads),
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

fn serve<S>(socket: S, gate: &Arc<Gate>, threads: &HttpThreads)
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let admission = Arc::new(gate.admit_operator());
    let (router, closing) = (threads.router.clone(), threads.closing.clone());
    threads.tasks.spawn(async move {
        tokio::select! {
            () = serve_stream(socket, admission, router) => {}
            () = closing.cancelled() => {}
        }
    });
}
