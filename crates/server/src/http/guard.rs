//! What every request passes: who asks, whether a foreign web page sent it, and the headers that
//! every answer carries.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hall::{Code, one_line};

use super::access::ticket_in;
use super::{Access, ApiError};
use crate::gate::{Admission, Peer};
use crate::house::{Act, AuditLog};

/// Where browsers may find this server, and what web pages may ask it.
#[derive(Debug)]
pub struct Guard {
    /// Names other than `localhost`; addresses need no name.
    public_hosts: Vec<String>,
    /// Whether pages from anywhere may connect, `null` included: a page that was opened from a file.
    any_origin: bool,
    /// Other sites whose pages may read what everybody may read.
    read_origins: Vec<String>,
    /// Tokens, and where acts are written down; a port that takes any origin has neither.
    office: Option<(Access, AuditLog)>,
}

impl Guard {
    pub fn new(
        public_hosts: &[String],
        read_origins: &[String],
        access: Access,
        audit: AuditLog,
    ) -> Arc<Guard> {
        let small = |texts: &[String]| texts.iter().map(|text| text.to_ascii_lowercase()).collect();
        let (public_hosts, read_origins) = (small(public_hosts), small(read_origins));
        let office = Some((access, audit));
        Arc::new(Guard { public_hosts, any_origin: false, read_origins, office })
    }

    /// For a port whose protocol is played from pages of any origin.
    pub fn of_any_origin() -> Arc<Guard> {
        Arc::new(Guard {
            public_hosts: Vec::new(),
            any_origin: true,
            read_origins: Vec::new(),
            office: None,
        })
    }

    /// Refuses what a web page of somebody else's must not do in its reader's name.
    fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), ApiError> {
        if self.any_origin || !is_private(method, uri, headers) {
            return Ok(());
        }
        let host = text(headers, &header::HOST);
        if let Some(host) = host.filter(|host| !self.is_own_host(host)) {
            return Err(ApiError::new(
                Code::WrongHost,
                format!("this server does not go by the name '{}'", name_of(host)),
            ));
        }
        let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
        let place = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
        let is_own = place.is_some_and(|(_, place)| {
            host.is_some_and(|host| host.eq_ignore_ascii_case(place)) || self.is_public(place)
        });
        if is_own { Ok(()) } else { Err(Code::ForeignOrigin.into()) }
    }

    /// No page can be served to a browser under an address but by this server, so only names can lie.
    fn is_own_host(&self, host: &str) -> bool {
        let name = name_of(host);
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        bare.parse::<IpAddr>().is_ok()
            || name.eq_ignore_ascii_case("localhost")
            || self.is_public(host)
    }

    /// The site whose page may read the answer to a request, if that is not this server's own.
    fn reader(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<HeaderValue> {
        if self.read_origins.is_empty() || is_private(method, uri, headers) {
            return None;
        }
        let origin = headers.get(header::ORIGIN)?;
        let name = origin.to_str().ok()?.to_ascii_lowercase();
        let may = |known: &String| *known == name || known == "*";
        self.read_origins.iter().any(may).then(|| origin.clone())
    }

    fn is_public(&self, host: &str) -> bool {
        let name = name_of(host).to_ascii_lowercase();
        self.public_hosts.contains(&name)
    }
}

/// Whether a request changes something, or asks for what not everybody may see or do.
fn is_private(method: &Method, uri: &Uri, headers: &HeaderMap) -> bool {
    let plays = ["/play/", "/house/"].iter().any(|place| uri.path().starts_with(place));
    let has_ticket = uri.query().is_some_and(|query| ticket_in(query).is_some());
    !reads(method) || plays || has_ticket || headers.contains_key(header::AUTHORIZATION)
}

