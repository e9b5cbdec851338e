//! `POST /token?grant_type=refresh_token`: its cost, and both generations of tokens.

use chrono::TimeDelta;
use futures_util::future::join_all;
use serde_json::json;

use super::refused;
use crate::kit::{Answer, Calls, Database, Request, Server, Wiretap};

const REFRESH: &str = "/auth/v1/token?grant_type=refresh_token";
const USED: &str = "Invalid Refresh Token: Already Used";
const SIGNED: (&str, &str) = ("GOTRUE_SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION", "2");

fn refresh(s: &Server, token: &str) -> Request {
    s.post(REFRESH, json!({ "refresh_token": token }))
}

fn issued(answer: Answer) -> String {
    answer.is(200).json()["refresh_token"].as_str().unwrap().to_owned()
}

/// One number from the database.
async fn count(s: &Server, sql: &str) -> i64 {
    s.database.connect().await.query_one(sql, &[]).await.unwrap().get(0)
}

#[tokio::test]
async fn a_refresh_takes_two_round_trips_and_reading_the_user_one() {
    for settings in [&[][..], &[SIGNED], &[("GOTRUE_SESSIONS_SINGLE_PER_USER", "true")]] {
        let database = Database::cloned().await;
        let tap = Wiretap::on(&database, "supabase_auth_admin");
        let own = [("DATABASE_URL", tap.database_url.as_str()), ("DUGOUT_DB_POOL", "4")];
        let settings: Vec<(&str, &str)> = settings.iter().copied().chain(own).collect();
        let s = Server::over(database, &settings).await;
        let mut ana = s.signed_up("ana@x.test").await;
        // A connection prepares every statement once: use a token, repeat it, and read the user.
        let parent = ana.refresh_token.clone();
        ana.refresh().await.is(200);
        refresh(&s, &parent).await.is(200);
        ana.get("/auth/v1/user").await.is(200);
        tap.both();

        ana.get("/auth/v1/user").await.is(200);
        assert_eq!(tap.both(), (1, 1), "GET /user {settings:?}");
        let parent = ana.refresh_token.clone();
        ana.refresh().await.is(200);
        let others = usize::from(settings[0].0 == "GOTRUE_SESSIONS_SINGLE_PER_USER");
        assert_eq!(tap.both(), (2 + others, 2 + others), "a token is traded {settings:?}");
        refresh(&s, &parent).await.is(200);
        assert_eq!(tap.both(), (2 + others, 2 + others), "a token is repeated {settings:?}");
    }
}

#[tokio::test]
async fn within_the_reuse_interval_every_ancestor_gets_the_current_token() {
    let s = Server::with(&[("GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL", "10")]).await;
    let first = s.signed_up("ana@x.test").await.refresh_token;
    let second = issued(refresh(&s, &first).await);
    let third = issued(refresh(&s, &second).await);
    s.clock.advance(TimeDelta::seconds(9));
    for ancestor in [&first, &second] {
        assert_eq!(issued(refresh(&s, ancestor).await), third);
    }
    assert_eq!(
        count(&s, "select count(*) from auth.refresh_tokens where not revoked").await,
        1,
        "exactly one branch is valid"
    );
    s.clock.advance(TimeDelta::seconds(2));
    refused(&refresh(&s, &first).await, 400, "refresh_token_already_used", USED);
    refused(&refresh(&s, &third).await, 400, "refresh_token_already_used", USED);
}

/// Whatever is exchanged in any order, a family has at most one valid token, and reuse of an old one ends it.
#[tokio::test]
async fn a_token_family_never_has_two_valid_tokens() {
    let s = Server::with(&[("GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL", "10")]).await;
    // xorshift: the same sequence in every run.
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        usize::try_from(random % below as u64).unwrap()
    };
    for family in 0..6 {
        let mut tokens = vec![s.signed_up(&format!("{family}@x.test")).await.refresh_token];
        let mut dead = false;
        for _ in 0..12 {
            s.clock.advance(TimeDelta::seconds([0, 4, 11][next(3)]));
            // Mostly one of the last three.
            let among = if next(4) == 0 { tokens.len() } else { tokens.len().min(3) };
            let back = next(among);
            let token = tokens[tokens.len() - 1 - back].clone();
            let answer = refresh(&s, &token).await;
            if dead {
                refused(&answer, 400, "refresh_token_already_used", USED);
            } else if answer.status == 200 {
                let new = issued(answer);
                match back {
                    0 => tokens.push(new),
                    _ => assert_eq!(Some(&new), tokens.last(), "{back} back"),
                }
            } else {
                refused(&answer, 400, "refresh_token_already_used", USED);
                assert!(back > 1, "the parent of the active token is always accepted");
                dead = true;
            }
            let living = "select count(*) from auth.refresh_tokens t join auth.users u on u.id = t.user_id::uuid
                where not revoked and u.email = $1";
            let email = format!("{family}@x.test");
            let living: i64 = s.database.connect().await.query_one(living, &[&email]).await.unwrap().get(0);
            assert_eq!(living, i64::from(!dead));
        }
    }
}

