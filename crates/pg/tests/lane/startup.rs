//! Start-up and authentication, with scripted servers.

use std::io;
use std::time::{Duration, Instant};

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use bytes::{BufMut, BytesMut};
use hmac::{Hmac, Mac};
use pg::{Error, Lane, LaneConfig, Target};
use sha2::{Digest, Sha256};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::database::{commit, reading, texts, work};

const OK: &[u8] = &[0, 0, 0, 0];

/// A server on a free port. `serve` gets each connection and its number, after its start-up message.
async fn server<F: Future<Output = io::Result<()>> + Send>(
    query: &str,
    serve: impl Fn(Talk, usize) -> F + Send + 'static,
) -> Lane {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        for number in 0.. {
            let mut talk = Talk(listener.accept().await.unwrap().0);
            if talk.greeted().await.is_ok() {
                let _ = serve(talk, number).await;
            }
        }
    });
    let target = Target::parse(&format!("postgres://ana:secret@127.0.0.1:{port}/app?{query}")).unwrap();
    let config = LaneConfig {
        acquire_timeout: Duration::from_millis(500),
        patience: Duration::from_millis(200),
        ..LaneConfig::default()
    };
    Lane::new(&target, &config).unwrap()
}

struct Talk(TcpStream);

impl Talk {
    /// Reads the start-up message, after declining encryption.
    async fn greeted(&mut self) -> io::Result<()> {
        loop {
            let len = self.0.read_u32().await?;
            let mut body = vec![0; len as usize - 4];
            self.0.read_exact(&mut body).await?;
            if body != 80_877_103_u32.to_be_bytes() {
                return Ok(());
            }
            self.0.write_u8(b'N').await?;
        }
    }

    async fn say(&mut self, tag: u8, body: &[u8]) -> io::Result<()> {
        let mut message = BytesMut::new();
        message.put_u8(tag);
        message.put_u32(4 + body.len() as u32);
        message.put_slice(body);
        self.0.write_all(&message).await
    }

    async fn hear(&mut self) -> io::Result<(u8, Vec<u8>)> {
        let tag = self.0.read_u8().await?;
        let mut body = vec![0; self.0.read_u32().await? as usize - 4];
        self.0.read_exact(&mut body).await?;
        Ok((tag, body))
    }

    async fn fail(&mut self, code: &str) -> io::Result<()> {
        self.say(b'E', format!("SFATAL\0VFATAL\0C{code}\0Mscripted\0\0").as_bytes()).await
    }

    /// Completes the login and answers the first batch with one row, preparing all statements anew.
    async fn welcome(mut self) -> io::Result<()> {
        self.say(b'R', OK).await?;
        self.say(b'S', b"server_version\x0017\0").await?;
        self.say(b'K', &[0; 8]).await?;
        self.say(b'Z', b"I").await?;
        while self.hear().await?.0 != b'S' {}
        for complete in [&b"BEGIN\0"[..], b"SELECT 1\0"] {
            self.say(b'1', b"").await?;
            self.say(b'n', b"").await?;
            self.say(b'2', b"").await?;
            if complete.starts_with(b"S") {
                self.say(b'D', b"\0\x01\0\0\0\x02hi").await?;
            }
            self.say(b'C', complete).await?;
        }
        self.say(b'Z', b"T").await?;
        self.hear().await?;
        self.say(b'C', b"COMMIT\0").await?;
        self.say(b'Z', b"I").await?;
        self.hear().await.map(|_| ())
    }
}

