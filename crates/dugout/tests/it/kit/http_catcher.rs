//! A stand-in for an external HTTP server: records requests, and answers as the test wants.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;

/// A recorded request.
#[derive(Clone, Debug)]
pub struct Caught {
    /// Method and path.
    pub line: String,
    pub authorization: String,
    /// By lower-case name.
    pub headers: BTreeMap<String, String>,
    pub body: String,
    /// The decoded form.
    pub form: Vec<(String, String)>,
}

/// A response of the server.
#[derive(Clone, Debug)]
pub struct Saying {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
    after: Duration,
}

/// The server. It ends with the process.
pub struct HttpCatcher {
    pub url: String,
    caught: Arc<Mutex<Vec<Caught>>>,
    script: Arc<Mutex<Script>>,
}

struct Script {
    /// Responses that are used once each, before all others.
    next: VecDeque<Saying>,
    /// Responses by path prefix, the longest first.
    always: Vec<(String, Saying)>,
}

impl Saying {
    pub fn new(status: u16, body: &str) -> Self {
        Saying { status, headers: Vec::new(), body: body.to_owned(), after: Duration::ZERO }
    }

    /// A JSON response with the matching content type.
    pub fn json(status: u16, body: &Value) -> Self {
        Self::new(status, &body.to_string()).header("content-type", "application/json")
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn after(mut self, wait: Duration) -> Self {
        self.after = wait;
        self
    }
}

impl HttpCatcher {
    pub fn start(status: u16, body: &str) -> Self {
        Self::saying(Saying::new(status, body))
    }

    pub fn saying(saying: Saying) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let catcher = HttpCatcher {
            url: format!("http://{}", listener.local_addr().unwrap()),
            caught: Arc::default(),
            script: Arc::new(Mutex::new(Script { next: VecDeque::new(), always: vec![(String::new(), saying)] })),
        };
        let (caught, script) = (catcher.caught.clone(), catcher.script.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (caught, script) = (caught.clone(), script.clone());
                std::thread::spawn(move || answer(stream.unwrap(), &caught, &script));
            }
        });
        catcher
    }

    /// Sets the response to all requests from now on.
    pub fn answers(&self, status: u16, body: &str) {
        self.answers_at("", Saying::new(status, body));
    }

    /// Sets the response to requests whose path starts with `path`, from now on.
    pub fn answers_at(&self, path: &str, saying: Saying) {
        let always = &mut self.script.lock().unwrap().always;
        always.retain(|(known, _)| known != path);
        always.push((path.to_owned(), saying));
        always.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
    }

    /// Queues a response that is used once, before all others.
    pub fn answers_once(&self, saying: Saying) {
        self.script.lock().unwrap().next.push_back(saying);
    }

    /// The requests since the last call.
    pub fn caught(&self) -> Vec<Caught> {
        std::mem::take(&mut self.caught.lock().unwrap())
    }
}

impl Caught {
    /// A field of the form; empty if it is missing.
    pub fn field(&self, name: &str) -> &str {
        self.form.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    /// A header; empty if it is missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(String::as_str).unwrap_or_default()
    }

    /// The body, parsed as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

fn answer(mut stream: TcpStream, caught: &Mutex<Vec<Caught>>, script: &Mutex<Script>) {
    let Some(request) = read(&mut BufReader::new(&stream)) else { return };
    let saying = {
        let mut script = script.lock().unwrap();
        let path = request.line.split(' ').nth(1).unwrap_or_default().to_owned();
        script.next.pop_front().unwrap_or_else(|| {
            script.always.iter().find(|(beginning, _)| path.starts_with(beginning)).unwrap().1.clone()
        })
    };
    caught.lock().unwrap().push(request);
    std::thread::sleep(saying.after);
    let mut head =
        format!("HTTP/1.1 {} X\r\ncontent-length: {}\r\nconnection: close\r\n", saying.status, saying.body.len());
    for (name, value) in &saying.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    // The client may have closed the connection.
    let _ = stream.write_all(format!("{head}\r\n{}", saying.body).as_bytes());
}

fn read(stream: &mut impl BufRead) -> Option<Caught> {
    let mut line = String::new();
    stream.read_line(&mut line).ok().filter(|length| *length > 0)?;
    let mut headers = BTreeMap::new();
    loop {
        let mut header = String::new();
        stream.read_line(&mut header).ok()?;
        let Some((name, value)) = header.trim().split_once(':') else { break };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let length = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).ok()?;
    Some(Caught {
        line: line.trim().trim_end_matches(" HTTP/1.1").to_owned(),
        authorization: headers.get("authorization").cloned().unwrap_or_default(),
        headers,
        form: url::form_urlencoded::parse(&body).into_owned().collect(),
        body: String::from_utf8(body).unwrap(),
    })
}
