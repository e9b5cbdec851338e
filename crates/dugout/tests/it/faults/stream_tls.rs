//! The stream of changes from a server with TLS: encrypted and checked as every other connection.

use std::os::unix::fs::{MetadataExt, chown};
use std::path::Path;
use std::process::Command;

use pg::Target;
use pg::replication::{ChangeStream, Event};
use tokio_postgres::Client;

use crate::kit::{Account, Launch, connect, free_port, skip};

const AUTHORITY: &str = "[req]\ndistinguished_name = name\n[name]\n[authority]\nbasicConstraints = critical, CA:true\n\
    [server]\nbasicConstraints = CA:false\nsubjectAltName = DNS:localhost\n";

/// Writes a certificate NAME.pem with its key NAME.key.
fn certify(folder: &Path, name: &str, extensions: &str, by: Option<&str>) -> bool {
    let mut openssl = Command::new("openssl");
    openssl.current_dir(folder).args(["req", "-x509", "-config", "openssl.cnf", "-extensions", extensions]);
    openssl.args(["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]);
    openssl.args(["-subj", &format!("/CN={name}"), "-keyout", &format!("{name}.key"), "-out", &format!("{name}.pem")]);
    if let Some(by) = by {
        openssl.args(["-CA", &format!("{by}.pem"), "-CAkey", &format!("{by}.key")]);
    }
    openssl.output().is_ok_and(|output| output.status.success())
}

/// Whether the connection of the stream is encrypted, as the server sees it.
async fn is_encrypted(admin: &Client) -> bool {
    let sql = "select ssl from pg_stat_ssl join pg_stat_replication using (pid)";
    admin.query_one(sql, &[]).await.unwrap().get(0)
}

async fn opened(url: &str) -> Result<ChangeStream, String> {
    let target = Target::parse(url).unwrap();
    let publications = ["supabase_realtime".to_owned()];
    ChangeStream::open(&target, "a_slot_of_a_test", &publications).await.map_err(|error| error.to_string())
}

/// Switches TLS on, with the certificate of the server.
async fn switch_on(admin: &Client, launch: &Launch) {
    let folder = launch.folder.path();
    // PostgreSQL runs as another user when root has started it, and its owner must own the key.
    let owner = std::fs::metadata(launch.data_dir().join("postgres")).unwrap();
    for (setting, file) in [("ssl_cert_file", "server.pem"), ("ssl_key_file", "server.key")] {
        chown(folder.join(file), Some(owner.uid()), Some(owner.gid())).unwrap();
        let value = format!("alter system set {setting} = '{}'", folder.join(file).display());
        admin.batch_execute(&value).await.unwrap();
    }
    admin.batch_execute("alter system set ssl = on").await.unwrap();
    admin.batch_execute("select pg_reload_conf()").await.unwrap();
    // The postmaster reads its files a moment later.
    while admin.query_one("show ssl", &[]).await.unwrap().get::<_, String>(0) != "on" {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn the_stream_of_changes_is_encrypted_and_its_server_is_checked() {
    let port = free_port();
    let launch = Launch::new(Account::Ours).switch("--dev").arg("--db-port", port.to_string());
    let folder = launch.folder.path();
    std::fs::write(folder.join("openssl.cnf"), AUTHORITY).unwrap();
    let made = certify(folder, "ours", "authority", None)
        && certify(folder, "theirs", "authority", None)
        && certify(folder, "server", "server", Some("ours"));
    if !made {
        return skip("openssl cannot make certificates here");
    }
    let _dugout = launch.start().await;
    let admin = connect(&Target::unix(&launch.data_dir().join("run"), port, "supabase_admin", "postgres")).await;
    admin.batch_execute("create table public.notes (id int primary key)").await.unwrap();
    admin.batch_execute("alter publication supabase_realtime add table public.notes").await.unwrap();
    let url = |host: &str, mode: &str| format!("postgresql://postgres:postgres@{host}:{port}/postgres?sslmode={mode}");
    let checked = |host: &str, mode: &str, by: &str| {
        format!("{}&sslrootcert={}", url(host, mode), folder.join(format!("{by}.pem")).display())
    };

    let refused = opened(&url("localhost", "require")).await.err().unwrap();
    assert!(refused.contains("does not offer TLS"), "{refused}");
    let stream = opened(&url("localhost", "prefer")).await.unwrap();
    assert!(!is_encrypted(&admin).await);
    stream.close().await;

    switch_on(&admin, &launch).await;
    for (url, reason) in [
        (checked("localhost", "verify-full", "theirs"), "UnknownIssuer"),
        (checked("localhost", "verify-ca", "theirs"), "UnknownIssuer"),
        (checked("localhost", "require", "theirs"), "UnknownIssuer"),
        (checked("127.0.0.1", "verify-full", "ours"), "not valid for name"),
        (url("localhost", "verify-full"), "UnknownIssuer"),
        (url("localhost", "require") + "&channel_binding=require", "channel_binding"),
    ] {
        let refused = opened(&url).await.err().unwrap_or_else(|| panic!("{url} is not refused"));
        assert!(refused.contains(reason), "{url}: {refused}");
    }
    for url in [
        url("localhost", "prefer"),
        url("localhost", "require"),
        checked("127.0.0.1", "verify-ca", "ours"),
        checked("localhost", "verify-full", "ours"),
    ] {
        let mut stream = opened(&url).await.unwrap_or_else(|error| panic!("{url}: {error}"));
        assert!(is_encrypted(&admin).await, "{url}");
        admin
            .batch_execute("insert into public.notes select coalesce(max(id), 0) + 1 from public.notes")
            .await
            .unwrap();
        loop {
            if matches!(stream.next().await.unwrap(), Event::Change(_)) {
                break;
            }
        }
        stream.close().await;
    }
    let plain = opened(&url("localhost", "disable")).await.unwrap();
    assert!(!is_encrypted(&admin).await);
    plain.close().await;
    // Nothing is left of the sockets that lead to the server.
    let left = std::fs::read_dir(std::env::temp_dir()).unwrap().flatten();
    let left = left.filter(|entry| entry.path().join(".s.PGSQL.5432").exists() && entry.file_name().len() == 39);
    assert_eq!(left.count(), 0);
}
