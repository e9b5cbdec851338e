//! The table of hostile requests.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::Value::Null;

use super::expected::Expected::{self, Code, Error, Ok, Refused};
use super::expected::*;

pub(super) struct Hostile {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    pub(super) expected: Expected,
}

impl Hostile {
    /// Whether the response needs no database: errors of the HTTP layer, and PostgREST's own errors about the request
    /// or token.
    pub(super) fn is_answered_alone(&self) -> bool {
        match &self.expected {
            Expected::Ok(_) => false,
            Expected::Refused(_) => true,
            Expected::Code(_, code) => code.starts_with("PGRST"),
            Expected::Error(_, code, ..) => code.starts_with("PGRST"),
        }
    }
}

fn request(name: &str, line: &str, headers: &[(&str, &str)], body: &[u8], expected: Expected) -> Hostile {
    let mut bytes = format!("{line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n").into_bytes();
    for (name, value) in headers {
        bytes.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
    }
    if !body.is_empty() {
        bytes.extend_from_slice(format!("content-length: {}\r\n", body.len()).as_bytes());
    }
    bytes.extend_from_slice(b"\r\n");
    bytes.extend_from_slice(body);
    Hostile { name: name.to_owned(), bytes, expected }
}

fn get(target: &str, expected: Expected) -> Hostile {
    let name: String = target.chars().take(80).collect();
    request(&name, &format!("GET {target}"), &[], b"", expected)
}

fn with(header: (&str, &str), expected: Expected) -> Hostile {
    let name = format!("{}: {}", header.0, header.1.chars().take(80).collect::<String>());
    request(&name, "GET /t?select=id", &[header], b"", expected)
}

fn post(target: &str, content_type: &str, body: &[u8], expected: Expected) -> Hostile {
    let shown: String = String::from_utf8_lossy(body).chars().take(60).collect();
    let name = format!("POST {target} {content_type} {shown}");
    request(&name, &format!("POST {target}"), &[("content-type", content_type)], body, expected)
}

fn raw(name: &str, bytes: &[u8], expected: Expected) -> Hostile {
    Hostile { name: name.to_owned(), bytes: bytes.to_vec(), expected }
}

pub(super) fn requests() -> Vec<Hostile> {
    [urls(), windows(), headers(), tokens(), bodies(), framing()].into_iter().flatten().collect()
}

