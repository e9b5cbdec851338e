//! A proxy between the server and PostgreSQL that counts a role's statements and round trips.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio_postgres::config::Host;

use super::Database;

/// A proxy in front of the test cluster.
pub struct Wiretap {
    pub database_url: String,
    counts: Arc<Counts>,
}

#[derive(Default)]
struct Counts {
    statements: AtomicUsize,
    round_trips: AtomicUsize,
}

impl Wiretap {
    /// Counts what `role` sends to `database`.
    pub fn on(database: &Database, role: &'static str) -> Self {
        let target = database.target().driver_config();
        let [Host::Unix(folder)] = target.get_hosts() else { panic!("the test cluster has a socket") };
        let port = target.get_ports().first().copied().unwrap_or(5432);
        let socket = folder.join(format!(".s.PGSQL.{port}"));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let counts = Arc::new(Counts::default());
        let counter = counts.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let (server, counter) = (UnixStream::connect(&socket).unwrap(), counter.clone());
                std::thread::spawn(move || relay(client, server, role, &counter));
            }
        });
        let name = target.get_dbname().unwrap();
        let user = target.get_user().unwrap();
        Wiretap { database_url: format!("postgresql://{user}@{address}/{name}?sslmode=disable"), counts }
    }

    /// The number of statements since the last call.
    pub fn statements(&self) -> usize {
        self.both().0
    }

    /// The numbers of statements and of round trips since the last call.
    pub fn both(&self) -> (usize, usize) {
        let take = |count: &AtomicUsize| count.swap(0, Ordering::SeqCst);
        (take(&self.counts.statements), take(&self.counts.round_trips))
    }
}

/// Relays both directions until either side closes.
fn relay(client: TcpStream, server: UnixStream, role: &str, counts: &Counts) {
    let (mut back_from, mut back_to) = (server.try_clone().unwrap(), client.try_clone().unwrap());
    std::thread::spawn(move || io::copy(&mut back_from, &mut back_to));
    let _ = forward(client, server, role, counts);
}

fn forward(mut client: TcpStream, mut server: UnixStream, role: &str, counts: &Counts) -> io::Result<()> {
    let startup = message(&mut client, 0)?;
    let counts_role = startup.windows(role.len()).any(|part| part == role.as_bytes());
    server.write_all(&startup)?;
    loop {
        let message = message(&mut client, 1)?;
        // Execute, and a simple query, which begins and ends transactions.
        if counts_role && matches!(message[0], b'E' | b'Q') {
            counts.statements.fetch_add(1, Ordering::SeqCst);
        }
        // Sync, Flush and a simple query make the server answer.
        if counts_role && matches!(message[0], b'S' | b'H' | b'Q') {
            counts.round_trips.fetch_add(1, Ordering::SeqCst);
        }
        server.write_all(&message)?;
    }
}

/// A protocol message whose length field follows after `prefix` bytes.
fn message(stream: &mut TcpStream, prefix: usize) -> io::Result<Vec<u8>> {
    let mut message = vec![0; prefix + 4];
    stream.read_exact(&mut message)?;
    let length = u32::from_be_bytes(message[prefix..].try_into().unwrap()) as usize;
    let mut body = vec![0; length - 4];
    stream.read_exact(&mut body)?;
    message.extend(body);
    Ok(message)
}
