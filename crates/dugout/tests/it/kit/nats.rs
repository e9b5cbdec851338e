//! A NATS server, and a raw client of it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{free_port, skip};
use crate::architecture::root;

/// A NATS server, which is killed when this is dropped.
pub struct Nats {
    port: u16,
    program: PathBuf,
    /// The ports of this server and of the other one for their cluster.
    cluster: Option<(u16, u16)>,
    child: Child,
}

impl Nats {
    /// Starts a server that requires a password. If the program is missing, records the test as skipped and returns `None`.
    pub fn start() -> Option<Self> {
        Self::of(program(), free_port(), None)
    }

    /// Two servers that pass messages on to each other.
    pub fn cluster() -> Option<[Self; 2]> {
        let (one, two) = (free_port(), free_port());
        let first = Self::of(program(), free_port(), Some((one, two)))?;
        Some([first, Self::of(program(), free_port(), Some((two, one)))?])
    }

    fn of(program: PathBuf, port: u16, cluster: Option<(u16, u16)>) -> Option<Self> {
        match launched(&program, port, cluster) {
            Ok(child) => Some(Nats { port, program, cluster, child }),
            Err(_) => {
                skip("nats-server is missing: scripts/install.sh fetches it where apt can");
                None
            }
        }
    }

    /// The URL with user and password.
    pub fn url(&self) -> String {
        format!("nats://dugout:nats-secret-4711@127.0.0.1:{}", self.port)
    }

    pub fn address(&self) -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], self.port))
    }

    /// Kills the server, as a power cut would.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts the server again on the same port.
    pub fn start_again(&mut self) {
        self.child = launched(&self.program, self.port, self.cluster).unwrap();
    }

    /// A client that subscribes to all subjects.
    pub fn observer(&self) -> Observer {
        let stream = TcpStream::connect(self.address()).unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut observer = Observer { stream };
        let mut info = String::new();
        reader.read_line(&mut info).unwrap();
        observer.say(
            b"CONNECT {\"user\":\"dugout\",\"pass\":\"nats-secret-4711\",\"verbose\":false}\r\nSUB > 1\r\nPING\r\n",
        );
        let mut line = String::new();
        while !line.starts_with("PONG") {
            line.clear();
            assert!(reader.read_line(&mut line).unwrap() > 0, "{info}");
        }
        observer
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn program() -> PathBuf {
    let own = root().join("node_modules/.nats/nats-server");
    if own.exists() { own } else { PathBuf::from("nats-server") }
}

fn launched(program: &PathBuf, port: u16, cluster: Option<(u16, u16)>) -> std::io::Result<Child> {
    let port_text = port.to_string();
    let args = ["--addr", "127.0.0.1", "--port", &port_text, "--user", "dugout", "--pass", "nats-secret-4711"];
    let mut command = Command::new(program);
    if let Some((own, other)) = cluster {
        let [own, other] = [own, other].map(|port| format!("nats://127.0.0.1:{port}"));
        command.args(["--cluster_name", "dugout", "--cluster", &own, "--routes", &other]);
    }
    let child = command.args(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let begun = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(begun.elapsed() < Duration::from_secs(20), "nats-server does not listen");
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(child)
}

/// A minimal client that writes the NATS protocol itself.
pub struct Observer {
    stream: TcpStream,
}

impl Observer {
    /// Publishes any bytes.
    pub fn publish(&mut self, subject: &str, payload: &[u8]) {
        self.say(format!("PUB {subject} {}\r\n", payload.len()).as_bytes());
        self.say(payload);
        self.say(b"\r\n");
    }

    /// The raw protocol text that arrives within `time`, with subjects and payloads.
    pub fn heard_within(&mut self, time: Duration) -> String {
        self.stream.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
        let (begun, mut heard, mut buffer) = (Instant::now(), Vec::new(), vec![0; 64 * 1024]);
        while begun.elapsed() < time {
            match self.stream.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => heard.extend_from_slice(&buffer[..read]),
                Err(_) => {}
            }
        }
        String::from_utf8_lossy(&heard).into_owned()
    }

    fn say(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).unwrap();
    }
}
