//! The server that bots are brought to. While it does not answer it is waited for.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;

use crate::servers::{Address, NoSocket, Socket};

/// How long a bot's connection waits for a server that does not answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// The first pause before another attempt; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

pub struct Server {
    address: Address,
    key: Option<String>,
}

impl Server {
    /// `HOST:PORT`, or an address with a scheme.
    pub fn read(text: &str, key: Option<String>, ca: Option<&Path>) -> Result<Server> {
        Ok(Server { address: Address::read(text, ca)?, key })
    }

    pub fn has_key(&self) -> bool {
        self.key.is_some()
    }

    /// A WebSocket to this path. While no server answers there it tries again for a while.
    pub async fn connect(&self, path: &str) -> Result<Socket> {
        let until = tokio::time::Instant::now() + PATIENCE;
        let mut pause = FIRST_PAUSE;
        loop {
            match self.address.socket(path, self.key.as_deref()).await {
                Err(error) if is_final(&error) => return Err(error),
                Err(error) if tokio::time::Instant::now() + pause > until => return Err(error),
                Err(_) => {}
                connected => return connected,
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }
}

/// Whether another attempt would end the same way.
fn is_final(error: &anyhow::Error) -> bool {
    let is_wrong = |cause: &(dyn std::error::Error + 'static)| {
        // A certificate that is not trusted, or no TLS at all.
        let io: Option<&std::io::Error> = cause.downcast_ref();
        io.is_some_and(|error| error.kind() == std::io::ErrorKind::InvalidData)
    };
    error.is::<NoSocket>() || error.chain().any(is_wrong)
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.address.socket_url(""))
    }
}
