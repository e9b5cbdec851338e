//! The app's rule that a minor's files need a guardian, while a file arrives and the consent ends at once.

use std::time::{Duration, Instant};

use crate::kit::Database;

/// A child and a guardian.
const PEOPLE: &str = "
    delete from auth.users;
    insert into auth.users (id, email, confirmation_sent_at, email_confirmed_at, raw_user_meta_data)
    select ('00000000-0000-4000-8000-00000000000' || number)::uuid, role || '@consent.test', now(), now(),
      jsonb_build_object('full_name', role, 'role', role)
    from (values (1, 'player'), (2, 'fan')) as people (number, role);
    insert into public.birth_dates (user_id, birth_date)
    select id, (now() - case when email like 'player%' then interval '11 years' else interval '40 years' end)::date
    from auth.users;
    insert into public.guardianships (ward_id, guardian_id, invited_email, status)
    select '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002', 'fan@consent.test', 'accepted';";
/// As the storage service writes the row when the bytes are there.
const ARRIVAL: &str = "
    set local role service_role;
    insert into storage.objects (bucket_id, name, owner_id) values ('profile-videos',
      '00000000-0000-4000-8000-000000000001/00000000-0000-4000-8000-000000000003.mp4',
      '00000000-0000-4000-8000-000000000002');";

#[tokio::test]
async fn of_a_file_and_the_end_of_its_consent_the_end_wins() {
    for (end, arrives_first) in [
        ("update public.guardianships set status = 'revoked'", true),
        ("update public.guardianships set status = 'revoked'", false),
        ("delete from auth.users where email like 'player%'", true),
        ("delete from auth.users where email like 'player%'", false),
        ("delete from auth.users where email like 'fan%'", true),
        ("delete from auth.users where email like 'fan%'", false),
    ] {
        let database = Database::cloned().await;
        let (one, two, watch) = (database.connect().await, database.connect().await, database.connect().await);
        one.batch_execute(PEOPLE).await.unwrap();
        let (first, second) = if arrives_first { (ARRIVAL, end) } else { (end, ARRIVAL) };
        one.batch_execute(&format!("begin; {first}")).await.unwrap();
        let second = tokio::spawn(async move { two.batch_execute(&format!("begin; {second}; commit")).await });
        let waiting =
            "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
        let begun = Instant::now();
        while watch.query_one(waiting, &[]).await.unwrap().get::<_, i64>(0) == 0 {
            assert!(
                begun.elapsed() < Duration::from_secs(60) && !second.is_finished(),
                "{end}: the second does not wait"
            );
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        one.batch_execute("commit").await.unwrap();
        let second = second.await.unwrap();
        assert_eq!(second.is_ok(), arrives_first, "{end}: {second:?}");
        let left =
            watch.query_one("select count(*) from storage.objects where bucket_id = 'profile-videos'", &[]).await;
        assert_eq!(left.unwrap().get::<_, i64>(0), 0, "{end}");
    }
}