fn urls() -> Vec<Hostile> {
    vec![
        get("/t?v=eq.a%00b", nul()),
        get("/t?v=in.(a%00b,one)", Ok(200)),
        get("/t?data-%3E%3E%22%00%22=eq.1", nul()),
        get("/t%00", no_table("t\0")),
        get("/rpc/add%00?a=1&b=2", Code(404, "PGRST202")),
        get("/t?%00=eq.1", unread("tree path (\0)", 1, r#"unexpected "\NUL" expecting field name (* or [a..z0..9_$])"#)),
        get("/t?select=%22%22", empty()),
        get("/t?select=%22%00x%22", empty()),
        get("/t?v=eq.%ff%fe", Code(400, "PGRST100")),
        get("/%ff", no_table("\u{fffd}")),
        get("/t?v=eq.%", Ok(200)),
        get("/t?v=eq.%zz", Ok(200)),
        get("/t?v=eq.%01%7f%1b", Ok(200)),
        get("/t?select=v%0a", unread("select parameter (v\n)", 2, r#"unexpected '\n' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input"#)),
        get("/na%C3%AFve%20%E2%9A%BE?select=gr%C3%B6%C3%9Fe&gr%C3%B6%C3%9Fe=eq.1", Ok(200)),
        get("/t?select=gr%C3%B6%C3%9Fe", error(400, "42703", "column t.größe does not exist")),
        get("/t?v=eq.ñ", Ok(200)),
        get("/t?v=eq.<b>", Ok(200)),
        get("/t/t", path()),
        get("/t/", path()),
        get("//t", path()),
        get("/../../etc/passwd", path()),
        get(
            "/rpc/pg_sleep?seconds=10",
            Error(
                404,
                "PGRST202",
                "Could not find the function api.pg_sleep(seconds) in the schema cache".to_owned(),
                "Searched for the function api.pg_sleep with parameter seconds, but no matches were found in the schema cache.".into(),
                Null,
            ),
        ),
        get("/t?v=pg_sleep.10", unread("filter (pg_sleep.10)", 1, r#"unexpected "p" expecting "not" or operator (eq, gt, ...)"#)),
        get("/t?or=()", unread("logic tree (())", 4, r#"unexpected ")" expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)"#)),
        get("/t?or=(((((", unread("logic tree (((((()", 4, r#"unexpected "(" expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)"#)),
        get(&format!("/t?or=({}id.eq.1{})", "and(".repeat(10_000), ")".repeat(10_000)), Code(400, "PGRST100")),
        get(&format!("/t?select={}id{}", "a(".repeat(10_000), ")".repeat(10_000)), Code(400, "PGRST100")),
        get(&format!("/t?data{}=eq.1", "-%3Ea".repeat(9_000)), stack()),
        get(&format!("/t?{}", vec!["id=gt.0"; 5_000].join("&")), Code(400, "PGRST100")),
        get(&format!("/t?v=eq.{}", "a".repeat(60_000)), Code(414, "PGRST100")),
        get(&format!("/t?v=eq.{}", "a".repeat(65_600)), Refused(414)),
        get(&format!("/t?v=eq.{}", "a".repeat(300_000)), Refused(431)),
        request("a verb of nobody", "FLY /t", &[], b"", error(405, "PGRST117", "Unsupported HTTP method: FLY")),
        request("TRACE", "TRACE /t", &[], b"", error(405, "PGRST117", "Unsupported HTTP method: TRACE")),
        request("DELETE of a function", "DELETE /rpc/add", &[], b"", error(405, "PGRST101", "Cannot use the DELETE method on RPC")),
    ]
}

fn windows() -> Vec<Hostile> {
    vec![
        get("/t?limit=-1", window("Limit should be greater than or equal to zero.")),
        get("/t?limit=9223372036854775807", Ok(200)),
        get("/t?limit=9223372036854775808", too_large("9223372036854775808")),
        get("/t?limit=99999999999999999999999999", too_large("99999999999999999999999999")),
        get("/t?offset=9223372036854775807", Ok(200)),
        get("/t?offset=9223372036854775808", too_large("9223372036854775808")),
        get("/t?limit=9223372036854775807&offset=9223372036854775807", Ok(200)),
        get("/t?limit=9223372036854775807&offset=1", Ok(200)),
        get("/t?offset=-9223372036854775808", Ok(200)),
        get("/t?offset=-9223372036854775809", Ok(200)),
        get("/t?limit=1e9", Ok(200)),
        get("/t?limit=0x10", Ok(200)),
        get("/t?limit=%D9%A1", Ok(200)),
        with(
            ("range", "9-1"),
            window("The lower boundary must be lower than or equal to the upper boundary in the Range header."),
        ),
        with(("range", "99999999999999999999-"), too_large("99999999999999999999")),
        with(("range", "9223372036854775807-9223372036854775807"), Ok(200)),
        with(("range", "0-99999999999999999999"), too_large("100000000000000000000")),
        with(("range", "-1--5"), Ok(200)),
        with(("range", "bytes=0-1,5-6,-1"), Ok(200)),
        with(("range", "0-0, 5-5"), Ok(200)),
    ]
}

fn headers() -> Vec<Hostile> {
    let twice = |name, a, b, expected| request(name, "GET /t?select=id", &[a, b], b"", expected);
    vec![
        with(
            ("accept", "application/x-nothing"),
            error(406, "PGRST107", "None of these media types are available: application/x-nothing"),
        ),
        with(("accept", "text/csv;q=NaN"), Ok(200)),
        with(("accept", "\u{1}"), Refused(400)),
        with(("accept-profile", "nowhere"), no_schema("nowhere")),
        with(("accept-profile", "naïve"), no_schema("naïve")),
        with(("accept-profile", "\"; drop schema api; --"), no_schema("\"; drop schema api; --")),
        with(
            ("prefer", "handling=strict, nonsense=1, count=perhaps"),
            Error(
                400,
                "PGRST122",
                "Invalid preferences given with handling=strict".to_owned(),
                "Invalid preferences: nonsense=1, count=perhaps".into(),
                Null,
            ),
        ),
        with(
            ("prefer", "timezone=Nowhere/City"),
            error(400, "22023", r#"invalid value for parameter "TimeZone": "Nowhere/City""#),
        ),
        with(("prefer", "max-affected=99999999999999999999, handling=strict"), Ok(200)),
        with(("x-long", &"x".repeat(16_000)), Ok(200)),
        with(("x-long", &"x".repeat(200_000)), Refused(431)),
        with(("cookie", "=;;=;a;\"="), Ok(200)),
        twice("two ranges", ("range", "0-0"), ("range", "9-1"), Ok(200)),
        twice("two profiles", ("accept-profile", "api"), ("accept-profile", "nowhere"), Ok(200)),
        twice("two tokens", ("authorization", "Bearer x"), ("authorization", "Bearer y.z"), parts(1)),
        twice("two lengths", ("content-length", "1"), ("content-length", "2"), Refused(400)),
        request("many headers", "GET /t", &vec![("x-many", "1"); 200], b"", Refused(431)),
        raw("a header without a name", b"GET /t HTTP/1.1\r\nhost: x\r\n: y\r\n\r\n", Refused(400)),
        raw("a header with a NUL", b"GET /t HTTP/1.1\r\nhost: x\r\nx: a\0b\r\n\r\n", Refused(400)),
    ]
}

fn tokens() -> Vec<Hostile> {
    let token = |header: &str, payload: &str, signature: &str| {
        let encode = |text: &str| BASE64_URL_SAFE_NO_PAD.encode(text);
        format!("Bearer {}.{}.{signature}", encode(header), encode(payload))
    };
    let none = token(r#"{"alg":"none"}"#, r#"{"role":"postgres"}"#, "");
    let forged = token(r#"{"alg":"HS256","typ":"JWT"}"#, r#"{"role":"postgres"}"#, "AAAA");
    let rs = token(r#"{"alg":"RS256"}"#, r#"{"role":"postgres"}"#, "AAAA");
    let odd = token("{", "{", "AAAA");
    vec![
        with(("authorization", "Bearer "), token_error("Empty JWT is sent in Authorization header", Null)),
        with(("authorization", "Bearer"), token_error("Empty JWT is sent in Authorization header", Null)),
        with(("authorization", "bearer x"), parts(1)),
        with(("authorization", "Bearer a.b"), parts(2)),
        with(("authorization", "Bearer a.b.c"), token_error("JWT cryptographic operation failed", Null)),
        with(("authorization", "Bearer ..."), parts(4)),
        with(("authorization", "Bearer .."), token_error("JWT cryptographic operation failed", Null)),
        with(("authorization", "Bearer ñ.ñ.ñ"), token_error("JWT cryptographic operation failed", Null)),
        with(("authorization", "Basic dTpw"), Ok(200)),
        with(
            ("authorization", &none),
            token_error(
                "Wrong or unsupported encoding algorithm",
                "JWT is unsecured but expected 'alg' was not 'none'".into(),
            ),
        ),
        with(
            ("authorization", &forged),
            token_error("No suitable key or wrong key type", "None of the keys was able to decode the JWT".into()),
        ),
        with(
            ("authorization", &rs),
            token_error("No suitable key or wrong key type", "No suitable key was found to decode the JWT".into()),
        ),
        with(("authorization", &odd), token_error("JWT cryptographic operation failed", Null)),
        with(("authorization", &format!("Bearer {}", "a".repeat(60_000))), parts(1)),
        // The token is checked before the URL.
        request("a bad token and a bad URL", "GET /t?or=(", &[("authorization", "Bearer x")], b"", parts(1)),
    ]
}

fn bodies() -> Vec<Hostile> {
    let json = "application/json";
    let deep = |n: usize| format!(r#"{{"data":{}{}}}"#, "[".repeat(n), "]".repeat(n));
    vec![
        post("/t", json, b"{", body("Empty or invalid json")),
        post("/t", json, b"{\"id\":3,}", body("Empty or invalid json")),
        post("/t", json, b"\0", body("Empty or invalid json")),
        post("/t", json, b"\xff\xfe", body("Empty or invalid json")),
        post("/t", json, b"{\"v\":\"\xff\"}", body("Empty or invalid json")),
        post("/t", json, b"\xef\xbb\xbf{\"id\":3}", body("Empty or invalid json")),
        post("/t", json, b"{\"id\":3,\"v\":\"a\0b\"}", body("Empty or invalid json")),
        post("/t", json, b"{\"id\":3,\"v\":\"a\\u0000b\"}", escape()),
        post("/t", json, b"{\"id\":3,\"v\":\"\\ud800\"}", body("Empty or invalid json")),
        post("/t", json, b"{\"\":1}", no_column("")),
        post("/t", json, b"{\"no\\u0000\":1}", no_column("no\0")),
        post("/t", json, b"{\"v\\u0000\":1}", no_column("v\0")),
        post("/t", json, b"{\"v\":\"a\",\"v\":\"b\",\"id\":1}", taken()),
        post("/t", json, b"{\"id\":1e400}", error(400, "22P02", r#"invalid input syntax for type integer: "1e400""#)),
        post("/t", json, b"{\"id\":99999999999999999999}", error(400, "22003", r#"value "99999999999999999999" is out of range for type integer"#)),
        post("/t", json, b"{\"id\":NaN}", body("Empty or invalid json")),
        post("/t", json, b"[{\"id\":3},{\"v\":\"x\"}]", body("All object keys must match")),
        post("/t", json, b"[{\"id\":3},null]", body("All object keys must match")),
        post("/t", json, b"[[[]]]", body("All object keys must match")),
        post("/t", json, b"7", Ok(201)),
        post("/t", json, b"null", Ok(201)),
        post("/t", json, "[".repeat(10_000).as_bytes(), body("Empty or invalid json")),
        post("/t", json, format!("{}{}", "[".repeat(10_000), "]".repeat(10_000)).as_bytes(), body("All object keys must match")),
        post("/t?columns=data", json, deep(10_000).as_bytes(), Code(400, "23502")),
        post("/t", json, deep(100_000).as_bytes(), stack()),
        post("/t?columns=v", json, b"{", Error(400, "22P02", "invalid input syntax for type json".to_owned(), "The input string ended unexpectedly.".into(), Null)),
        post("/t?columns=v", json, b"7", error(400, "22023", "cannot call json_to_recordset on a scalar")),
        post("/t?columns=", json, b"{}", unread("columns parameter ()", 1, "unexpected end of input expecting field name (* or [a..z0..9_$])")),
        post("/t", "text/csv", b"id,v\n3\n4,b\n", body("All lines must have same number of fields")),
        post("/t", "text/csv", b"id,v\n1,a,b\n", taken()),
        post("/t", "text/csv", b"id,v\n3,\"a\n", body("parse error (trailing double quote) at \"\"")),
        post("/t", "text/csv", b"id,id\n1,1\n", taken()),
        post("/t", "text/csv", b"", body("parse error (not enough input) at \"\"")),
        post("/t", "text/csv", b"id,v\n3,\xff\n", body("invalid utf-8 sequence of 1 bytes from index 7")),
        post("/t", "text/csv", b"id,v\n3,a\0b\n", escape()),
        post("/t", "application/x-www-form-urlencoded", b"id=3&v=%00", escape()),
        post("/t", "application/x-www-form-urlencoded", b"&&==&%", no_column("")),
        post("/t", "image/png", b"x", body("Content-Type not acceptable: image/png")),
        post("/t", "", b"{}", body("Content-Type not acceptable: ")),
        post("/t", ";;;", b"{}", Code(400, "PGRST102")),
        post(
            "/rpc/add",
            json,
            b"{\"a\":1}",
            Error(
                404,
                "PGRST202",
                "Could not find the function api.add(a) in the schema cache".to_owned(),
                "Searched for the function api.add with parameter a or with a single unnamed json/jsonb parameter, but no \
                 matches were found in the schema cache."
                    .into(),
                "Perhaps you meant to call the function api.add(a, b)".into(),
            ),
        ),
        post("/rpc/add", json, b"[1,2]", body("All object keys must match")),
        post("/rpc/add", json, b"{\"a\":1,\"b\":\"x\\u0000\"}", escape()),
        post("/rpc/add", "text/plain", b"\xff", Code(404, "PGRST202")),
        post("/rpc/add", "multipart/form-data", b"x", body("Content-Type not acceptable: multipart/form-data")),
        request("PUT without a key", "PUT /t", &[], b"{\"id\":3}", error(405, "PGRST105", "Filters must include all and only primary key columns with 'eq' operators")),
        request("PUT with a limit", "PUT /t?id=eq.3&limit=1", &[], b"{\"id\":3}", error(400, "PGRST114", "limit/offset querystring parameters are not allowed for PUT")),
    ]
}

fn framing() -> Vec<Hostile> {
    let post = "POST /t HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n";
    let framed = |rest: &str| format!("{post}{rest}").into_bytes();
    vec![
        raw(
            "a chunk of no size",
            &framed("transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n"),
            body("The request body could not be read"),
        ),
        raw(
            "a chunk of every size",
            &framed("transfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}"),
            body("The request body could not be read"),
        ),
        raw("a negative length", &framed("content-length: -1\r\n\r\n{}"), Refused(400)),
        raw("a length in words", &framed("content-length: two\r\n\r\n{}"), Refused(400)),
        raw("an endless length", &framed("content-length: 99999999999999999999\r\n\r\n{}"), Refused(400)),
        raw("a length past the limit", &framed("content-length: 9999999999\r\n\r\n{}"), Ok(413)),
        raw(
            "a length and chunks",
            &framed("content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"),
            Refused(400),
        ),
        raw("a short length", &framed("content-length: 1\r\n\r\n{}"), body("Empty or invalid json")),
        raw("no HTTP", b"hello\r\n\r\n", Refused(400)),
        raw("another HTTP", b"GET /t HTTP/3.7\r\nhost: x\r\n\r\n", Refused(400)),
        raw("a line of TLS", b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03", Refused(400)),
    ]
}
