//! A network for the nodes of a fleet, in which a machine can lose power and return at another
//! address. Each node has its own network namespace, and a bridge connects them with this program.
//! Needs root and the `ip` command.

use std::fmt::Write;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result, bail};

/// How many trials can run at the same time on one computer.
const NETWORKS: u8 = 64;

#[derive(Debug)]
pub struct Network {
    /// The bridge's name. All other names begin with it.
    name: String,
    number: u8,
    /// Held while the file of names is written: several machines may start at the same time.
    names: Mutex<()>,
}

impl Network {
    /// Builds a network under a free name. The error says why this computer can't.
    pub fn build() -> Result<Network> {
        for number in 0..NETWORKS {
            let name = format!("parlor{number}");
            if Path::new("/sys/class/net").join(&name).exists() {
                continue;
            }
            ip(&["link", "add", &name, "type", "bridge"])?;
            let network = Network { name, number, names: Mutex::default() };
            let own = format!("{}/24", network.own());
            ip(&["address", "add", &own, "dev", &network.name])?;
            ip(&["link", "set", &network.name, "up"])?;
            return Ok(network);
        }
        bail!(
            "{NETWORKS} networks are there already: remove them with `ip link delete parlor0` and so on"
        )
    }

    /// This program's own address.
    pub fn own(&self) -> Ipv4Addr {
        self.at(254)
    }

    fn at(&self, host: u8) -> Ipv4Addr {
        // This range is reserved for network tests.
        Ipv4Addr::new(198, 18, self.number, host)
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        // If it stays, the next trial takes another number.
        let _ = ip(&["link", "delete", &self.name]);
    }
}

/// A machine for one node. The others reach it by name, at one of two addresses, its doors.
#[derive(Debug)]
pub struct Machine {
    network: Arc<Network>,
    number: u8,
    has_moved: AtomicBool,
    /// The file that all machines use as /etc/hosts.
    hosts: PathBuf,
}

impl Machine {
    /// A machine that is switched off.
    pub fn new(network: Arc<Network>, number: u8, hosts: &Path) -> Machine {
        Machine { network, number, has_moved: AtomicBool::new(false), hosts: hosts.to_owned() }
    }

    /// Where the node listens.
    pub fn own(&self) -> Ipv4Addr {
        self.network.at(10 + self.number)
    }

    /// The name that the others use.
    pub fn name(&self) -> String {
        format!("node{}.parlor", self.number)
    }

    /// The two addresses for the others. Only one of them exists at a time.
    pub fn doors(&self) -> [Ipv4Addr; 2] {
        [100, 150].map(|first| self.network.at(first + self.number))
    }

    fn door(&self) -> Ipv4Addr {
        self.doors()[usize::from(self.has_moved.load(Ordering::Relaxed))]
    }

    /// Switches to the other door. The machine must be off.
    pub fn change_address(&self) {
        self.has_moved.fetch_xor(true, Ordering::Relaxed);
    }

    /// Calls a function while both doors exist, so that it can listen there. The machine must be off.
    pub fn with_both_doors<T>(&self, what: impl FnOnce() -> Result<T>) -> Result<T> {
        for door in self.doors() {
            self.alias("add", door)?;
        }
        let done = what();
        for door in self.doors() {
            self.alias("delete", door)?;
        }
        done
    }

    /// Connects it to the others.
    pub fn switch_on(&self) -> Result<()> {
        let (space, cable) = (self.space(), self.cable());
        ip(&["netns", "add", &space])?;
        ip(&["link", "add", &cable, "type", "veth", "peer", "name", "eth0", "netns", &space])?;
        ip(&["link", "set", &cable, "master", &self.network.name, "up"])?;
        let own = format!("{}/24", self.own());
        ip(&["-n", &space, "address", "add", &own, "dev", "eth0"])?;
        ip(&["-n", &space, "link", "set", "eth0", "up"])?;
        ip(&["-n", &space, "link", "set", "lo", "up"])?;
        self.alias("add", self.door())?;
        self.publish()
    }

    /// Disconnects it. Its connections don't end: packets to and from it are lost.
    pub fn cut_off(&self) -> Result<()> {
        ip(&["link", "delete", &self.cable()])?;
        self.alias("delete", self.door())
    }

    /// Makes its kernel forget all connections. Its processes must have ended.
    pub fn forget(&self) -> Result<()> {
        ip(&["netns", "delete", &self.space()])
    }

