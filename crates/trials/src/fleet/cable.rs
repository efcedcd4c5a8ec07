//! What stands between two ends of a TCP connection, and can be cut, or carry nothing for a while.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;

/// A way to somewhere. It is closed with its value.
#[derive(Debug)]
pub struct Cable {
    /// Where one gets in.
    pub address: SocketAddr,
    state: Arc<State>,
}

/// The two directions, as whoever gets in sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    There,
    Back,
}

#[derive(Debug)]
struct State {
    to: SocketAddr,
    inner: Mutex<Inner>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Inner {
    /// Ways on which nothing is carried; what was sent waits.
    stalled: Vec<Way>,
    /// Nothing can get in.
    is_closed: bool,
    carried: Vec<TcpStream>,
}

impl Cable {
    /// From an address with any port, or a certain one, to somewhere else.
    pub fn new(from: SocketAddr, to: SocketAddr) -> io::Result<Cable> {
        let listener = TcpListener::bind(from)?;
        let address = listener.local_addr()?;
        let (inner, changed) = (Mutex::default(), Condvar::new());
        let state = Arc::new(State { to, inner, changed });
        let kept = state.clone();
        thread::spawn(move || kept.accept(&listener));
        Ok(Cable { address, state })
    }

    /// Ends all connections, without a farewell.
    pub fn cut(&self) {
        for socket in self.state.lock().carried.drain(..) {
            // It may have ended by itself.
            let _ = socket.shutdown(Shutdown::Both);
        }
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
        self.state.lock().is_closed = true;
        self.flow();
        self.cut();
        // Whoever waits for somebody to come finds that it is closed.
        let _ = TcpStream::connect(self.address);
    }
}

impl State {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().expect("no holder of this lock panics")
    }

    fn accept(self: Arc<Self>, listener: &TcpListener) {
        while let Ok((near, _)) = listener.accept() {
            if self.lock().is_closed {
                return;
            }
            // Nobody there: whoever came is sent away.
            let Ok(far) = TcpStream::connect(self.to) else { continue };
            if self.carry(&near, &far).is_err() {
                let _ = near.shutdown(Shutdown::Both);
            }
        }
    }

    fn carry(self: &Arc<Self>, near: &TcpStream, far: &TcpStream) -> io::Result<()> {
        for (from, to, way) in [(near, far, Way::There), (far, near, Way::Back)] {
            to.set_nodelay(true)?;
            let (from, to, state) = (from.try_clone()?, to.try_clone()?, self.clone());
            let mut inner = self.lock();
            // Those that have ended are not kept.
            inner.carried.retain(|socket| socket.peer_addr().is_ok());
            inner.carried.push(from.try_clone()?);
            drop(inner);
            thread::spawn(move || state.copy(from, to, way));
        }
        Ok(())
    }

    fn copy(&self, mut from: TcpStream, mut to: TcpStream, way: Way) {
        let mut room = vec![0; 64 * 1024];
        loop {
            let count = from.read(&mut room).unwrap_or(0);
            let mut inner = self.lock();
            while inner.stalled.contains(&way) {
                inner = self.changed.wait(inner).expect("no holder of this lock panics");
            }
            drop(inner);
            if count == 0 || to.write_all(&room[..count]).is_err() {
                break;
            }
        }
        // The other side is told, and its thread ends by that.
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
        cable.cut();
        assert_eq!(socket.read(&mut heard).unwrap_or(0), 0);
        let again = TcpStream::connect(cable.address);
        again.expect("connects").write_all(b"ef").expect("another is carried");
    }
}
