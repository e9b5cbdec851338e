//! Concurrent actions of users of the app.

use std::time::Duration;

use futures_util::future::join_all;

use crate::kit::Database;

/// Five adults, and a post by the first of them.
const PEOPLE: &str = "
    insert into auth.users (id, email, raw_user_meta_data)
    select ('00000000-0000-4000-8000-00000000000' || n)::uuid, n || '@example.com',
      jsonb_build_object('full_name', 'Person ' || n, 'role', 'fan', 'public_profile', true)
    from generate_series(1, 5) as n;
    insert into public.birth_dates (user_id, birth_date)
    select id, '1990-01-01' from public.users where id::text like '00000000-0000-4000-8000-%';
    insert into public.posts (id, author_id, visibility, body)
    values ('00000000-0000-4000-8000-0000000000aa', '00000000-0000-4000-8000-000000000001', 'public', 'a post');";

/// Runs `sql` as person `number`, in a transaction that stays open for a moment.
async fn acts(database: &Database, number: usize, sql: &str) -> bool {
    let client = database.connect().await;
    let claims = format!(r#"{{"sub": "00000000-0000-4000-8000-00000000000{number}", "role": "authenticated"}}"#);
    let begin =
        format!("begin; select set_config('request.jwt.claims', '{claims}', true); set local role authenticated");
    client.batch_execute(&begin).await.unwrap();
    let done = client.batch_execute(sql).await.is_ok();
    tokio::time::sleep(Duration::from_millis(300)).await;
    client.batch_execute("commit").await.unwrap();
    done
}

async fn count(database: &Database, sql: &str) -> i64 {
    database.connect().await.query_one(sql, &[]).await.unwrap().get(0)
}

#[tokio::test]
async fn three_reports_at_once_hide_a_post() {
    let database = Database::cloned().await;
    database.connect().await.batch_execute(PEOPLE).await.unwrap();
    let report = "insert into public.reports (subject_kind, subject_id, reason)
        values ('post', '00000000-0000-4000-8000-0000000000aa', 'spam')";
    let done = join_all((2..=4).map(|number| acts(&database, number, report))).await;
    assert_eq!(done, [true; 3]);
    assert_eq!(count(&database, "select count(*) from public.posts where state = 'held'").await, 1);
}

#[tokio::test]
async fn likes_and_posts_at_once_keep_their_limits() {
    let database = Database::cloned().await;
    database.connect().await.batch_execute(PEOPLE).await.unwrap();
    let like = "insert into public.post_likes (post_id) values ('00000000-0000-4000-8000-0000000000aa')";
    let liked = join_all((0..4).map(|_| acts(&database, 2, like))).await;
    assert_eq!(liked.iter().filter(|liked| **liked).count(), 1);
    let twenty = "insert into public.posts (visibility, body) select 'public', 'x' from generate_series(1, 20)";
    let posted = join_all((0..3).map(|_| acts(&database, 3, twenty))).await;
    assert_eq!(posted.iter().filter(|posted| **posted).count(), 1, "thirty posts a day");
}
