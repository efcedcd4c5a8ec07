//! The operator's way in where there are no sockets in folders: a port on loopback, which all users of
//! the machine can reach. Its number and a token lie in the data folder, and a connection begins with
//! the token.

use std::io::{self, ErrorKind, Write};
use std::net::{Ipv4Addr, TcpStream as Link};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rules::hex;
use subtle::ConstantTimeEq;
use tokio::io::AsyncReadExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinSet;
use tokio::time::timeout;

/// What the file with the port and the token is called in the data folder.
pub const PLACE: &str = "operator-port";

/// A token has this many letters.
const TOKEN: usize = 32;
/// A client shows its token within this time.
const PATIENCE: Duration = Duration::from_secs(2);
/// This many connections may be about to show their token.
const WAITING: usize = 16;

/// A connection of a command to the server of a data folder.
pub type OperatorLink = Link;

/// Connects to the server that has this data folder.
pub fn connect(data: &Path) -> io::Result<OperatorLink> {
    let text = std::fs::read_to_string(data.join(PLACE))?;
    let (port, token) = text.trim().split_once(' ').ok_or(ErrorKind::InvalidData)?;
    let port: u16 = port.parse().map_err(|_| ErrorKind::InvalidData)?;
    let mut link = Link::connect((Ipv4Addr::LOCALHOST, port))?;
    link.set_nodelay(true)?;
    link.write_all(token.as_bytes())?;
    Ok(link)
}

/// Where commands connect.
#[derive(Debug)]
pub struct OperatorListener {
    /// Connections that have shown the token.
    admitted: Mutex<mpsc::Receiver<io::Result<TcpStream>>>,
    path: PathBuf,
    /// Ends when this is dropped.
    _listening: JoinSet<()>,
}

impl OperatorListener {
    pub fn bind(data: &Path) -> io::Result<OperatorListener> {
        let bound = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        bound.set_nonblocking(true)?;
        let (listener, token) = (TcpListener::from_std(bound)?, fresh_token()?);
        let path = data.join(PLACE);
        let port = listener.local_addr()?.port();
        writeln!(store::private::create(&path)?, "{port} {token}")?;
        let (admit, admitted) = mpsc::channel(WAITING);
        let mut listening = JoinSet::new();
        listening.spawn(listen(listener, token, admit));
        Ok(OperatorListener { admitted: Mutex::new(admitted), path, _listening: listening })
    }

    pub async fn accept(&self) -> io::Result<TcpStream> {
        let next = self.admitted.lock().await.recv().await;
        next.unwrap_or_else(|| Err(ErrorKind::BrokenPipe.into()))
    }
}

impl Drop for OperatorListener {
    fn drop(&mut self) {
        // A server that is killed leaves it behind, too; the next one writes over it.
        _ = std::fs::remove_file(&self.path);
    }
}

/// Lets in each connection that shows the token. One that is slow to do so keeps no other waiting.
async fn listen(listener: TcpListener, token: String, admit: mpsc::Sender<io::Result<TcpStream>>) {
    let mut arriving = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept(), if arriving.len() < WAITING => match accepted {
                Ok((socket, _)) => {
                    arriving.spawn(timeout(PATIENCE, admitted(socket, token.clone())));
                }
                Err(error) => _ = admit.send(Err(error)).await,
            },
            Some(arrived) = arriving.join_next() => {
                if let Ok(Ok(Ok(socket))) = arrived {
                    _ = admit.send(Ok(socket)).await;
                }
            }
        }
    }
}

async fn admitted(mut socket: TcpStream, token: String) -> io::Result<TcpStream> {
    let mut shown = [0; TOKEN];
    socket.read_exact(&mut shown).await?;
    if !bool::from(shown.ct_eq(token.as_bytes())) {
        return Err(ErrorKind::PermissionDenied.into());
    }
    socket.set_nodelay(true)?;
    Ok(socket)
}

fn fresh_token() -> io::Result<String> {
    let mut bytes = [0; TOKEN / 2];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(hex(&bytes))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use tokio::io::AsyncWriteExt;

    use super::*;

    #[tokio::test]
    async fn a_command_is_let_in_by_the_token_of_the_folder_and_refused_without_it() {
        let folder = tempfile::tempdir().unwrap();
        let listener = OperatorListener::bind(folder.path()).unwrap();
        let text = std::fs::read_to_string(folder.path().join(PLACE)).unwrap();
        let port: u16 = text.split(' ').next().unwrap().parse().unwrap();
        // It says nothing, and keeps nobody waiting.
        let silent = Link::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        let mut stranger = Link::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        stranger.write_all(&[b'0'; TOKEN]).unwrap();
        let mut command = connect(folder.path()).unwrap();
        let mut served = listener.accept().await.unwrap();
        served.write_all(b"x").await.unwrap();
        let mut letter = [0];
        command.read_exact(&mut letter).unwrap();
        assert_eq!(&letter, b"x");
        let refused = tokio::task::spawn_blocking(move || stranger.read(&mut [0]));
        assert!(!refused.await.unwrap().is_ok_and(|count| count > 0), "it is closed unheard");
        drop(silent);
        drop(listener);
        assert!(connect(folder.path()).is_err(), "nothing is left behind");
    }
}
