//! `--browser`: a page instead of text.

use std::env;
use std::process::{Command, Stdio};

use anyhow::Result;

use super::interrupt::interrupt;
use super::output;

/// Prints the address of a page, and opens it where there is a screen. A machine without one, or
/// without a browser, has the address.
pub fn open(address: &str) -> Result<()> {
    output::line(address)?;
    let opener = match env::consts::OS {
        "macos" => Some("open"),
        "windows" => Some("explorer"),
        _ => ["DISPLAY", "WAYLAND_DISPLAY"]
            .iter()
            .any(|screen| env::var_os(screen).is_some_and(|name| !name.is_empty()))
            .then_some("xdg-open"),
    };
    if let Some(opener) = opener {
        let mut command = Command::new(opener);
        command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if let Err(error) = command.spawn() {
            output::error(&format!(
                "{opener} cannot be started ({error}). Open the address yourself."
            ));
        }
    }
    Ok(())
}

/// The same, for a page of this program's own server, until Ctrl-C.
pub async fn show(address: &str) -> Result<()> {
    open(address)?;
    keep().await
}

/// Shows people a page of this program's own server, until Ctrl-C.
pub async fn keep() -> Result<()> {
    let stopped = interrupt()?;
    output::error("Press Ctrl-C to stop.");
    stopped.await;
    Ok(())
}
