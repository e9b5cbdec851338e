//! Database webhooks: `supabase_functions.http_request()`, <https://supabase.com/docs/guides/database/webhooks>.

use super::Running;

#[tokio::test]
async fn a_webhook_sends_the_row() {
    let Some(s) = Running::start().await else { return };
    let (own, key) = (s.launch.url(), s.launch.status("ANON_KEY"));
    // The API itself receives the request: each member of the body is an argument.
    s.run(
        "create table public.orders (id int primary key, note text);
         create table public.received (type text, place text, record jsonb, old_record jsonb);
         grant select on public.received to anon;
         create function public.receive(type text, schema text, \"table\" text, record jsonb, old_record jsonb)
         returns void language sql security definer set search_path = '' as $$
           insert into public.received values (type, schema || '.' || \"table\", record, old_record)
         $$;",
    )
    .await;
    s.run(&format!(
        "create trigger told after insert or update or delete on public.orders for each row
         execute function supabase_functions.http_request(
           '{own}/rest/v1/rpc/receive', 'POST', '{{\"Content-Type\": \"application/json\", \"apikey\": \"{key}\"}}', '{{}}', '5000')"
    ))
    .await;
    // The data API must know the function before the first request.
    s.run("notify pgrst, 'reload schema'").await;
    s.until(&format!(
        "(select net.http_get('{own}/rest/v1/received?select=type', '{{}}', '{{\"apikey\": \"{key}\"}}')) > 0
         and exists (select from net._http_response where status_code = 200)"
    ))
    .await;

    s.run("grant insert, update, delete on public.orders to anon; set role anon; insert into public.orders values (1, 'one'); reset role").await;
    s.until("(select count(*) from public.received) = 1").await;
    s.run("update public.orders set note = 'two'").await;
    s.until("(select count(*) from public.received) = 2").await;
    s.run("delete from public.orders").await;
    s.until("(select count(*) from public.received) = 3").await;
    let rows =
        "select string_agg(concat_ws(' ', type, place, record ->> 'note', old_record ->> 'note'), ', ' order by type)
         from public.received";
    assert_eq!(
        s.one(rows).await,
        "DELETE public.orders two, INSERT public.orders one, UPDATE public.orders two one",
        "{}",
        s.dugout.log()
    );
    // Each request is found by its trigger.
    let found = "select count(*) from supabase_functions.hooks h join net._http_response r on r.id = h.request_id
         where h.hook_name = 'told' and h.hook_table_id = 'public.orders'::regclass::oid::integer and r.status_code = 204";
    s.until(&format!("({found}) = 3")).await;

    for (arguments, said) in [
        ("", "url argument is missing"),
        ("'null', 'POST'", "url argument is missing"),
        ("'http://a'", "method argument is missing"),
        ("'http://a', 'PUT'", "method argument PUT is invalid"),
    ] {
        s.run(&format!(
            "create or replace trigger told after insert on public.orders for each row
             execute function supabase_functions.http_request({arguments})"
        ))
        .await;
        assert_eq!(s.refusal("insert into public.orders values (7, '')").await, said, "{arguments}");
    }
}

#[tokio::test]
async fn a_migration_may_move_an_extension_of_the_platform() {
    let Some(s) = Running::start().await else { return };
    for name in ["pg_net", "pgcrypto", "uuid-ossp", "pg_stat_statements", "supabase_vault"] {
        s.run(&format!("drop extension \"{name}\" cascade; create extension \"{name}\" with schema extensions")).await;
    }
    let id = s.one("select net.http_get('http://127.0.0.1:1/')").await;
    s.until(&format!("exists (select from net._http_response where id = {id})")).await;
    assert_eq!(s.one("select length(vault.create_secret('a', 'b')::text)").await, "36");
    assert_eq!(s.one("select decrypted_secret from vault.decrypted_secrets").await, "a");
}
