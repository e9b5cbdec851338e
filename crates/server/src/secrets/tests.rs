//! Generating, completing, rotating and loading secrets.

use super::*;
use std::os::unix::fs::PermissionsExt;

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("dugout-secrets-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

#[test]
fn secrets_are_generated_once_and_readable_by_the_owner_only() {
    let folder = folder("once");
    let first = Secrets::load_or_create(&folder).unwrap();
    let second = Secrets::load_or_create(&folder).unwrap();
    assert_eq!(first.jwt_secret, second.jwt_secret);
    assert_eq!(std::fs::metadata(folder.join(FILE)).unwrap().permissions().mode() & 0o777, 0o600);
    let keys = second.keys(Clock::default()).unwrap();
    assert_eq!(keys.verify(&first.anon_key).unwrap().string("role"), Some("anon"));
    assert_eq!(keys.jwks()["keys"].as_array().unwrap().len(), 1);
    assert!(!format!("{first:?}").contains(first.jwt_secret.reveal()));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn concurrent_starts_use_the_same_secrets() {
    let folder = folder("race");
    let start = std::sync::Barrier::new(8);
    let made: std::collections::BTreeSet<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    start.wait();
                    Secrets::load_or_create(&folder).unwrap().publishable_key
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(made.len(), 1);
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "no draft is left over");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn rotation_keeps_old_tokens_and_replaces_old_keys() {
    let folder = folder("rotate");
    let mut secrets = Secrets::load_or_create(&folder).unwrap();
    let old = secrets.clone();
    let token = old.keys(Clock::default()).unwrap().sign(&serde_json::Map::new()).unwrap();
    secrets.rotate_signing_key().unwrap();
    assert!(secrets.keys(Clock::default()).unwrap().verify(&token).is_ok());
    secrets.rotate_api_keys().unwrap();
    assert!(secrets.keys(Clock::default()).unwrap().verify(&old.anon_key).is_err());
    assert_eq!(secrets.api_keys().role(old.secret_key.reveal()), None);
    assert_eq!(secrets.role_password("authenticator"), old.role_password("authenticator"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_well_known_keys_fit_the_well_known_secret() {
    let secrets = Secrets::dev();
    let keys = secrets.keys(Clock::default()).unwrap();
    assert_eq!(keys.verify(&secrets.anon_key).unwrap().string("role"), Some("anon"));
    assert_eq!(keys.verify(secrets.service_role_key.reveal()).unwrap().string("role"), Some("service_role"));
}

#[test]
fn the_file_of_an_older_version_is_completed_once() {
    let folder = folder("older");
    let whole = Secrets::load_or_create(&folder).unwrap();
    let text = std::fs::read_to_string(folder.join(FILE)).unwrap();
    let names: Vec<String> =
        serde_json::from_str::<serde_json::Map<_, _>>(&text).unwrap().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), 8);
    for name in names.iter().filter(|name| *name != "jwt_secret") {
        let mut older: serde_json::Map<String, Value> = serde_json::from_str(&text).unwrap();
        older.remove(name);
        std::fs::write(folder.join(FILE), serde_json::to_vec(&older).unwrap()).unwrap();
        let first = serde_json::to_value(Secrets::load_or_create(&folder).unwrap()).unwrap();
        let second = serde_json::to_value(Secrets::load_or_create(&folder).unwrap()).unwrap();
        assert_eq!(first, second, "without {name}");
        let kept = first.as_object().unwrap().iter().filter(|(key, value)| older.get(*key) == Some(value)).count();
        assert_eq!(kept, 7, "without {name}");
    }
    let older = serde_json::json!({ "jwt_secret": whole.jwt_secret.reveal() }).to_string();
    std::fs::write(folder.join(FILE), older).unwrap();
    let secrets = Secrets::load_or_create(&folder).unwrap();
    let keys = secrets.keys(Clock::default()).unwrap();
    assert_eq!(keys.verify(&secrets.anon_key).unwrap().string("role"), Some("anon"));
    assert_eq!(std::fs::metadata(folder.join(FILE)).unwrap().permissions().mode() & 0o777, 0o600);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn concurrent_processes_complete_an_older_file_with_the_same_secrets() {
    let folder = folder("older-at-once");
    std::fs::create_dir_all(&folder).unwrap();
    for _ in 0..10 {
        std::fs::write(folder.join(FILE), r#"{"jwt_secret":"a-secret-of-an-older-version-of-dugout"}"#).unwrap();
        let starts: Vec<_> = (0..4)
            .map(|_| {
                let folder = folder.clone();
                std::thread::spawn(move || Secrets::load_or_create(&folder).unwrap().role_key.reveal().clone())
            })
            .collect();
        let keys: std::collections::HashSet<_> = starts.into_iter().map(|start| start.join().unwrap()).collect();
        assert_eq!(keys.len(), 1);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_damaged_file_is_not_overwritten() {
    let folder = folder("damaged");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(FILE), "{").unwrap();
    assert!(matches!(Secrets::load_or_create(&folder), Err(SecretsError::Damaged(..))));
    assert_eq!(std::fs::read_to_string(folder.join(FILE)).unwrap(), "{");
    std::fs::remove_dir_all(folder).unwrap();
}
