//! A network cable that a test can pull: a proxy in front of any server.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio_postgres::config::Host;

use super::Database;

const OPEN: u8 = 0;
const SILENT: u8 = 1;
const CUT: u8 = 2;

/// The proxy. It ends with the process.
pub struct Cable {
    pub address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: AtomicU8,
    ends: Mutex<Vec<TcpStream>>,
}

/// The server at the other end.
#[derive(Clone)]
enum Server {
    Tcp(SocketAddr),
    Unix(PathBuf),
}

impl Cable {
    /// A cable to a server on TCP.
    pub fn to(server: SocketAddr) -> Self {
        Self::of(Server::Tcp(server))
    }

    /// A cable to the test cluster, and the URL of a database through it.
    pub fn to_database(database: &Database) -> (Self, String) {
        let target = database.target().driver_config();
        let [Host::Unix(folder)] = target.get_hosts() else { panic!("the test cluster has a socket") };
        let port = target.get_ports().first().copied().unwrap_or(5432);
        let cable = Self::of(Server::Unix(folder.join(format!(".s.PGSQL.{port}"))));
        let (user, name) = (target.get_user().unwrap(), target.get_dbname().unwrap());
        let url = format!("postgresql://{user}@{}/{name}?sslmode=disable", cable.address);
        (cable, url)
    }

    fn of(server: Server) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let cable = Cable { address: listener.local_addr().unwrap(), shared: Arc::default() };
        let shared = Arc::clone(&cable.shared);
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if shared.state.load(Ordering::SeqCst) != CUT {
                    shared.connect(client, &server);
                }
            }
        });
        cable
    }

    /// Closes all connections, and refuses new ones.
    pub fn cut(&self) {
        self.shared.state.store(CUT, Ordering::SeqCst);
        for end in self.shared.ends.lock().unwrap().drain(..) {
            let _ = end.shutdown(Shutdown::Both);
        }
    }

    /// Holds back all bytes, without closing connections.
    pub fn silence(&self) {
        self.shared.state.store(SILENT, Ordering::SeqCst);
    }

    /// Lets bytes pass again, including those that were held back.
    pub fn mend(&self) {
        self.shared.state.store(OPEN, Ordering::SeqCst);
    }
}

impl Shared {
    fn connect(self: &Arc<Self>, client: TcpStream, server: &Server) {
        self.ends.lock().unwrap().push(client.try_clone().unwrap());
        let back = client.try_clone().unwrap();
        match server {
            Server::Tcp(address) => {
                let Ok(server) = TcpStream::connect(address) else { return };
                let (there, end) = (server.try_clone().unwrap(), server.try_clone().unwrap());
                self.pass(client, there, move || drop(end.shutdown(Shutdown::Both)));
                self.pass(server, back.try_clone().unwrap(), move || drop(back.shutdown(Shutdown::Both)));
            }
            Server::Unix(path) => {
                let Ok(server) = UnixStream::connect(path) else { return };
                let (there, end) = (server.try_clone().unwrap(), server.try_clone().unwrap());
                self.pass(client, there, move || drop(end.shutdown(Shutdown::Both)));
                self.pass(server, back.try_clone().unwrap(), move || drop(back.shutdown(Shutdown::Both)));
            }
        }
    }

    /// Copies bytes from one side to the other until it ends, and then closes the other side.
    fn pass(
        self: &Arc<Self>,
        mut from: impl Read + Send + 'static,
        mut to: impl Write + Send + 'static,
        end: impl FnOnce() + Send + 'static,
    ) {
        let shared = Arc::clone(self);
        std::thread::spawn(move || {
            let mut buffer = [0; 16 * 1024];
            while let Ok(read @ 1..) = from.read(&mut buffer) {
                while shared.state.load(Ordering::SeqCst) == SILENT {
                    std::thread::sleep(Duration::from_millis(5));
                }
                if to.write_all(&buffer[..read]).is_err() {
                    break;
                }
            }
            end();
        });
    }
}
