//! HTTP over the socket in a data folder, on which its server answers even when its ports are
//! overloaded.

use std::fmt;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use server::{OperatorLink, connect_operator};
use ureq::config::Config;
use ureq::unversioned::resolver::DefaultResolver;
use ureq::unversioned::transport::{
    Buffers, ConnectionDetails, Connector, LazyBuffers, NextTimeout, Transport,
};
use ureq::{Agent, Error};

/// A client of the server that has this folder, if one answers there.
pub fn agent(data: &Path) -> Option<Agent> {
    connect_operator(data).ok()?;
    let resolver = DefaultResolver::default();
    Some(Agent::with_parts(Config::default(), SocketConnector(data.to_owned()), resolver))
}

/// Connects to the server of a data folder, whatever the address says.
#[derive(Debug)]
struct SocketConnector(PathBuf);

impl Connector for SocketConnector {
    type Out = SocketTransport;

    fn connect(
        &self,
        details: &ConnectionDetails<'_>,
        _: Option<()>,
    ) -> Result<Option<SocketTransport>, Error> {
        let socket = connect_operator(&self.0)?;
        let config = details.config;
        let buffers = LazyBuffers::new(config.input_buffer_size(), config.output_buffer_size());
        Ok(Some(SocketTransport { socket, buffers }))
    }
}

struct SocketTransport {
    socket: OperatorLink,
    buffers: LazyBuffers,
}

impl Transport for SocketTransport {
    fn buffers(&mut self) -> &mut dyn Buffers {
        &mut self.buffers
    }

    fn transmit_output(&mut self, amount: usize, timeout: NextTimeout) -> Result<(), Error> {
        self.socket.set_write_timeout(timeout.not_zero().map(|left| *left))?;
        Ok(self.socket.write_all(&self.buffers.output()[..amount])?)
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        self.socket.set_read_timeout(timeout.not_zero().map(|left| *left))?;
        let count = self.socket.read(self.buffers.input_append_buf())?;
        self.buffers.input_appended(count);
        Ok(count > 0)
    }

    /// A connection is not used twice: the server may have ended since.
    fn is_open(&mut self) -> bool {
        false
    }
}

impl fmt::Debug for SocketTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.socket.fmt(f)
    }
}
