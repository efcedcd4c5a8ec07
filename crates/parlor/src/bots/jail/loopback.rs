//! The network inside a jail: its own loopback interface and nothing else.

use anyhow::{Result, bail};
use rustix::net::netlink::SocketAddrNetlink;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, sendto, socket_with,
};

const RTM_NEWLINK: u16 = 16;
const NLM_F_REQUEST: u16 = 1;
const NLM_F_ACK: u16 = 4;
const NLMSG_ERROR: u16 = 2;
const IFF_UP: u32 = 1;
/// The loopback is the first device of every network.
const LOOPBACK: i32 = 1;
const LENGTH: usize = 32;

/// Switches the loopback on: one message to the kernel, which answers with a number that is zero if
/// all is well.
pub fn raise() -> Result<()> {
    // Protocol zero is the one about devices and routes.
    let kernel = socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, None)?;
    let mut request = Vec::with_capacity(LENGTH);
    // The header: length, kind, flags, number, sender.
    request.extend((LENGTH as u32).to_ne_bytes());
    request.extend(RTM_NEWLINK.to_ne_bytes());
    request.extend((NLM_F_REQUEST | NLM_F_ACK).to_ne_bytes());
    request.extend([0; 8]);
    // The device: family, padding, type, index, flags, which flags change.
    request.extend([0; 4]);
    request.extend(LOOPBACK.to_ne_bytes());
    request.extend(IFF_UP.to_ne_bytes());
    request.extend(IFF_UP.to_ne_bytes());
    sendto(&kernel, &request, SendFlags::empty(), &SocketAddrNetlink::new(0, 0))?;
    let mut answer = [0; 512];
    let (_, length) = recv(&kernel, &mut answer, RecvFlags::empty())?;
    let number = |at: usize| answer.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
    let kind = u16::from_ne_bytes([answer[4], answer[5]]);
    match (kind, number(16).map(i32::from_ne_bytes)) {
        (NLMSG_ERROR, Some(0)) if length >= 20 => Ok(()),
        (_, Some(error)) => bail!("the kernel refuses it with error {}", -error),
        _ => bail!("the kernel gives no answer"),
    }
}
