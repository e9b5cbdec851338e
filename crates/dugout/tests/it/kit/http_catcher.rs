//! An HTTP server of somebody else: writes down what it is asked, and answers what the test wants.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Caught {
    /// Method and path.
    pub line: String,
    pub authorization: String,
    /// The form, decoded.
    pub form: Vec<(String, String)>,
}

/// The server; it ends with the process.
pub struct HttpCatcher {
    pub url: String,
    caught: Arc<Mutex<Vec<Caught>>>,
    answer: Arc<Mutex<(u16, String)>>,
}

impl HttpCatcher {
    pub fn start(status: u16, body: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let catcher = HttpCatcher {
            url: format!("http://{}", listener.local_addr().unwrap()),
            caught: Arc::default(),
            answer: Arc::new(Mutex::new((status, body.to_owned()))),
        };
        let (caught, answer) = (catcher.caught.clone(), catcher.answer.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let request = read(&mut BufReader::new(&stream));
                caught.lock().unwrap().push(request);
                let (status, body) = answer.lock().unwrap().clone();
                let head =
                    format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
                let _ = stream.write_all(format!("{head}{body}").as_bytes());
            }
        });
        catcher
    }

    /// From now on it answers this.
    pub fn answers(&self, status: u16, body: &str) {
        *self.answer.lock().unwrap() = (status, body.to_owned());
    }

    /// What came since the last time.
    pub fn caught(&self) -> Vec<Caught> {
        std::mem::take(&mut self.caught.lock().unwrap())
    }
}

impl Caught {
    /// A field of the form; empty when it is missing.
    pub fn field(&self, name: &str) -> &str {
        self.form.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str()).unwrap_or_default()
    }
}

fn read(stream: &mut impl BufRead) -> Caught {
    let mut line = String::new();
    stream.read_line(&mut line).unwrap();
    let (mut length, mut authorization) = (0, String::new());
    loop {
        let mut header = String::new();
        stream.read_line(&mut header).unwrap();
        let Some((name, value)) = header.trim().split_once(':') else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().unwrap(),
            "authorization" => authorization = value.trim().to_owned(),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).unwrap();
    let form = url::form_urlencoded::parse(&body).into_owned().collect();
    let line = line.trim().trim_end_matches(" HTTP/1.1").to_owned();
    Caught { line, authorization, form }
}
