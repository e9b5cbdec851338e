use std::collections::BTreeSet;

use super::*;
use crate::execute::state::State;
use crate::fuzzing::World;
use crate::fuzzing::bytes_of_seed;

/// Statement and canonical query as they are without any of this.
fn planned(state: &State, incoming: Incoming<'_>) -> Option<(BoundSql, ApiRequest)> {
    let request = ApiRequest::parse(incoming, &state.config).ok()?;
    let Plan::Db(plan) = plan::plan(&request, &state.catalog, &state.config).ok()? else { return None };
    Some((sql::statement(&plan, &request, state.config.db_max_rows).ok()?.into(), request))
}

/// What a request with this query comes to, the third time.
fn repeated(state: &State, incoming: Incoming<'_>) -> Option<(BoundSql, String)> {
    let shape = state.repeats.shape(incoming)?;
    for _ in 0..2 {
        assert!(state.repeats.find(&shape).is_none());
        let (sql, request) = planned(state, incoming)?;
        state.repeats.learn(&shape, incoming, &request, &sql, (&state.catalog, &state.config));
    }
    let read = state.repeats.find(&shape)?;
    Some((read.sql(&shape), read.canonical(&shape)))
}

#[test]
fn what_is_repeated_is_what_would_have_been_planned() {
    let (mut kept, mut filled, mut calls, mut tables) = (0, 0, 0, BTreeSet::new());
    for seed in 0..1500 {
        let world = World::invented();
        let state = world.state();
        let made = world.request(&bytes_of_seed(seed, 2048));
        tables.insert(made.path.clone());
        // A filter of the simplest kind is put before those that were made up, or the arguments of a call.
        let query = |value: &str| match made.path.as_str() {
            "/rpc/best" => format!("of={value}&{}", made.query),
            "/rpc/search" => format!("words={value}&id=eq.{value}&{}", made.query),
            _ => format!("id=eq.{value}&{}", made.query),
        };
        let (first, second) = (query("7"), query("null-_9"));
        let bytes = Bytes::new();
        let incoming =
            Incoming { method: &Method::GET, path: &made.path, query: &first, headers: &made.headers, body: &bytes };
        let Some((sql, canonical)) = repeated(state, incoming) else { continue };
        kept += 1;
        calls += usize::from(made.path.starts_with("/rpc/"));
        let (wanted, request) = planned(state, incoming).unwrap();
        assert_eq!((sql, &canonical), (wanted, &request.query.canonical), "{seed}");

        let incoming = Incoming { query: &second, ..incoming };
        // A little longer, it may be too long.
        let Some(shape) = state.repeats.shape(incoming) else { continue };
        assert!(!shape.given.is_empty());
        let read = state.repeats.find(&shape).unwrap();
        let (wanted, request) = planned(state, incoming).unwrap();
        filled += usize::from(wanted.values.contains(&Some("null-_9".into())));
        assert_eq!((read.sql(&shape), read.canonical(&shape)), (wanted, request.query.canonical), "{seed}");
    }
    assert!(kept > 100 && filled > 100, "{kept} kept, {filled} filled in, {} paths", tables.len());
    assert!(calls > 5, "{calls} calls");
}

#[test]
fn shapes_differ_in_everything_but_plain_values() {
    let repeats = Repeats::default();
    let shape = |method: &Method, path: &str, query: &str, headers: &[(&'static str, &'static str)]| {
        let headers = headers.iter().map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap()));
        let (headers, body) = (headers.collect(), Bytes::new());
        repeats.shape(Incoming { method, path, query, headers: &headers, body: &body }).map(|shape| shape.key)
    };
    let get = |query| shape(&Method::GET, "/t", query, &[]).unwrap();
    assert_eq!(get("id=eq.1&select=a"), get("id=eq.zwei_-2&select=a"));
    let call = |query| shape(&Method::GET, "/rpc/f", query, &[]);
    assert_eq!(call("id=1&select=a"), call("id=zwei_-2&select=a"));
    let others = [
        get("id=eq.1"),
        get("ID=eq.1"),
        get("id=gt.1"),
        get("id=gt.2"),
        get("id=eq.%31"),
        get("id=eq.1+"),
        get("id=eq."),
        get("id=eq(any).1"),
        get("id=eq.1;x"),
        get("t.id=eq.1"),
        get("t.id=eq.2"),
        get("select=eq.a"),
        get("select=eq.b"),
        get("limit=eq.1"),
        get("limit=eq.2"),
        get("id=eq.1&id=eq.2"),
        get("id=not.eq.1"),
        get(&format!("id=eq.{}", "1".repeat(MAX_VALUE + 1))),
        get(""),
        shape(&Method::HEAD, "/t", "id=eq.1", &[]).unwrap(),
        shape(&Method::GET, "/u", "id=eq.1", &[]).unwrap(),
        shape(&Method::GET, "/rpc/t", "id=eq.1", &[]).unwrap(),
        shape(&Method::GET, "/rpc/t", "id=1", &[]).unwrap(),
        shape(&Method::GET, "/rpc/t", "id=1.", &[]).unwrap(),
        shape(&Method::GET, "/rpc/t", "limit=1", &[]).unwrap(),
        shape(&Method::GET, "/rpc/t", "limit=2", &[]).unwrap(),
        get("id=1"),
        get("id=2"),
        shape(&Method::GET, "/t", "id=eq.1", &[("prefer", "count=exact")]).unwrap(),
        shape(&Method::GET, "/t", "id=eq.1", &[("accept", "count=exact")]).unwrap(),
        shape(&Method::GET, "/t", "id=eq.1", &[("range", "0-1")]).unwrap(),
        shape(&Method::GET, "/t", "id=eq.1", &[("accept-profile", "v2")]).unwrap(),
    ];
    assert_eq!(others.iter().collect::<BTreeSet<_>>().len(), others.len());
    for (method, path, length) in [(Method::PUT, "/t", 1), (Method::GET, "/t", MAX_KEY)] {
        assert!(shape(&method, path, &"x".repeat(length), &[]).is_none(), "{method} {path} {length}");
    }
    let long: &'static str = "a,".repeat(MAX_KEY / 2).leak();
    assert!(shape(&Method::GET, "/t", "id=eq.1", &[("prefer", long)]).is_none());
}

