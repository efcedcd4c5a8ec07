//! Addresses of this machine, as pages and starters write them, become those of the server that is asked.

use std::collections::BTreeMap;
use std::net::IpAddr;

/// Where a server is found.
#[derive(Debug, Clone)]
pub struct Addresses {
    /// Its name or address, without a port.
    pub host: String,
    /// What follows `http://` or `https://`.
    pub authority: String,
    pub is_secure: bool,
    /// The ports that listen, by the port that is usual for the same protocol.
    pub ports: BTreeMap<u16, u16>,
}

/// How pages write this machine.
const HERE: [&str; 2] = ["127.0.0.1", "localhost"];

impl Addresses {
    /// The addresses behind the `Host` of a request; none if that cannot be a host.
    pub fn of(authority: &str, is_secure: bool, ports: BTreeMap<u16, u16>) -> Option<Addresses> {
        let host = match authority.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => {
                port.parse::<u16>().ok()?;
                host
            }
            _ => authority,
        };
        let authority = authority.to_owned();
        is_host(host).then(|| Addresses { host: host.to_owned(), authority, is_secure, ports })
    }

    /// A page with these addresses in place of this machine's usual ones. An address without a port, or
    /// with another, is left as it is: it means something else. The cost is linear.
    pub fn fill(&self, page: &str) -> String {
        let mut filled = String::with_capacity(page.len());
        let mut rest = page;
        while let Some((at, here)) = next(rest) {
            let (before, after) = (&rest[..at], &rest[at + here.len()..]);
            filled.push_str(before);
            rest = match self.replaced(before, after, &mut filled) {
                Some(behind) => behind,
                None => {
                    filled.push_str(here);
                    after
                }
            };
        }
        filled.push_str(rest);
        self.fill_ports(&filled)
    }

    /// The same for ports that are written alone: `port 8080`, also in bold or as code.
    fn fill_ports(&self, page: &str) -> String {
        let mut filled = String::with_capacity(page.len());
        let mut parts = page.split("port ");
        filled.push_str(parts.next().unwrap_or_default());
        for part in parts {
            filled.push_str("port ");
            let marks = ["<strong>", "**", "<code>", "`"];
            let mark = marks.into_iter().find(|mark| part.starts_with(mark)).unwrap_or_default();
            let number = &part[mark.len()..];
            let end = number.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(number.len());
            let port = number[..end].parse().ok().and_then(|usual| self.ports.get(&usual));
            match port {
                Some(port) => filled.push_str(&format!("{mark}{port}{}", &number[end..])),
                None => filled.push_str(part),
            }
        }
        filled
    }

    /// Writes the address that stands for this machine and the port after it; what follows that.
    fn replaced<'t>(&self, before: &str, after: &'t str, filled: &mut String) -> Option<&'t str> {
        if before.ends_with(|letter: char| letter.is_alphanumeric() || "-_.".contains(letter)) {
            return None;
        }
        let between = [":", " ", "&quot;, ", "\", "].into_iter().find(|b| after.starts_with(b))?;
        let number = &after[between.len()..];
        let end = number.find(|digit: char| !digit.is_ascii_digit()).unwrap_or(number.len());
        let usual = number[..end].parse::<u16>().ok()?;
        let port = self.ports.get(&usual)?;
        let is_page = usual == WEB;
        for (scheme, secure) in [("http://", "https://"), ("ws://", "wss://")] {
            if is_page && between == ":" && before.ends_with(scheme) {
                if self.is_secure {
                    filled.truncate(filled.len() - scheme.len());
                    filled.push_str(secure);
                }
                filled.push_str(&self.authority);
                return Some(&number[end..]);
            }
        }
        match is_page && between == ":" {
            true => filled.push_str(&self.authority),
            false => filled.push_str(&format!("{}{between}{port}", self.host)),
        }
        Some(&number[end..])
    }
}

/// The usual port of the pages.
pub const WEB: u16 = 7800;

fn next(text: &str) -> Option<(usize, &'static str)> {
    HERE.iter().filter_map(|here| Some((text.find(here)?, *here))).min()
}

/// Whether a text can be the name or address of a machine, and nothing else.
pub fn is_host(text: &str) -> bool {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    if let Some(address) = bare {
        return address.parse::<IpAddr>().is_ok_and(|address| address.is_ipv6());
    }
    let letters = |letter: char| letter.is_ascii_alphanumeric() || "-._".contains(letter);
    !text.is_empty() && text.len() <= 253 && text.chars().all(letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(authority: &str, is_secure: bool) -> Addresses {
        let ports = BTreeMap::from([(7800, 24000), (8080, 24001)]);
        Addresses::of(authority, is_secure, ports).expect("a host")
    }

    #[test]
    fn the_servers_own_addresses_take_the_place_of_the_usual_ones() {
        let lan = at("192.168.1.20:24000", false);
        for (written, filled) in [
            ("open http://127.0.0.1:7800/connect", "open http://192.168.1.20:24000/connect"),
            ("ws://localhost:7800/wire", "ws://192.168.1.20:24000/wire"),
            ("--url 127.0.0.1:7800", "--url 192.168.1.20:24000"),
            ("nc 127.0.0.1 8080", "nc 192.168.1.20 24001"),
            ("(&quot;127.0.0.1&quot;, 8080)", "(&quot;192.168.1.20&quot;, 24001)"),
            ("gamba on 127.0.0.1:8080.", "gamba on 192.168.1.20:24001."),
            (
                "TCP, port <strong>8080</strong>: and port 80",
                "TCP, port <strong>24001</strong>: and port 80",
            ),
        ] {
            assert_eq!(lan.fill(written), filled);
        }
        assert_eq!(
            at("games.example.org", true).fill("http://127.0.0.1:7800/"),
            "https://games.example.org/"
        );
    }

    #[test]
    fn what_means_another_machine_or_port_stays() {
        let lan = at("192.168.1.20:24000", false);
        for text in [
            "127.0.0.1",
            "127.0.0.1:80801",
            "127.0.0.1:5432",
            "--proxy 127.0.0.1",
            "x127.0.0.1:8080",
        ] {
            assert_eq!(lan.fill(text), text);
        }
    }

    #[test]
    fn only_a_host_is_taken_for_one() {
        for bad in ["", "a b", "x\"y", "<script>", "a/b", "a:b:c", "host:99999", "[zz]", "a\r\n"] {
            assert!(Addresses::of(bad, false, BTreeMap::new()).is_none(), "{bad}");
        }
        for good in ["a", "[::1]:7800", "[::1]", "10.0.0.1:1", "games.example.org"] {
            assert!(Addresses::of(good, false, BTreeMap::new()).is_some(), "{good}");
        }
    }
}
