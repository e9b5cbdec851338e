//! A raw WebSocket to realtime.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::secrets;

/// How long a message may take on a machine that runs many tests.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long nothing may arrive where nothing should.
const SILENCE: Duration = Duration::from_millis(300);

/// A socket that speaks version 2.0.0 or 1.0.0.
pub struct Live {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    version: u8,
    refs: u32,
}

impl Live {
    /// A socket of version 2.0.0, opened with an API key or a token.
    pub async fn open(url: &str, key: &str) -> Self {
        Self::with(url, &format!("?apikey={key}&vsn=2.0.0"))
            .await
            .unwrap_or_else(|(status, body)| panic!("{status}: {body}"))
    }

    /// A socket of version 1.0.0.
    pub async fn open_v1(url: &str, key: &str) -> Self {
        let opened = Self::with(url, &format!("?apikey={key}&vsn=1.0.0")).await;
        Live { version: 1, ..opened.unwrap_or_else(|(status, body)| panic!("{status}: {body}")) }
    }

    /// A socket with any query, or the status and body of the refusal.
    pub async fn with(url: &str, query: &str) -> Result<Self, (u16, String)> {
        Self::at(url, "/realtime/v1/websocket", query).await
    }

    /// The same at any path.
    pub async fn at(url: &str, path: &str, query: &str) -> Result<Self, (u16, String)> {
        let url = format!("{}{path}{query}", url.replacen("http", "ws", 1));
        secrets::learn_from(&url, &url);
        match connect_async(&url).await {
            Ok((socket, _)) => Ok(Live { socket, version: 2, refs: 0 }),
            Err(tungstenite::Error::Http(answer)) => {
                let body = answer.body().as_deref().unwrap_or_default();
                Err((answer.status().as_u16(), String::from_utf8_lossy(body).into_owned()))
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// Sends a message; gives its reference.
    pub async fn send(&mut self, topic: &str, event: &str, payload: Value) -> String {
        self.refs += 1;
        let reference = self.refs.to_string();
        let frame = match self.version {
            1 => json!({ "topic": topic, "event": event, "payload": payload, "ref": reference }),
            _ => json!([topic, reference, topic, event, payload]),
        };
        self.send_raw(Message::text(frame.to_string())).await;
        reference
    }

    /// Sends any frame.
    pub async fn send_raw(&mut self, message: Message) {
        self.socket.send(message).await.unwrap();
    }

    /// Sends any frame, unless the connection has ended.
    pub async fn try_send(&mut self, message: Message) -> Result<(), tungstenite::Error> {
        self.socket.send(message).await
    }

    /// Joins a channel and returns the reply's payload.
    pub async fn join(&mut self, topic: &str, payload: Value) -> Value {
        let reference = self.send(topic, "phx_join", payload).await;
        self.reply(&reference).await
    }

    /// Joins a channel, which must succeed.
    pub async fn joined(&mut self, topic: &str, config: Value) -> Value {
        let reply = self.join(topic, json!({ "config": config })).await;
        assert_eq!(reply["status"], "ok", "{reply}");
        reply["response"].clone()
    }

    /// The payload of the reply to a message; other messages before it are skipped.
    pub async fn reply(&mut self, reference: &str) -> Value {
        loop {
            let message = self.message().await;
            if message.event == "phx_reply" && message.reference == reference {
                return message.payload;
            }
        }
    }

    /// The next message with this event; others before it are skipped.
    pub async fn event(&mut self, event: &str) -> Heard {
        loop {
            let message = self.message().await;
            if message.event == event {
                return message;
            }
        }
    }

    /// The next message with this event.
    ///
    /// # Panics
    /// If `time` passes before one arrives.
    pub async fn heard_event(&mut self, event: &str, time: Duration) -> Heard {
        let heard = timeout(time, self.event(event)).await;
        heard.unwrap_or_else(|_| panic!("no {event} within {time:?}"))
    }

    /// The next message.
    pub async fn message(&mut self) -> Heard {
        match self.frame().await {
            Message::Text(text) => Heard::of_text(&text),
            Message::Binary(bytes) => Heard::of_binary(&bytes),
            other => panic!("no message: {other:?}"),
        }
    }

    /// The next message, if one arrives in this time.
    pub async fn heard_within(&mut self, time: Duration) -> Option<Heard> {
        timeout(time, self.message()).await.ok()
    }

    /// The next frame.
    pub async fn frame(&mut self) -> Message {
        let next = timeout(PATIENCE, self.socket.next()).await.expect("a frame in time");
        next.expect("the socket is open").unwrap()
    }

    /// The code with which the server closes the socket; what comes before is skipped. 0 for an end without a code.
    pub async fn close_code(&mut self) -> u16 {
        loop {
            match timeout(PATIENCE, self.socket.next()).await.expect("an end in time") {
                Some(Ok(Message::Close(frame))) => return frame.map_or(0, |frame| frame.code.into()),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return 0,
            }
        }
    }

    /// Asserts that no message arrives: those that were under way when the heartbeat was answered would have.
    pub async fn is_silent(&mut self) {
        let reference = self.send("phoenix", "heartbeat", json!({})).await;
        let answer = self.message().await;
        assert_eq!((answer.event.as_str(), answer.reference.as_str()), ("phx_reply", reference.as_str()), "{answer:?}");
        let later = timeout(SILENCE, self.socket.next()).await;
        assert!(later.is_err(), "{later:?}");
    }
}

/// A message that a socket received.
#[derive(Debug)]
pub struct Heard {
    pub join_ref: Value,
    pub reference: String,
    pub topic: String,
    pub event: String,
    pub payload: Value,
    /// What follows the fields of a binary frame.
    pub bytes: Vec<u8>,
}

impl Heard {
    fn of_text(text: &str) -> Self {
        let value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let part = |index: usize, name: &str| if value.is_array() { value[index].clone() } else { value[name].clone() };
        let text = |value: Value| value.as_str().map(str::to_owned).unwrap_or_default();
        Heard {
            join_ref: part(0, "join_ref"),
            reference: text(part(1, "ref")),
            topic: text(part(2, "topic")),
            event: text(part(3, "event")),
            payload: part(4, "payload"),
            bytes: Vec::new(),
        }
    }

    /// Kind 4, shown as clients show it: the payload holds the event of the user, its meta, and its payload if that is JSON.
    fn of_binary(bytes: &[u8]) -> Self {
        let [4, topic, event, meta, encoding, rest @ ..] = bytes else { panic!("not of kind 4: {bytes:?}") };
        let (topic, rest) = rest.split_at(usize::from(*topic));
        let (event, rest) = rest.split_at(usize::from(*event));
        let (meta, payload) = rest.split_at(usize::from(*meta));
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let mut shown = json!({ "type": "broadcast", "event": text(event) });
        if *encoding == 1 {
            shown["payload"] = serde_json::from_slice(payload).unwrap();
        }
        if !meta.is_empty() {
            shown["meta"] = serde_json::from_slice(meta).unwrap();
        }
        Heard {
            join_ref: Value::Null,
            reference: String::new(),
            topic: text(topic),
            event: "broadcast".to_owned(),
            payload: shown,
            bytes: payload.to_vec(),
        }
    }
}
