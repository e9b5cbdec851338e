//! Responses set from SQL: errors, statuses and headers. Sources: src/PostgREST/Response.hs, Response/GucHeader.hs,
//! Error.hs.

use serde_json::{Value, json};

use crate::kit::{Answer, Calls, DataApi};

const SAY: &str = "
    create function say(status text default '', headers text default '') returns int language plpgsql stable as $$
    begin
        perform set_config('response.status', status, true), set_config('response.headers', headers, true);
        return 1;
    end $$;
    create function fail(code text, message text, detail text) returns void language plpgsql stable as $$
    begin
        if detail is null then raise exception using errcode = code, message = message; end if;
        raise exception using errcode = code, message = message, detail = detail, hint = 'h';
    end $$;";

async fn fail(s: &DataApi, code: &str, message: &str, detail: Option<&str>) -> Answer {
    s.post("/rpc/fail", json!({ "code": code, "message": message, "detail": detail })).await
}

#[tokio::test]
async fn settings_change_status_and_headers() {
    let s = DataApi::start(SAY, &[]).await;
    let say = |status: &str, headers: Value| {
        let headers = if headers.is_null() { String::new() } else { headers.to_string() };
        s.post("/rpc/say", json!({ "status": status, "headers": headers }))
    };
    for (said, status) in [("299", 299), ("418 and more", 418), ("", 200)] {
        say(said, Value::Null).await.is(status);
    }
    for said in ["x", " 200", "-200", "99", "1000"] {
        assert_eq!(say(said, Value::Null).await.is(500).json()["code"], "PGRST112", "{said:?}");
    }
    let headers =
        json!([{ "Content-Type": "text/x" }, { "Set-Cookie": "a=1" }, { "set-cookie": "b=2" }, { "Vary": "X" }]);
    let answer = say("", headers).await.is(200);
    assert_eq!((answer.header("content-type"), answer.header("vary")), ("text/x", "X"));
    let cookies: Vec<_> = answer.headers.get_all("set-cookie").iter().collect();
    assert_eq!(cookies, ["a=1", "b=2"]);
    for headers in [json!({ "a": "b" }), json!([1]), json!([{ "a": 1 }]), json!([{ "a": "b", "c": "d" }]), json!("x")] {
        assert_eq!(say("", headers.clone()).await.is(500).json()["code"], "PGRST111", "{headers}");
    }
    let both = say("x", json!({})).await.is(500).json();
    assert_eq!(both["code"], "PGRST112", "the status is checked first");
}

#[tokio::test]
async fn raised_errors_determine_the_response() {
    let s = DataApi::start(SAY, &[]).await;
    for (code, status, challenge) in [
        ("PT402", 402, ""),
        ("PT401", 401, "Bearer"),
        ("42501", 401, "Bearer"),
        ("P0001", 400, ""),
        ("P0002", 500, ""),
        ("23505", 409, ""),
        ("57014", 500, ""),
    ] {
        let answer = fail(&s, code, "m", Some("d")).await.is(status);
        assert_eq!(answer.json(), json!({ "code": code, "message": "m", "details": "d", "hint": "h" }));
        assert_eq!(answer.header("www-authenticate"), challenge, "{code}");
        assert_eq!(answer.header("proxy-status"), format!("PostgREST; error={code}"));
    }
    let message = r#"{"code":"mine","message":"m","hint":"try"}"#;
    let detail = r#"{"status":401,"status_text":"No","headers":{"X-Mine":"1"}}"#;
    let answer = fail(&s, "PGRST", message, Some(detail)).await.is(401);
    assert_eq!(answer.json(), json!({ "code": "mine", "message": "m", "details": null, "hint": "try" }));
    assert_eq!((answer.header("x-mine"), answer.header("www-authenticate")), ("1", ""));
}

#[tokio::test]
async fn json_in_a_raised_error_must_have_the_documented_format() {
    let s = DataApi::start(SAY, &[]).await;
    let good = r#"{"code":"1","message":"m"}"#;
    for message in ["x", "[]", r#"["1","m",null,null]"#, r#"{"code":"1"}"#, r#"{"code":1,"message":"m"}"#] {
        let body = fail(&s, "PGRST", message, Some("{}")).await.is(500).json();
        assert_eq!(body["code"], "PGRST121");
        assert_eq!(body["details"], format!("Invalid JSON value for MESSAGE: '{message}'"));
    }
    for detail in [
        "x",
        "{}",
        r#"{"status":200}"#,
        r#"{"status":"200","headers":{}}"#,
        r#"{"status":200,"headers":null}"#,
        r#"{"status":200,"headers":{"a":1}}"#,
        r#"{"status":200,"status_text":1,"headers":{}}"#,
    ] {
        let body = fail(&s, "PGRST", good, Some(detail)).await.is(500).json();
        assert_eq!(body["details"], format!("Invalid JSON value for DETAIL: '{detail}'"));
    }
    let body = fail(&s, "PGRST", good, None).await.is(500).json();
    assert_eq!(body["details"], "DETAIL is missing in the RAISE statement");
}