fn reads(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// A host without its port.
fn name_of(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

/// What every answer says, unless it says otherwise itself: nothing in it is more than its kind, no
/// page but this server's own shows it, and nobody on its way keeps a copy.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::CACHE_CONTROL, "no-store"),
    (header::REFERRER_POLICY, "same-origin"),
    (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// The middleware.
pub async fn guard(State(guard): State<Arc<Guard>>, mut request: Request, next: Next) -> Response {
    let checked = guard.check(request.method(), request.uri(), request.headers());
    let reader = guard.reader(request.method(), request.uri(), request.headers());
    let mut response = match checked.and_then(|()| guard.introduce(&mut request)) {
        Ok(asked) => {
            let response = next.run(request).await;
            if let (Some(asked), Some((_, audit))) = (asked, &guard.office)
                && let Some(act) = asked.answered(&response)
            {
                // Written down before whoever did it hears of it.
                audit.note(act).await;
            }
            response
        }
        Err(refused) => refused.into_response(),
    };
    let headers = response.headers_mut();
    if !guard.read_origins.is_empty() {
        headers.append(header::VARY, HeaderValue::from_static("origin"));
    }
    if let Some(reader) = reader {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, reader);
        let anywhere = HeaderValue::from_static("cross-origin");
        headers.insert(HeaderName::from_static("cross-origin-resource-policy"), anywhere);
    }
    with_headers(response)
}

/// An answer with the headers that every answer has.
pub fn with_headers(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// A request that changes something, of somebody who may.
struct Asked {
    who: String,
    from: Peer,
    what: String,
    /// Whether it is written down even if it is refused: strangers do not fill the log.
    always: bool,
}

/// Whom an organiser's request concerned, and what became of it: handlers add it to their answers, for
/// the audit log alone.
#[derive(Clone, Debug)]
pub struct About(pub String);

/// Letters of it that are kept.
const LONGEST_ABOUT: usize = 400;

/// Calls that change nothing that organisers answer for, although they post.
const CHANGE_NOTHING: [&str; 3] = ["/api/v1/frames", "/api/v1/tickets", "/mcp"];

impl Guard {
    /// Tells the handlers who asks, and gives a proxy's client a place of its own.
    fn introduce(&self, request: &mut Request) -> Result<Option<Asked>, ApiError> {
        let Some(carrier) = request.extensions().get::<Arc<Admission>>().cloned() else {
            return Err(Code::Internal.into());
        };
        let peer = carrier.who_asks(request.headers());
        if carrier.is_banned(peer) {
            return Err(Code::Banned.into());
        }
        if !carrier.is_for(peer) {
            let place = carrier.beside(peer).ok_or(Code::ServerFull)?;
            request.extensions_mut().insert(Arc::new(place));
        }
        let Some((access, _)) = &self.office else { return Ok(None) };
        let caller = access.identify(peer, request.headers(), request.uri().query());
        let (method, path) = (request.method(), request.uri().path());
        let holder = caller.holder().map(|holder| holder.name.to_string());
        let changes = !reads(method) && !CHANGE_NOTHING.contains(&path);
        let asked = (changes && (holder.is_some() || peer.is_here())).then(|| Asked {
            always: holder.is_some(),
            who: holder.unwrap_or_else(|| "(this machine)".to_owned()),
            from: peer,
            what: format!("{method} {}", path.chars().take(200).collect::<String>()),
        });
        request.extensions_mut().insert(caller);
        Ok(asked)
    }
}

impl Asked {
    /// What is written down of it. None: nothing was done.
    fn answered(self, response: &Response) -> Option<Act> {
        let Asked { who, from, what, always } = self;
        let status = response.status();
        if !always && !status.is_success() {
            return None;
        }
        let outcome = match response.extensions().get::<Code>() {
            Some(code) => format!("{} {code}", status.as_u16()),
            None => status.as_u16().to_string(),
        };
        let about = response.extensions().get::<About>();
        let about = about.map(|About(about)| one_line(about, LONGEST_ABOUT)).unwrap_or_default();
        Some(Act { who, from: from.to_string(), what, outcome, about, ..Act::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks(method: Method, path: &str, lines: &[(HeaderName, &str)]) -> Option<&'static str> {
        let guard = Guard {
            public_hosts: vec!["games.example.org".to_owned()],
            any_origin: false,
            read_origins: Vec::new(),
            office: None,
        };
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.insert(name, value.parse().unwrap());
        }
        guard
            .check(&method, &path.parse().unwrap(), &headers)
            .err()
            .map(|refused| refused.code().as_str())
    }

    #[test]
    fn an_unknown_host_name_is_refused() {
        let posts = |host| asks(Method::POST, "/api/v1/tables", &[(header::HOST, host)]);
        for own in ["127.0.0.1:7800", "localhost", "LOCALHOST:7800", "[::1]:7800", "192.168.0.7"] {
            assert_eq!(posts(own), None, "{own}");
        }
        assert_eq!(posts("games.EXAMPLE.org"), None);
        assert_eq!(posts("games.example.org:8443"), None);
        for foreign in ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:7800", ""]
        {
            assert_eq!(posts(foreign), Some("wrong-host"), "{foreign}");
        }
        // Programs that name no host are no browsers; what everybody may read is no secret.
        assert_eq!(asks(Method::POST, "/api/v1/tables", &[]), None);
        assert_eq!(asks(Method::GET, "/api/v1/tables", &[(header::HOST, "evil.example")]), None);
    }

    #[test]
    fn a_page_from_another_origin_can_neither_post_nor_play() {
        let here = (header::HOST, "127.0.0.1:7800");
        let from =
            |method, path, origin| asks(method, path, &[here.clone(), (header::ORIGIN, origin)]);
        for (method, path) in [
            (Method::POST, "/api/v1/tables"),
            (Method::GET, "/play/gamba"),
            (Method::GET, "/house/gamba"),
        ] {
            let origin = |origin| from(method.clone(), path, origin);
            assert_eq!(origin("http://127.0.0.1:7800"), None);
            assert_eq!(origin("https://games.example.org"), None, "a proxy may change the host");
            for foreign in ["http://127.0.0.1:3000", "https://evil.example", "null", "file://"] {
                assert_eq!(origin(foreign), Some("foreign-origin"), "{path} {foreign}");
            }
        }
        assert_eq!(from(Method::GET, "/watch/gamba/cup", "https://evil.example"), None);
        let token = (header::AUTHORIZATION, "Bearer x");
        let origin = (header::ORIGIN, "https://evil.example");
        assert_eq!(
            asks(Method::GET, "/watch/gamba/cup", &[here, origin, token]),
            Some("foreign-origin")
        );
    }

    #[test]
    fn other_sites_read_what_everybody_may_read_if_they_are_named() {
        let reads =
            |known: &[&str], method: Method, path: &str, more: Option<(HeaderName, &str)>| {
                let guard = Guard {
                    public_hosts: Vec::new(),
                    any_origin: false,
                    read_origins: known.iter().map(|known| (*known).to_owned()).collect(),
                    office: None,
                };
                let mut headers = HeaderMap::new();
                headers.insert(header::ORIGIN, "https://Club.example".parse().unwrap());
                if let Some((name, value)) = more {
                    headers.insert(name, value.parse().unwrap());
                }
                guard.reader(&method, &path.parse().unwrap(), &headers).is_some()
            };
        let list = "/api/v1/tournaments";
        assert!(!reads(&[], Method::GET, list, None), "off unless it is asked for");
        assert!(reads(&["https://club.example"], Method::GET, list, None));
        assert!(reads(&["*"], Method::GET, list, None));
        assert!(!reads(&["http://club.example"], Method::GET, list, None), "another scheme");
        assert!(!reads(&["*"], Method::POST, list, None), "reading alone");
        let token = Some((header::AUTHORIZATION, "Bearer x"));
        assert!(!reads(&["*"], Method::GET, list, token), "nothing that a token opens");
    }

    #[test]
    fn a_protocol_that_pages_from_files_speak_takes_any_origin() {
        let mut headers = HeaderMap::new();
        headers.insert(header::ORIGIN, "null".parse().unwrap());
        headers.insert(header::HOST, "anything".parse().unwrap());
        assert!(
            Guard::of_any_origin().check(&Method::GET, &Uri::from_static("/"), &headers).is_ok()
        );
    }
}