#[tokio::test]
async fn signed_tokens_have_a_counter_and_their_reuse_ends_the_session() {
    let s = Server::with(&[SIGNED, ("GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL", "10")]).await;
    let ana = s.signed_up("ana@x.test").await;
    let first = ana.refresh_token.clone();
    assert!(first.len() > 40, "{first}");
    let answer = refresh(&s, &first).await.is(200);
    assert_eq!(answer.header("sb-auth-refresh-token-counter"), "1");
    assert_eq!(answer.header("sb-auth-refresh-token-reuse"), "false");
    let second = issued(answer);
    s.clock.advance(TimeDelta::hours(1));
    let again = refresh(&s, &first).await.is(200);
    assert_eq!(again.header("sb-auth-refresh-token-reuse-cause"), "fail-to-save");
    assert_eq!(issued(again), second, "a client that missed the answer repeats the request");
    let third = issued(refresh(&s, &second).await);
    let again = refresh(&s, &first).await.is(200);
    assert_eq!(again.header("sb-auth-refresh-token-reuse-cause"), "concurrent-refresh");
    assert_eq!(issued(again), third);
    s.clock.advance(TimeDelta::seconds(11));
    let refusal = refresh(&s, &first).await;
    refused(&refusal, 400, "refresh_token_already_used", USED);
    assert_eq!(refusal.header("sb-auth-refresh-token-rotated"), "true");
    let gone = "Invalid Refresh Token: Refresh Token Not Found";
    refused(&refresh(&s, &third).await, 400, "refresh_token_not_found", gone);
    ana.get("/auth/v1/user").await.is(403);
    assert_eq!(count(&s, "select count(*) from auth.sessions").await, 0);
    assert_eq!(count(&s, "select count(*) from auth.refresh_tokens").await, 0, "signed tokens have no rows");
}

#[tokio::test]
async fn a_signed_token_of_another_session_or_key_is_refused() {
    let s = Server::with(&[SIGNED]).await;
    let ana = s.signed_up("ana@x.test").await;
    let db = s.database.connect().await;
    db.execute("update auth.sessions set refresh_token_hmac_key = repeat('A', 43)", &[]).await.unwrap();
    let unknown = "Invalid Refresh Token: Refresh Token Not Found";
    refused(&refresh(&s, &ana.refresh_token).await, 400, "refresh_token_not_found", unknown);
    let cut = &ana.refresh_token[..ana.refresh_token.len() - 1];
    refused(&refresh(&s, cut).await, 400, "validation_failed", "Refresh token is not valid");
    let bob = s.signed_up("bob@x.test").await;
    let back = "update auth.sessions set refresh_token_counter = -1 where user_id = $1::text::uuid";
    db.execute(back, &[&bob.id]).await.unwrap();
    let foreign = "Invalid Refresh Token: Not Issued By This Server";
    refused(&refresh(&s, &bob.refresh_token).await, 400, "validation_failed", foreign);
}

#[tokio::test]
async fn parallel_refreshes_of_a_signed_token_all_get_the_same_child() {
    let s = Server::with(&[SIGNED, ("DUGOUT_DB_POOL", "24")]).await;
    let token = s.signed_up("ana@x.test").await.refresh_token;
    let answers = join_all((0..20).map(|_| async { refresh(&s, &token).await })).await;
    let children: Vec<String> = answers.into_iter().map(issued).collect();
    assert!(children.iter().all(|child| *child == children[0]), "{children:?}");
    assert_eq!(count(&s, "select refresh_token_counter from auth.sessions").await, 1);
}

#[tokio::test]
async fn stored_tokens_remain_valid_and_can_be_exchanged_for_signed_ones() {
    for (percentage, upgraded) in [("0", false), ("100", true)] {
        let s = Server::with(&[SIGNED, ("GOTRUE_SECURITY_REFRESH_TOKEN_UPGRADE_PERCENTAGE", percentage)]).await;
        s.signed_up("ana@x.test").await;
        // A session from before the setting.
        let older = "update auth.sessions set refresh_token_hmac_key = null, refresh_token_counter = null";
        let token = "insert into auth.refresh_tokens (instance_id, token, user_id, session_id, revoked, created_at, updated_at)
            select '00000000-0000-0000-0000-000000000000', 'legacyparent', user_id::text, id, false, created_at, created_at
            from auth.sessions";
        let db = s.database.connect().await;
        db.execute(older, &[]).await.unwrap();
        db.execute(token, &[]).await.unwrap();
        let answer = refresh(&s, "legacyparent").await.is(200);
        assert_eq!(answer.header("sb-auth-refresh-token-reuse"), "false");
        let child = issued(answer);
        assert_eq!(child.len() > 12, upgraded, "{child}");
        s.clock.advance(TimeDelta::hours(1));
        assert_eq!(issued(refresh(&s, "legacyparent").await), child, "the parent gets the child");
        let grandchild = issued(refresh(&s, &child).await);
        assert_ne!(grandchild, child);
        s.clock.advance(TimeDelta::hours(1));
        refused(&refresh(&s, "legacyparent").await, 400, "refresh_token_already_used", USED);
        refresh(&s, &grandchild).await.is(400);
    }
}

#[tokio::test]
async fn reuse_detection_can_be_disabled() {
    let always = ("GOTRUE_SECURITY_REFRESH_TOKEN_ALLOW_REUSE", "true");
    let s = Server::with(&[SIGNED, always]).await;
    let first = s.signed_up("ana@x.test").await.refresh_token;
    let mut last = first.clone();
    for _ in 0..3 {
        last = issued(refresh(&s, &last).await);
    }
    s.clock.advance(TimeDelta::hours(1));
    let again = refresh(&s, &first).await.is(200);
    assert_eq!(again.header("sb-auth-refresh-token-reuse-cause"), "always-allow");
    assert_eq!(issued(again), last);
    let kept = ("GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED", "false");
    let s = Server::with(&[SIGNED, kept]).await;
    let first = s.signed_up("ana@x.test").await.refresh_token;
    let last = issued(refresh(&s, &issued(refresh(&s, &first).await)).await);
    s.clock.advance(TimeDelta::hours(1));
    refused(&refresh(&s, &first).await, 400, "refresh_token_already_used", USED);
    refresh(&s, &last).await.is(200);
}
