//! Local ports that carry a player's key must not be usable from web pages: a page can make its
//! browser connect to any port of the machine.

use tokio_tungstenite::tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tokio_tungstenite::tungstenite::http::{StatusCode, header};

/// The methods of HTTP that a browser can send first, with the space behind them.
const METHODS: [&[u8]; 9] = [
    b"GET ",
    b"HEAD ",
    b"POST ",
    b"PUT ",
    b"PATCH ",
    b"DELETE ",
    b"OPTIONS ",
    b"CONNECT ",
    b"TRACE ",
];

/// How a connection of lines or JSON values begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// Too short to tell.
    Unclear,
    Http,
    Plain,
}

pub fn beginning(bytes: &[u8]) -> Beginning {
    let begins = |method: &&[u8]| bytes.len().min(method.len());
    let fits = |method: &&[u8]| {
        let length = begins(method);
        bytes[..length].eq_ignore_ascii_case(&method[..length])
    };
    match METHODS.iter().find(|method| fits(method)) {
        Some(method) if bytes.len() >= method.len() => Beginning::Http,
        Some(_) => Beginning::Unclear,
        None => Beginning::Plain,
    }
}

/// Looks at the first bytes of a connection, however they are cut.
#[derive(Debug, Default)]
pub struct BrowserFilter {
    held: Vec<u8>,
    is_plain: bool,
}

/// A browser has connected.
#[derive(Debug)]
pub struct IsBrowser;

impl BrowserFilter {
    /// What may be passed on now. Bytes that could be the beginning of a request are held back.
    pub fn pass<'a>(&'a mut self, bytes: &'a [u8]) -> Result<&'a [u8], IsBrowser> {
        if self.is_plain {
            self.held.clear();
            return Ok(bytes);
        }
        self.held.extend_from_slice(bytes);
        match beginning(&self.held) {
            Beginning::Http => Err(IsBrowser),
            Beginning::Unclear => Ok(&[]),
            Beginning::Plain => {
                self.is_plain = true;
                Ok(&self.held)
            }
        }
    }
}

/// Refuses the handshake of a page: only browsers say where a request comes from.
#[expect(clippy::result_large_err, reason = "the type of the library's callback")]
pub fn no_pages(request: &Request, response: Response) -> Result<Response, ErrorResponse> {
    if !request.headers().contains_key(header::ORIGIN) {
        return Ok(response);
    }
    let why = "web pages cannot connect here: this port is for bots on this machine";
    let mut refusal = ErrorResponse::new(Some(why.to_owned()));
    *refusal.status_mut() = StatusCode::FORBIDDEN;
    Err(refusal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_known_by_their_first_word_however_they_are_cut() {
        for request in ["GET / HTTP/1.1", "POST /x HTTP/1.1", "options * HTTP/1.1"] {
            let mut keeper = BrowserFilter::default();
            let refused = request.bytes().any(|byte| match keeper.pass(&[byte]) {
                Ok(passed) => {
                    assert!(passed.is_empty(), "{request}");
                    false
                }
                Err(IsBrowser) => true,
            });
            assert!(refused, "{request}");
        }
        for line in ["JOIN t ann\n", "GAMES\n", "0|||name=ann\n", "\"ann\"", "P|1|1\n", "GETX\n"] {
            let mut keeper = BrowserFilter::default();
            let mut passed = Vec::new();
            for byte in line.bytes() {
                passed.extend_from_slice(keeper.pass(&[byte]).expect("no request"));
            }
            assert_eq!(passed, line.as_bytes());
        }
    }
}
