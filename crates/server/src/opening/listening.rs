//! The ports of a server that is on its way up.

use std::collections::BTreeMap;
use std::io::Write;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::pin::Pin;
use std::sync::Arc;

use anyhow::{Context, Result};
use wire::{AnyDialect, Framing, HTTP_PORT};

use super::Opening;
use crate::gate::{Entrance, Sockets};
use crate::hosting::{HallMessage, HostedGame, HttpPort, Listening};
use crate::http::{self, HttpThreads, OperatorSocket, Service, secured};

impl Opening {
    pub fn listener(&self, hosted: Arc<HostedGame>, dialect: &AnyDialect) -> Listener {
        let banned = match dialect.framing {
            Framing::WebSocket { .. } => http::banned(),
            _ if dialect.banned.is_empty() => String::new(),
            _ => format!("{}\n", dialect.banned),
        };
        let entrance = Entrance { banned, ..self.entrance(dialect.name) };
        let AnyDialect { name, try_it, framing, yields_to_http, .. } = *dialect;
        let open = move |listener, threads: HttpThreads| -> Opened {
            let http = match framing {
                Framing::WebSocket { .. } => {
                    let router = http::play_anywhere(hosted.clone(), name);
                    HttpPort::Own(HttpThreads { router, ..threads })
                }
                _ if yields_to_http => HttpPort::Elsewhere(threads),
                _ => HttpPort::None,
            };
            let listening = Listening { listener, dialect: name, entrance, http };
            Box::pin(async move { hosted.handle.send(HallMessage::Listen(listening)).await })
        };
        Listener { name, try_it, open: Box::new(open) }
    }

    /// How connections come in at a port.
    fn entrance(&self, port: &str) -> Entrance {
        let introduced = &self.settings.network.proxy_protocol;
        Entrance {
            gate: self.gate.clone(),
            proxies_introduce: introduced.iter().any(|name| name == port),
            banned: String::new(),
            stop: self.stop.clone(),
        }
    }

    fn http_listener(&self) -> Listener {
        let entrance = Entrance { banned: http::banned(), ..self.entrance(HTTP_PORT.0) };
        let open = move |listener, threads: HttpThreads| -> Opened {
            let tasks = threads.tasks.clone();
            let serve = move |socket, admission| threads.serve(Vec::new(), socket, admission);
            tasks.spawn(entrance.accept(listener, serve));
            Box::pin(std::future::ready(()))
        };
        Listener {
            name: HTTP_PORT.0,
            try_it: "curl http://{host}:{port}/api/v1/tables",
            open: Box::new(open),
        }
    }

    pub async fn listen(
        &mut self,
        mut sockets: Sockets,
        router: axum::Router,
    ) -> Result<(BTreeMap<String, SocketAddr>, BTreeMap<String, String>)> {
        let mut listeners = std::mem::take(&mut self.listeners);
        listeners.push(self.http_listener());
        let mut bound = Vec::new();
        let mut addresses = BTreeMap::new();
        let mut hints = BTreeMap::new();
        for listener in listeners {
            let Some(socket) = sockets.plain.remove(listener.name) else { continue };
            let address = socket.local_addr()?;
            addresses.insert(listener.name.to_owned(), address);
            hints.insert(listener.name.to_owned(), hint(listener.try_it, address));
            bound.push((listener.open, socket.into_std()?));
        }
        if let (Some(data), Some(address)) = (&self.settings.data, addresses.get(HTTP_PORT.0)) {
            // For commands that find this server by its folder.
            let place = data.join("http-address");
            store::private::create(&place)
                .and_then(|mut file| file.write_all(address.to_string().as_bytes()))
                .with_context(|| format!("cannot write {}", place.display()))?;
        }
        let threads = HttpThreads {
            runtime: tokio::runtime::Handle::current(),
            tasks: self.owners.tasks.clone(),
            closing: self.closing.clone(),
            router,
        };
        if let Some(socket) = self.settings.data.as_deref().and_then(OperatorSocket::bind) {
            let serving = socket.serve(self.gate.clone(), threads.clone(), self.stop.clone());
            self.owners.tasks.spawn(serving);
        }
        // No client is served before all ports listen.
        for (open, socket) in bound {
            open(socket, threads.clone()).await;
        }
        if let Some(tls) = self.tls.clone() {
            for (name, socket) in sockets.tls {
                let port = format!("{name}-tls");
                let service = match self.hosted.values().find(|g| g.dialects().contains(&name)) {
                    Some(hosted) => Service::of(hosted, name),
                    None => Service::http(threads.router.clone()),
                };
                let address = socket.local_addr()?;
                hints.insert(port.clone(), hint(service.try_it(name == HTTP_PORT.0), address));
                let entrance = self.entrance(&port);
                secured::open(tls.clone(), service, socket.into_std()?, entrance, &threads);
                addresses.insert(port, address);
            }
            self.owners.tasks.spawn(tls.renew(self.closing.clone()));
        }
        Ok((addresses, hints))
    }
}

/// Until a port is open.
type Opened = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A protocol that wants a port.
pub(crate) struct Listener {
    name: &'static str,
    try_it: &'static str,
    /// Starts accepting.
    open: Box<dyn FnOnce(TcpListener, HttpThreads) -> Opened + Send>,
}

/// A line to try, with its place filled in.
fn hint(try_it: &str, address: SocketAddr) -> String {
    // "Any address" isn't an address to connect to.
    let host = match address.ip() {
        ip if !ip.is_unspecified() => ip.to_string(),
        ip if ip.is_ipv4() => Ipv4Addr::LOCALHOST.to_string(),
        _ => Ipv6Addr::LOCALHOST.to_string(),
    };
    try_it.replace("{host}", &host).replace("{port}", &address.port().to_string())
}