/// Runs a query; the error is the reason why connecting failed.
async fn outcome(lane: &Lane) -> Result<(), String> {
    match commit(lane, &work("select 'hi'")).await {
        Ok(rows) => {
            assert_eq!(texts(&rows), [["hi"]]);
            Ok(())
        }
        Err(Error::Unavailable(reason) | Error::Broken(reason)) => Err(reason),
        Err(other) => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn passwords_are_sent_in_clear_and_as_md5_on_request() {
    let clear = server("", async |mut talk, _| {
        talk.say(b'R', &[0, 0, 0, 3]).await?;
        if talk.hear().await? == (b'p', b"secret\0".to_vec()) { talk.welcome().await } else { talk.fail("28P01").await }
    });
    assert_eq!(outcome(&clear.await).await, Ok(()));
    let md5 = server("", async |mut talk, _| {
        talk.say(b'R', &[0, 0, 0, 5, 1, 2, 3, 4]).await?;
        // md5(md5(password, user), salt)
        let expected = b"md58f8b530763ed9afcdb2cb65189075c56\0".to_vec();
        if talk.hear().await? == (b'p', expected) { talk.welcome().await } else { talk.fail("28P01").await }
    });
    assert_eq!(outcome(&md5.await).await, Ok(()));
}

#[tokio::test]
async fn a_server_that_is_starting_is_waited_for() {
    let starting = server("", async |mut talk, number| match number {
        0 => talk.fail("57P03").await,
        1 => Ok(()),
        2 => talk.fail("53300").await,
        _ => talk.welcome().await,
    });
    assert_eq!(outcome(&starting.await).await, Ok(()));
}

#[tokio::test]
async fn a_server_that_refuses_the_login_is_not_tried_again() {
    for code in ["28P01", "3D000"] {
        let refusing = server(
            "",
            async move |mut talk, number| {
                if number == 0 { talk.fail(code).await } else { talk.welcome().await }
            },
        );
        assert!(outcome(&refusing.await).await.unwrap_err().contains(code));
    }
    let gss = server("", async |mut talk, _| talk.say(b'R', &[0, 0, 0, 7]).await);
    assert!(outcome(&gss.await).await.unwrap_err().contains("authentication that is not supported"));
}

#[tokio::test]
async fn a_server_without_tls_is_accepted_only_if_sslmode_allows() {
    let plain = || server("sslmode=prefer", async |talk, _| talk.welcome().await);
    assert_eq!(outcome(&plain().await).await, Ok(()));
    let strict = server("sslmode=require", async |talk, _| talk.welcome().await);
    assert!(outcome(&strict.await).await.unwrap_err().contains("does not offer TLS"));
}

#[tokio::test]
async fn an_unreachable_server_is_unavailable_after_the_acquire_timeout() {
    let target = Target::parse("postgres://ana@127.0.0.1:1/app?host=/nonexistent&hostaddr=127.0.0.1").unwrap();
    let config = LaneConfig { acquire_timeout: Duration::from_millis(200), ..LaneConfig::default() };
    let lane = Lane::new(&target, &config).unwrap();
    let begun = Instant::now();
    assert!(outcome(&lane).await.is_err());
    assert!((100..3000).contains(&begun.elapsed().as_millis()), "{:?}", begun.elapsed());
    assert_eq!(lane.status(), (0, 0, 0));
}

#[tokio::test]
async fn waiting_requests_share_the_result_of_a_failed_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let target = Target::parse(&format!("postgres://ana@127.0.0.1:{port}/app")).unwrap();
    let lane = Lane::new(&target, &LaneConfig { size: 2, ..LaneConfig::default() }).unwrap();
    let begun = Instant::now();
    let asked: Vec<_> = (0..20)
        .map(|_| {
            let lane = lane.clone();
            tokio::spawn(async move { outcome(&lane).await })
        })
        .collect();
    for asked in asked {
        let error = asked.await.unwrap().unwrap_err();
        assert!(error.contains(&port.to_string()), "{error}");
    }
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    // The outage is known now.
    let begun = Instant::now();
    assert!(outcome(&lane).await.is_err());
    assert!(begun.elapsed() < Duration::from_millis(500), "{:?}", begun.elapsed());
    // It is forgotten once the server accepts connections.
    let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
    tokio::spawn(async move {
        loop {
            let mut talk = Talk(listener.accept().await.unwrap().0);
            if talk.greeted().await.is_ok() {
                let _ = talk.welcome().await;
            }
        }
    });
    assert_eq!(outcome(&lane).await, Ok(()));
}

/// The server's side of SCRAM (RFC 5802) with one iteration. `knows` is the server's password.
async fn scram(talk: &mut Talk, knows: &str) -> io::Result<bool> {
    let mac = |key: &[u8], text: &[u8]| {
        let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
        mac.update(text);
        <[u8; 32]>::from(mac.finalize().into_bytes())
    };
    talk.say(b'R', b"\0\0\0\x0aSCRAM-SHA-256-PLUS\0SCRAM-SHA-256\0\0").await?;
    let (_, first) = talk.hear().await?;
    let first = String::from_utf8(first[b"SCRAM-SHA-256\0....".len()..].to_vec()).unwrap();
    let bare = first.strip_prefix("n,,").unwrap();
    let nonce = format!("{}more", bare.split_once("r=").unwrap().1);
    let challenge = format!("r={nonce},s={},i=1", BASE64.encode("salt"));
    talk.say(b'R', &[b"\0\0\0\x0b", challenge.as_bytes()].concat()).await?;
    let (_, last) = talk.hear().await?;
    let last = String::from_utf8(last).unwrap();
    let (unproved, proof) = last.split_once(",p=").unwrap();
    let message = format!("{bare},{challenge},{unproved}");

    let salted = mac(knows.as_bytes(), b"salt\0\0\0\x01");
    let client_key = mac(&salted, b"Client Key");
    let signature = mac(&Sha256::digest(client_key), message.as_bytes());
    let expected: Vec<u8> = client_key.iter().zip(signature).map(|(key, signature)| key ^ signature).collect();
    let server_signature = mac(&mac(&salted, b"Server Key"), message.as_bytes());
    let signed = format!("v={}", BASE64.encode(server_signature));
    talk.say(b'R', &[b"\0\0\0\x0c", signed.as_bytes()].concat()).await?;
    Ok(BASE64.decode(proof).unwrap() == expected)
}

#[tokio::test]
async fn scram_proves_the_password_to_both_sides() {
    let honest =
        server(
            "",
            async |mut talk, _| {
                if scram(&mut talk, "secret").await? { talk.welcome().await } else { talk.fail("28P01").await }
            },
        );
    assert_eq!(outcome(&honest.await).await, Ok(()));
    // A server that accepts everyone, to learn passwords.
    let impostor = server("", async |mut talk, _| {
        scram(&mut talk, "a guess").await?;
        talk.welcome().await
    });
    assert!(outcome(&impostor.await).await.unwrap_err().contains("SCRAM"));
    let hasty = server("", async |mut talk, _| {
        talk.say(b'R', b"\0\0\0\x0aSCRAM-SHA-256\0\0").await?;
        talk.hear().await?;
        talk.welcome().await
    });
    assert!(outcome(&hasty.await).await.unwrap_err().contains("SCRAM"));
}

#[tokio::test]
async fn a_required_but_missing_channel_binding_is_refused() {
    let bound = "channel_binding=require";
    let trusting = server(bound, async |talk, _| talk.welcome().await).await;
    let unbound = server(bound, async |mut talk, _| scram(&mut talk, "secret").await.map(|_| ())).await;
    for lane in [trusting, unbound] {
        assert!(outcome(&lane).await.unwrap_err().contains("channel_binding=require"));
    }
}

#[tokio::test]
async fn a_standby_is_not_used_as_the_primary() {
    let failing_over = |attrs: &'static str| {
        server(attrs, async |mut talk, number| {
            if number > 0 {
                return talk.welcome().await;
            }
            talk.say(b'R', OK).await?;
            talk.say(b'S', b"in_hot_standby\0on\0").await?;
            talk.say(b'Z', b"I").await?;
            talk.hear().await.map(|_| ())
        })
    };
    assert_eq!(outcome(&failing_over("target_session_attrs=read-write").await).await, Ok(()));
    // Uses the standby, which then falls silent.
    assert!(outcome(&failing_over("target_session_attrs=read-only").await).await.is_err());
}

#[tokio::test]
async fn a_silent_server_is_not_waited_for() {
    let lane = server("sslmode=disable", async |mut talk: Talk, _| {
        talk.say(b'R', OK).await?;
        talk.say(b'Z', b"I").await?;
        // Later connections are accepted by the kernel, but nobody reads from them.
        tokio::time::sleep(Duration::from_secs(60)).await;
        Ok(())
    });
    let lane = lane.await;
    for work in [work("select 'hi'"), reading("select 'hi'")] {
        let begun = Instant::now();
        let ended = tokio::time::timeout(Duration::from_secs(10), commit(&lane, &work)).await.expect("an end");
        assert!(matches!(ended, Err(Error::Broken(_) | Error::Unavailable(_))), "{ended:?}");
        assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    }
}
