//! HTTP on a connection, on the threads that are for it.

use std::sync::Arc;

use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::net::TcpStream;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::gate::Admission;
use crate::transport::Patient;

/// The threads that serve HTTP, as listeners on any thread hand them their connections.
#[derive(Clone)]
pub struct HttpThreads {
    pub runtime: Handle,
    pub tasks: TaskTracker,
    /// Cancelled when connections must end.
    pub closing: CancellationToken,
    pub router: Router,
}

impl HttpThreads {
    /// Serves HTTP on a connection of which `first` was read already, from now until it ends.
    pub fn serve(&self, first: Vec<u8>, socket: TcpStream, admission: Arc<Admission>) {
        // A socket belongs to the threads on which it was accepted.
        let socket = match socket.into_std() {
            Ok(socket) => socket,
            Err(error) => return tracing::debug!(%error, "http connection"),
        };
        let (router, closing) = (self.router.clone(), self.closing.clone());
        let serving = async move {
            let socket = match TcpStream::from_std(socket) {
                Ok(socket) => socket,
                Err(error) => return tracing::debug!(%error, "http connection"),
            };
            tokio::select! {
                () = serve_stream(after(first, socket, admission.clone()), admission, router) => {}
                () = closing.cancelled() => {}
            }
        };
        self.tasks.spawn_on(serving, &self.runtime);
    }
}

/// A socket of which `first` was read already, from its beginning.
fn after(
    first: Vec<u8>,
    socket: TcpStream,
    admission: Arc<Admission>,
) -> impl AsyncRead + AsyncWrite + Unpin + Send {
    let (reader, writer) = socket.into_split();
    let reader = std::io::Cursor::new(first).chain(reader);
    Patient::new(tokio::io::join(reader, writer), admission)
}

/// Serves HTTP on a connection.
pub async fn serve_stream(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    admission: Arc<Admission>,
    router: Router,
) {
    let patience = admission.request_patience();
    // A layer for each connection would copy every route of the server, which is more than all
    // else that a connection costs.
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: Request<Incoming>| {
        // An upgraded connection outlives this function and keeps its share of the admission.
        request.extensions_mut().insert(admission.clone());
        router.call(request)
    });
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience)
        .max_buf_size(16 * 1024)
        .serve_connection(TokioIo::new(stream), service);
    if let Err(error) = serving.with_upgrades().await {
        tracing::debug!(%error, "http connection");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use axum::Extension;
    use axum::routing::get;
    use tokio::io::AsyncWriteExt;

    use super::*;
    use crate::gate::{Gate, Peer};
    use crate::house::{Metrics, Settings};

    /// What handlers hold, and how often it was copied.
    struct Held(Arc<AtomicUsize>);

    impl Clone for Held {
        fn clone(&self) -> Held {
            self.0.fetch_add(1, Ordering::Relaxed);
            Held(self.0.clone())
        }
    }

    #[tokio::test]
    async fn a_connection_copies_no_routes_but_the_one_it_asks_for() {
        let copies = Arc::new(AtomicUsize::new(0));
        let mut router = Router::new();
        for number in 0..100 {
            let held = Held(copies.clone());
            let answer = async move |Extension(_): Extension<Arc<Admission>>| drop(held);
            router = router.route(&format!("/{number}"), get(answer));
        }
        let gate = Gate::new(&Settings::default(), Metrics::new(), None);
        let admission = gate.admit(Peer::direct([192, 0, 2, 1].into())).expect("there is room");
        let (mut client, socket) = tokio::io::duplex(1024);
        copies.store(0, Ordering::Relaxed);
        let asks = async {
            let request = b"GET /7 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
            client.write_all(request).await.expect("it is read");
            let mut heard = String::new();
            client.read_to_string(&mut heard).await.expect("it is answered");
            heard
        };
        let serving = serve_stream(socket, Arc::new(admission), router);
        let (heard, ()) = tokio::join!(asks, serving);
        assert!(heard.starts_with("HTTP/1.1 200"), "{heard}");
        let copies = copies.load(Ordering::Relaxed);
        assert!(copies < 10, "{copies} copies of 100 routes");
    }
}
