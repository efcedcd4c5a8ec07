//! A bare echo: the limit of this machine and this runtime without any game.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{ErrorKind, Write};
use std::rc::Rc;

use anyhow::Result;
use tokio::net::{TcpListener, TcpStream};

/// All connections, in order of arrival.
type Sockets = Rc<RefCell<HashMap<usize, Rc<TcpStream>>>>;

/// `parlor bench echo-server`, the child of other benchmarks. Consecutive connections form a table:
/// what one sends, all of its table receive. A table of one is an echo.
pub async fn serve(seats: usize) -> Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "ready {{\"echo\":\"{}\"}}", listener.local_addr()?)?;
    out.flush()?;
    drop(out);
    let sockets = Sockets::default();
    for number in 0.. {
        let (socket, _) = listener.accept().await?;
        socket.set_nodelay(true)?;
        sockets.borrow_mut().insert(number, Rc::new(socket));
        tokio::task::spawn_local(repeat(sockets.clone(), number, seats));
    }
    Ok(())
}

async fn repeat(sockets: Sockets, number: usize, seats: usize) {
    let socket = sockets.borrow()[&number].clone();
    let first = number - number % seats;
    let mut buffer = [0; 4096];
    while socket.readable().await.is_ok() {
        match socket.try_read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => {
                for other in first..first + seats {
                    // A closed or full connection misses the message.
                    if let Some(socket) = sockets.borrow().get(&other) {
                        let _ = socket.try_write(&buffer[..count]);
                    }
                }
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(_) => break,
        }
    }
    sockets.borrow_mut().remove(&number);
}