    /// The words to put before a command so that it runs on this machine.
    pub fn on_it(&self) -> Vec<String> {
        let run = "mount --bind \"$0\" /etc/hosts && exec \"$@\"";
        let hosts = self.hosts.display().to_string();
        ["ip", "netns", "exec", &self.space(), "sh", "-c", run, &hosts].map(str::to_owned).into()
    }

    /// Puts its name and its present address into the file of names.
    fn publish(&self) -> Result<()> {
        let _names = self.network.names.lock().expect("no holder of this lock panics");
        let known = std::fs::read_to_string(&self.hosts).unwrap_or_default();
        let mut names = String::new();
        for line in known.lines().filter(|line| !line.ends_with(&self.name())) {
            writeln!(names, "{line}")?;
        }
        writeln!(names, "{} {}", self.door(), self.name())?;
        // Written in place, because the machines have mounted this very file.
        std::fs::write(&self.hosts, names).with_context(|| self.hosts.display().to_string())
    }

    fn alias(&self, what: &str, door: Ipv4Addr) -> Result<()> {
        ip(&["address", what, &format!("{door}/32"), "dev", &self.network.name])
    }

    fn space(&self) -> String {
        format!("{}-{}", self.network.name, self.number)
    }

    fn cable(&self) -> String {
        format!("{}v{}", self.network.name, self.number)
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // It may be off already.
        let _ = self.cut_off();
        let _ = self.forget();
    }
}

fn ip(arguments: &[&str]) -> Result<()> {
    let output = Command::new("ip").args(arguments).stdin(Stdio::null()).output().context("ip")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("ip {}: {}", arguments.join(" "), said.trim());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::{ErrorKind, Read, Write};
    use std::net::{TcpListener, TcpStream};
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_machine_that_loses_its_power_says_nothing_more() {
        let network = match Network::build() {
            Ok(network) => Arc::new(network),
            Err(why) => {
                let skipped = format!("\nskipped: machines can't lose their power here: {why:#}\n");
                std::io::stderr().write_all(skipped.as_bytes()).expect("stderr");
                return;
            }
        };
        let folder = tempfile::tempdir().expect("a folder");
        let hosts = folder.path().join("hosts");
        std::fs::write(&hosts, "127.0.0.1 localhost\n").expect("written");
        let machine = Machine::new(network.clone(), 1, &hosts);
        machine.switch_on().expect("it is on");
        let listener = TcpListener::bind((network.own(), 0)).expect("binds");
        let address = listener.local_addr().expect("bound");
        // It speaks as long as it lives, and looks its own name up.
        let says = format!(
            "exec 3<>/dev/tcp/{}/{}; getent hosts {} >&3; while sleep 0.01; do echo >&3; done",
            address.ip(),
            address.port(),
            machine.name()
        );
        let on_it = machine.on_it();
        let mut command = Command::new(&on_it[0]);
        let mut process =
            command.args(&on_it[1..]).args(["bash", "-c", &says]).spawn().expect("it runs");
        let (mut socket, _) = listener.accept().expect("it connects");
        let mut heard = [0; 11];
        socket.read_exact(&mut heard).expect("it speaks");
        assert_eq!(heard, *machine.doors()[0].to_string().as_bytes().first_chunk().expect("long"));
        machine.cut_off().expect("it is off");
        process.kill().expect("it is there");
        process.wait().expect("it ends");
        machine.forget().expect("nothing is left");
        socket.set_read_timeout(Some(Duration::from_millis(50))).expect("a socket");
        let end = loop {
            match socket.read(&mut heard) {
                Ok(0) => panic!("it has said farewell"),
                // It was on its way.
                Ok(_) => {}
                Err(error) => break error.kind(),
            }
        };
        assert!(matches!(end, ErrorKind::WouldBlock | ErrorKind::TimedOut), "{end:?}");
        socket.write_all(b"hello?").expect("nobody says no");
        machine.change_address();
        machine.switch_on().expect("it is on again");
        assert!(std::fs::read_to_string(&hosts).expect("read").contains(&format!(
            "{} {}",
            machine.doors()[1],
            machine.name()
        )));
        // A machine that has started again knows of no such connection.
        socket.set_read_timeout(Some(Duration::from_secs(60))).expect("a socket");
        let end = socket.read(&mut heard).expect_err("refused").kind();
        assert_eq!(end, ErrorKind::ConnectionReset);
        let again = TcpStream::connect_timeout(&(machine.own(), 9).into(), Duration::from_secs(3));
        assert!(again.is_err(), "nobody listens there");
    }
}
