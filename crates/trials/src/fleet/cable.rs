//! A proxy between two ends of a TCP connection that can be cut, or stall for a while.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

/// How long to wait for a machine that may be off.
const CONNECTS: Duration = Duration::from_secs(3);

/// A way to somewhere. It is closed with its value.
#[derive(Debug)]
pub struct Cable {
    /// The address to connect to.
    pub address: SocketAddr,
    state: Arc<State>,
}

/// The two directions, as the connecting side sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    There,
    Back,
}

#[derive(Debug)]
struct State {
    inner: Mutex<Inner>,
    changed: Condvar,
}

#[derive(Debug)]
struct Inner {
    to: SocketAddr,
    /// Ways on which nothing is carried; what was sent waits.
    stalled: Vec<Way>,
    /// Nothing can get in.
    is_closed: bool,
    carried: Vec<TcpStream>,
    /// How many connections were made, and how many of them are forgotten.
    made: u64,
    forgotten: u64,
}

impl Cable {
    /// From an address with any port, or a certain one, to somewhere else.
    pub fn new(from: SocketAddr, to: SocketAddr) -> io::Result<Cable> {
        let inner = Inner {
            to,
            stalled: Vec::new(),
            is_closed: false,
            carried: Vec::new(),
            made: 0,
            forgotten: 0,
        };
        let state = Arc::new(State { inner: Mutex::new(inner), changed: Condvar::new() });
        let address = state.listen(from)?;
        Ok(Cable { address, state })
    }

    /// Takes connections at another address, too.
    pub fn also_at(&self, from: SocketAddr) -> io::Result<()> {
        self.state.listen(from).map(drop)
    }

    /// New connections lead somewhere else.
    pub fn lead_to(&self, to: SocketAddr) {
        self.state.lock().to = to;
    }

    /// Ends all connections, without a farewell.
    pub fn cut(&self) {
        for socket in self.state.lock().carried.drain(..) {
            // It may have closed already.
            let _ = socket.shutdown(Shutdown::Both);
        }
    }

    /// Stops carrying the existing connections without closing them. New ones can be made.
    pub fn forget(&self) {
        let mut inner = self.state.lock();
        inner.forgotten = inner.made;
        // Those who carry them end when the cable does.
    }

    /// Carries nothing on these ways until it [flows](Cable::flow) again.
    pub fn stall(&self, ways: &[Way]) {
        self.state.lock().stalled = ways.to_vec();
    }

    /// Carries everything again, what has waited first.
    pub fn flow(&self) {
        self.state.lock().stalled.clear();
        self.state.changed.notify_all();
    }
}

impl Drop for Cable {
    fn drop(&mut self) {
        {
            let mut inner = self.state.lock();
            (inner.is_closed, inner.forgotten) = (true, 0);
        }
        self.flow();
        self.cut();
        // Wakes the accepting thread, which then sees that the cable is closed. A second thread ends with
        // the program: its address may be gone already.
        let _ = TcpStream::connect_timeout(&self.address, CONNECTS);
    }
}

