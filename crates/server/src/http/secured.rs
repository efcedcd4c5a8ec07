//! Ports of their own on which the same is spoken over TLS. Hands are shaken on the threads of HTTP,
//! so that nobody who plays waits for that; then a game's connection goes to its hall's thread.

use std::net::TcpListener;
use std::sync::Arc;

use axum::http::{HeaderValue, header};
use axum::middleware::map_response;
use axum::response::Response;
use axum::{Extension, Router};
use tokio::net::TcpStream;

use super::{HttpThreads, play_anywhere, serve_stream};
use crate::gate::{Admission, Entrance};
use crate::hosting::{HostedGame, Vehicle};
use crate::transport::{Tls, TlsStream};

/// Marks a request that came over TLS.
#[derive(Clone, Copy, Debug)]
pub struct Secured;

/// What is spoken there.
#[derive(Clone)]
pub enum Service {
    Http(Router),
    /// A game's protocol of lines.
    Lines(Arc<HostedGame>, &'static str),
}

impl Service {
    /// A game's own protocol.
    pub fn of(hosted: &Arc<HostedGame>, dialect: &'static str) -> Service {
        if hosted.is_websocket(dialect) {
            return Service::http(play_anywhere(hosted.clone(), dialect));
        }
        Service::Lines(hosted.clone(), dialect)
    }

    /// HTTP, with word to browsers that they shall always come over TLS.
    pub fn http(router: Router) -> Service {
        let router = router.layer(Extension(Secured));
        Service::Http(router.layer(map_response(async |mut response: Response| {
            let always = HeaderValue::from_static("max-age=31536000");
            response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, always);
            response
        })))
    }

    /// How to try it out.
    pub fn try_it(&self, is_page: bool) -> &'static str {
        match self {
            Service::Http(_) if is_page => "curl https://{host}:{port}/api/v1/tables",
            Service::Http(_) => "wss://{host}:{port}",
            Service::Lines(..) => "openssl s_client -quiet -connect {host}:{port}",
        }
    }

    async fn serve(self, stream: TlsStream, admission: Arc<Admission>) {
        match self {
            Service::Http(router) => serve_stream(stream, admission, router).await,
            Service::Lines(hosted, dialect) => {
                hosted.play(Some(dialect), None, Vehicle::Secured(stream), admission).await;
            }
        }
    }
}

/// Accepts connections there until the server stops.
pub fn open(
    tls: Tls,
    service: Service,
    listener: TcpListener,
    entrance: Entrance,
    threads: &HttpThreads,
) {
    let HttpThreads { tasks, closing, .. } = threads.clone();
    let accepted = move |socket: TcpStream, admission: Arc<Admission>| {
        let (tls, service, closing) = (tls.clone(), service.clone(), closing.clone());
        let serving = async move {
            match tls.accept(socket, admission.clone()).await {
                Ok(stream) => service.serve(stream, admission).await,
                Err(error) => tracing::debug!(%error, peer = %admission.peer(), "no TLS"),
            }
        };
        tasks.spawn(async move {
            tokio::select! {
                () = serving => {}
                () = closing.cancelled() => {}
            }
        });
    };
    threads.tasks.spawn(entrance.accept(listener, accepted));
}
