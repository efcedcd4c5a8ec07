//! Only Linux has jails, so elsewhere nothing has a door.

use std::net::TcpListener;
use std::process::Stdio;

use anyhow::{Result, bail};

use super::Limit;

/// There is none.
#[derive(Debug)]
pub enum JailSocket {}

impl JailSocket {
    pub fn pair() -> Result<(JailSocket, Stdio)> {
        bail!("isolation needs Linux namespaces, which this system does not have")
    }

    pub fn receive_listener(&self) -> Result<Option<TcpListener>> {
        match *self {}
    }

    pub fn reports(&self) -> Vec<Limit> {
        match *self {}
    }
}