impl State {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().expect("no holder of this lock panics")
    }

    fn listen(self: &Arc<Self>, from: SocketAddr) -> io::Result<SocketAddr> {
        let listener = TcpListener::bind(from)?;
        let address = listener.local_addr()?;
        let state = self.clone();
        thread::spawn(move || state.accept(&listener));
        Ok(address)
    }

    fn accept(self: Arc<Self>, listener: &TcpListener) {
        while let Ok((near, _)) = listener.accept() {
            let (to, is_closed) = {
                let inner = self.lock();
                (inner.to, inner.is_closed)
            };
            if is_closed {
                return;
            }
            let state = self.clone();
            // On its own thread: a machine that is off keeps this one waiting.
            thread::spawn(move || {
                // No server there: drop the connection.
                let Ok(far) = TcpStream::connect_timeout(&to, CONNECTS) else { return };
                if state.carry(&near, &far).is_err() {
                    let _ = near.shutdown(Shutdown::Both);
                }
            });
        }
    }

    fn carry(self: &Arc<Self>, near: &TcpStream, far: &TcpStream) -> io::Result<()> {
        let number = {
            let mut inner = self.lock();
            inner.made += 1;
            inner.made
        };
        for (from, to, way) in [(near, far, Way::There), (far, near, Way::Back)] {
            to.set_nodelay(true)?;
            let (from, to, state) = (from.try_clone()?, to.try_clone()?, self.clone());
            let mut inner = self.lock();
            // Those that have ended are not kept.
            inner.carried.retain(|socket| socket.peer_addr().is_ok());
            inner.carried.push(from.try_clone()?);
            drop(inner);
            thread::spawn(move || state.copy(from, to, (way, number)));
        }
        Ok(())
    }

    fn copy(&self, mut from: TcpStream, mut to: TcpStream, (way, number): (Way, u64)) {
        let mut room = vec![0; 64 * 1024];
        loop {
            let count = from.read(&mut room).unwrap_or(0);
            let mut inner = self.lock();
            while inner.stalled.contains(&way) || number <= inner.forgotten {
                if inner.is_closed {
                    return;
                }
                inner = self.changed.wait(inner).expect("no holder of this lock panics");
            }
            drop(inner);
            if count == 0 || to.write_all(&room[..count]).is_err() {
                break;
            }
        }
        // Shutting down the other side ends its thread.
        let _ = to.shutdown(Shutdown::Both);
        let _ = from.shutdown(Shutdown::Both);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Somewhere that says everything back.
    fn echo() -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").expect("binds");
        let address = listener.local_addr().expect("bound");
        thread::spawn(move || {
            while let Ok((socket, _)) = listener.accept() {
                let mut back = socket.try_clone().expect("a socket");
                thread::spawn(move || io::copy(&mut &socket, &mut back));
            }
        });
        address
    }

    #[test]
    fn a_cable_carries_stalls_and_is_cut() {
        let any = "127.0.0.1:0".parse().expect("an address");
        let cable = Cable::new(any, echo()).expect("binds");
        let mut socket = TcpStream::connect(cable.address).expect("connects");
        let mut heard = [0; 2];
        socket.write_all(b"ab").expect("carried");
        socket.read_exact(&mut heard).expect("carried back");
        assert_eq!(&heard, b"ab");
        cable.stall(&[Way::Back]);
        socket.write_all(b"cd").expect("kept");
        socket.set_nonblocking(true).expect("a socket");
        assert!(socket.read(&mut heard).is_err(), "nothing comes back");
        socket.set_nonblocking(false).expect("a socket");
        cable.flow();
        socket.read_exact(&mut heard).expect("what has waited comes");
        assert_eq!(&heard, b"cd");
        cable.forget();
        socket.write_all(b"xy").expect("nobody says no");
        let mut other = TcpStream::connect(cable.address).expect("connects");
        other.write_all(b"gh").expect("carried");
        other.read_exact(&mut heard).expect("carried back");
        assert_eq!(&heard, b"gh");
        socket.set_nonblocking(true).expect("a socket");
        let silent = socket.read(&mut heard).expect_err("neither an answer nor an end");
        assert_eq!(silent.kind(), io::ErrorKind::WouldBlock);
        socket.set_nonblocking(false).expect("a socket");
        cable.cut();
        assert_eq!(socket.read(&mut heard).unwrap_or(0), 0);
        let again = TcpStream::connect(cable.address);
        again.expect("connects").write_all(b"ef").expect("another is carried");
    }

    #[test]
    fn a_cable_is_led_elsewhere() {
        let any = "127.0.0.1:0".parse().expect("an address");
        let silent = TcpListener::bind(any).expect("binds");
        let cable = Cable::new(any, silent.local_addr().expect("bound")).expect("binds");
        cable.lead_to(echo());
        let free = TcpListener::bind("127.0.0.2:0").expect("binds").local_addr().expect("bound");
        cable.also_at(free).expect("binds");
        for address in [cable.address, free] {
            let mut socket = TcpStream::connect(address).expect("connects");
            socket.write_all(b"ab").expect("carried");
            let mut heard = [0; 2];
            socket.read_exact(&mut heard).expect("carried back");
            assert_eq!(&heard, b"ab");
        }
    }
}
