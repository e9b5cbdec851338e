//! pgmq and pgjwt: their READMEs' examples.

use super::Running;

#[tokio::test]
async fn messages_are_sent_read_archived_and_popped() {
    let Some(s) = Running::start().await else { return };
    s.run("create schema if not exists pgmq; create extension pgmq with schema pgmq; select pgmq.create('my_queue')")
        .await;
    s.run("select pgmq.create('my_queue')").await;
    assert_eq!(s.one("select * from pgmq.send('my_queue', '{\"foo\": \"bar1\"}')").await, "1");
    assert_eq!(s.one("select * from pgmq.send('my_queue', '{\"foo\": \"bar2\"}', 3600)").await, "2");
    assert_eq!(
        s.one("select array_agg(id) from pgmq.send_batch('my_queue', array['{}', '{}']::jsonb[]) as id").await,
        "{3,4}"
    );
    let read = "select array_agg(msg_id) from pgmq.read('my_queue', 30, 10)";
    assert_eq!(s.one(read).await, "{1,3,4}", "a delayed message waits");
    assert_eq!(s.one(read).await, "null", "messages that were read are invisible for a while");
    assert_eq!(s.one("select read_ct from pgmq.set_vt('my_queue', 1, 0)").await, "1");
    assert_eq!(s.one("select message ->> 'foo' from pgmq.pop('my_queue')").await, "bar1");
    assert_eq!(s.one("select pgmq.archive('my_queue', 3)").await, "t");
    assert_eq!(s.one("select pgmq.delete('my_queue', 99::bigint)").await, "f");
    assert_eq!(s.one("select count(*) from pgmq.a_my_queue").await, "1");
    assert_eq!(s.one("select queue_length from pgmq.metrics('my_queue')").await, "2");
    assert_eq!(s.one("select pgmq.purge_queue('my_queue')").await, "2");
    assert_eq!(s.one("select pgmq.drop_queue('my_queue')").await, "t");
    assert_eq!(s.one("select count(*) from pgmq.list_queues()").await, "0");
    assert!(s.refusal("select pgmq.create('a;b')").await.contains("invalid characters"));
    assert!(s.refusal("select pgmq.create_partitioned('p')").await.contains("pg_partman"));
}

#[tokio::test]
async fn tokens_are_signed_and_verified() {
    let Some(s) = Running::start().await else { return };
    s.run("create extension pgjwt with schema extensions").await;
    // The token of the README, which jwt.io shows too.
    let token = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiYWRtaW4iOnRydWV9.\
        TJVA95OrM7E2cBab30RMHrHDcEfxjoYZgeFONFh7HgQ";
    let sign = "select extensions.sign('{\"sub\":\"1234567890\",\"name\":\"John Doe\",\"admin\":true}', 'secret')";
    assert_eq!(s.one(sign).await, token);
    assert_eq!(s.one(&format!("select valid from extensions.verify('{token}', 'secret')")).await, "t");
    assert_eq!(s.one(&format!("select valid from extensions.verify('{token}', 'wrong')")).await, "f");
    let expired = "select valid from extensions.verify(extensions.sign('{\"exp\": 1}', 'secret'), 'secret')";
    assert_eq!(s.one(expired).await, "f");
}
