//! OPTIONS: the methods that a relation or function supports, whatever the caller's role. Source: src/PostgREST/Response.hs.

use reqwest::Method;

use crate::kit::{Calls, DataApi};

#[tokio::test]
async fn allowed_methods_follow_from_the_relation() {
    let s = DataApi::start(
        "create table keyed (id int primary key, v text);
         create table keyless (v text);
         create view simple as select * from keyed;
         create view grouped as select v, count(*) from keyed group by v;
         create view half as select v, count(*) from keyed group by v;
         create function nothing() returns trigger language plpgsql as $$ begin return null; end $$;
         create trigger half instead of insert on half for each row execute function nothing();
         create materialized view frozen as select * from keyed;
         create table parts (id int primary key) partition by range (id);
         create function changes() returns int language sql as 'select 1';
         create function looks() returns int language sql stable as 'select 1';
         create function asks(a int) returns int language sql stable as 'select 1';
         revoke all on all tables in schema api from anon",
        &[],
    )
    .await;
    let read = "OPTIONS,GET,HEAD";
    for (path, allow) in [
        ("/", read),
        ("/keyed", "OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE"),
        ("/keyless", "OPTIONS,GET,HEAD,POST,PATCH,DELETE"),
        ("/simple", "OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE"),
        ("/grouped", read),
        ("/half", "OPTIONS,GET,HEAD,POST"),
        ("/frozen", read),
        ("/parts", "OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE"),
        ("/rpc/changes", "OPTIONS,POST"),
        ("/rpc/looks", "OPTIONS,GET,HEAD,POST"),
    ] {
        let answer = s.request(Method::OPTIONS, path).await.is(200);
        assert_eq!(answer.header("allow"), allow, "{path}");
        assert_eq!((answer.body.as_str(), answer.header("content-length")), ("", "0"), "{path}");
        assert_eq!(answer.header("access-control-allow-origin"), "*", "{path}");
        assert_eq!(answer.header("vary"), "Accept, Prefer, Range", "{path}");
    }
    for (path, code) in
        [("/nope", "PGRST205"), ("/rpc/nope", "PGRST202"), ("/rpc/asks", "PGRST202"), ("/a/b", "PGRST125")]
    {
        assert_eq!(s.request(Method::OPTIONS, path).await.is(404).json()["code"], code, "{path}");
    }
    for (method, path, code) in [
        ("TRACE", "/keyed", "PGRST117"),
        ("PURGE", "/keyed", "PGRST117"),
        ("POST", "/", "PGRST117"),
        ("PATCH", "/rpc/looks", "PGRST101"),
        ("PURGE", "/rpc/looks", "PGRST101"),
    ] {
        let answer = s.request(Method::from_bytes(method.as_bytes()).unwrap(), path).await.is(405);
        if method != "TRACE" {
            assert_eq!(answer.json()["code"], code, "{method} {path}");
        }
    }
}
