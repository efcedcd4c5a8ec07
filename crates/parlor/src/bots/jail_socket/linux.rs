//! A door in Linux: a pair of sockets that carry descriptors.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::net::TcpListener;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::Stdio;

use anyhow::{Context, Result};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recv, recvmsg, send, sendmsg,
};

use super::Limit;

/// The organiser's side.
#[derive(Debug)]
pub struct JailSocket(UnixStream);

impl JailSocket {
    /// A door, and the jail's side of it, which is to be its standard input.
    pub fn pair() -> Result<(JailSocket, Stdio)> {
        let (ours, theirs) = UnixStream::pair().context("no socket to a bot")?;
        Ok((JailSocket(ours), OwnedFd::from(theirs).into()))
    }

    /// Waits for the listener. None: the jail has ended without handing one out.
    pub fn receive_listener(&self) -> Result<Option<TcpListener>> {
        receive_listener(&self.0)
    }

    /// What was reported since the last time, without waiting. The listener must be taken in before.
    pub fn reports(&self) -> Vec<Limit> {
        reports(&self.0)
    }
}

/// Hands a listener out through the jail's side.
pub fn send_listener(socket: impl AsFd, listener: &TcpListener) -> Result<()> {
    let listeners = [listener.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    ancillary.push(SendAncillaryMessage::ScmRights(&listeners));
    sendmsg(socket, &[IoSlice::new(b"L")], &mut ancillary, SendFlags::empty())
        .context("cannot hand out the listener")?;
    Ok(())
}

fn receive_listener(socket: impl AsFd) -> Result<Option<TcpListener>> {
    let mut byte = [0];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let mut parts = [IoSliceMut::new(&mut byte)];
    recvmsg(socket, &mut parts, &mut ancillary, RecvFlags::CMSG_CLOEXEC)?;
    for message in ancillary.drain() {
        if let RecvAncillaryMessage::ScmRights(mut descriptors) = message {
            return Ok(descriptors.next().map(TcpListener::from));
        }
    }
    Ok(None)
}

impl Limit {
    const ALL: [Limit; 3] = [Limit::Memory, Limit::Processes, Limit::Files];

    fn letter(self) -> u8 {
        match self {
            Limit::Memory => b'm',
            Limit::Processes => b'p',
            Limit::Files => b'f',
        }
    }
}

/// Says that the bot has reached a limit.
pub fn report(socket: impl AsFd, limit: Limit) -> io::Result<()> {
    send(socket, &[limit.letter()], SendFlags::NOSIGNAL | SendFlags::DONTWAIT)?;
    Ok(())
}

fn reports(socket: impl AsFd) -> Vec<Limit> {
    let mut letters = [0; 64];
    // A socket that is closed or has nothing to say: either way there is nothing.
    let read = recv(&socket, &mut letters, RecvFlags::DONTWAIT).map_or(0, |(_, count)| count);
    let letters = &letters[..read.min(letters.len())];
    Limit::ALL.into_iter().filter(|limit| letters.contains(&limit.letter())).collect()
}

#[cfg(test)]
impl From<UnixStream> for JailSocket {
    fn from(socket: UnixStream) -> JailSocket {
        JailSocket(socket)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listener_is_handed_over() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        send_listener(&theirs, &listener).unwrap();
        let taken = receive_listener(&ours).unwrap().expect("it was handed out");
        assert_eq!(taken.local_addr().unwrap(), listener.local_addr().unwrap());
        assert_eq!(reports(&ours), []);
        report(&theirs, Limit::Files).unwrap();
        report(&theirs, Limit::Memory).unwrap();
        drop(theirs);
        assert_eq!(reports(&ours), [Limit::Memory, Limit::Files], "also after the end");
        assert!(receive_listener(&ours).unwrap().is_none());
    }
}
