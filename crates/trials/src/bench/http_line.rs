//! One connection that asks over HTTP, one request after the other.

use anyhow::{Context, Result, bail};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

#[derive(Debug)]
pub struct HttpLine {
    socket: BufReader<TcpStream>,
    token: Option<String>,
    body: Vec<u8>,
}

impl HttpLine {
    pub async fn connect(address: &str, token: Option<String>) -> Result<HttpLine> {
        let socket = TcpStream::connect(address).await.with_context(|| address.to_owned())?;
        socket.set_nodelay(true)?;
        Ok(HttpLine { socket: BufReader::new(socket), token, body: Vec::new() })
    }

    /// The body of the answer to a request that must go well.
    pub async fn ask(&mut self, method: &str, path: &str, body: &str) -> Result<&[u8]> {
        let token = self.token.as_ref().map(|token| format!("Authorization: Bearer {token}\r\n"));
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n{}\r\n{body}",
            body.len(),
            token.unwrap_or_default(),
        );
        self.socket.get_mut().write_all(request.as_bytes()).await?;
        let mut status = String::new();
        self.socket.read_line(&mut status).await?;
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.socket.read_line(&mut line).await? == 0 {
                bail!("the server closed the HTTP connection");
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse()?;
            }
            if line == "\r\n" {
                break;
            }
        }
        self.body.resize(length, 0);
        self.socket.read_exact(&mut self.body).await?;
        if !status.contains(" 20") {
            bail!("{method} {path}: {}", String::from_utf8_lossy(&self.body));
        }
        Ok(&self.body)
    }
}