#[test]
fn what_cannot_be_kept_is_proved_once() {
    let world = World::invented();
    let state = world.state();
    let (method, body) = (Method::GET, Bytes::new());
    let query = format!("id=eq.7&select={}", vec!["id"; 480].join(","));
    let headers = http::HeaderMap::from_iter([(HeaderName::from_static("prefer"), "count=planned".parse().unwrap())]);
    let path = (0..)
        .map(|seed| world.request(&bytes_of_seed(seed, 2048)).path)
        .find(|path| {
            let incoming = Incoming { method: &method, path, query: "id=eq.7", headers: &headers, body: &body };
            !path.starts_with("/rpc/") && planned(state, incoming).is_some()
        })
        .unwrap();
    for (query, headers) in [("id=eq.7", &headers), (query.as_str(), &http::HeaderMap::new())] {
        let incoming = Incoming { method: &method, path: &path, query, headers, body: &body };
        assert!(repeated(state, incoming).is_none(), "{query}");
        let shape = state.repeats.shape(incoming).unwrap();
        let slot = usize::try_from(shape.hash).unwrap() % SEEN_ONCE;
        assert_eq!(state.repeats.seen[slot].load(Ordering::Relaxed), !shape.hash, "{query}");
    }
}

#[test]
fn what_is_written_again_is_what_would_have_been_planned() {
    let (mut kept, mut bodies, mut calls) = (0, 0, 0);
    for seed in 0..3000 {
        let world = World::invented();
        let state = world.state();
        let made = world.request(&bytes_of_seed(seed, 2048));
        if made.method == Method::GET || made.method == Method::HEAD {
            continue;
        }
        let (method, path, query, headers) = (&made.method, &made.path, &made.query, &made.headers);
        let incoming = Incoming { method, path, query, headers, body: &made.body };
        let Some((sql, canonical)) = repeated(state, incoming) else { continue };
        kept += 1;
        let (wanted, request) = planned(state, incoming).unwrap();
        assert_eq!((sql, &canonical), (wanted, &request.query.canonical), "{seed}");

        // The same keys with other values, in two rows where there may be several.
        let Some((keys, is_array)) = body::keys(&made.body) else { continue };
        let row: serde_json::Map<_, _> = keys.into_iter().map(|key| (key, serde_json::json!([1, "x"]))).collect();
        let other = if is_array { serde_json::json!([row, row]) } else { row.into() };
        let other = Bytes::from(other.to_string());
        let incoming = Incoming { body: &other, ..incoming };
        let shape = state.repeats.shape(incoming).unwrap();
        let repeat = state.repeats.find(&shape).unwrap();
        let (wanted, _) = planned(state, incoming).unwrap();
        assert_eq!(repeat.sql(&shape), wanted, "{seed}");
        bodies += usize::from(wanted.values.contains(&Some(other.clone())));
        calls += usize::from(made.path.starts_with("/rpc/"));
    }
    assert!(kept > 100 && bodies > 50 && calls > 5, "{kept} kept, {bodies} with bodies, {calls} calls");
}

#[test]
fn bodies_differ_in_their_keys_and_in_being_an_array() {
    let repeats = Repeats::default();
    let headers = http::HeaderMap::new();
    let shape = |body: &'static str| {
        let body = Bytes::from_static(body.as_bytes());
        let incoming = Incoming { method: &Method::POST, path: "/t", query: "", headers: &headers, body: &body };
        repeats.shape(incoming).map(|shape| shape.key)
    };
    assert_eq!(shape(r#"{"a": 1, "b": 2}"#), shape(r#"  {"b": [3], "a": "x"}"#));
    assert_eq!(shape(r#"[{"a": 1}]"#), shape(r#" [{"a": 1}, {"a": 2}]"#));
    let others =
        [r#"{"a": 1}"#, r#"{"b": 1}"#, r#"{"a": 1, "b": 2}"#, r#"{"a,b": 1}"#, r#"{"a\",\"b": 1}"#, r#"[{"a": 1}]"#];
    let others: BTreeSet<_> =
        others.into_iter().chain([r#"{"a\u0000": 1}"#]).map(|body| shape(body).unwrap()).collect();
    assert_eq!(others.len(), 7);
    for body in ["[]", "{}", "7", "{", r#"[{"a": 1}, {"b": 1}]"#, "a,b", r#"{"a": "\ud800"}"#] {
        assert!(shape(body).is_none(), "{body}");
    }
}
