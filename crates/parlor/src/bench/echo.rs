//! A bare line echo: what this machine and this runtime can do when nobody thinks.

use anyhow::Result;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::output;

/// `parlor bench echo-server`, the child of other benchmarks.
pub async fn serve() -> Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    output::line(&format!("ready {{\"echo\":\"{}\"}}", listener.local_addr()?))?;
    loop {
        let (mut socket, _) = listener.accept().await?;
        socket.set_nodelay(true)?;
        tokio::spawn(async move {
            let mut buffer = [0; 4096];
            while let Ok(count) = socket.read(&mut buffer).await {
                if count == 0 || socket.write_all(&buffer[..count]).await.is_err() {
                    return;
                }
            }
        });
    }
}
