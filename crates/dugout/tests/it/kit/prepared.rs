//! Data directories as a first start leaves them: `initdb` and the migrations take longer than most tests.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use tokio::sync::OnceCell;

use super::database::hash_of_sql;
use super::{Account, Launch};

impl Launch {
    /// As [`Launch::new`], with a copy of a data directory that this binary has started in and stopped in good order.
    pub async fn prepared(account: Account) -> Self {
        static OURS: OnceCell<PathBuf> = OnceCell::const_new();
        static ORDINARY: OnceCell<PathBuf> = OnceCell::const_new();
        let kept = match account {
            Account::Ours => &OURS,
            Account::Ordinary => &ORDINARY,
        };
        let launch = Launch::new(account);
        copy(kept.get_or_init(|| kept_data(account)).await, &launch.data_dir());
        launch
    }
}

/// The directory that is copied. It stays for the next run, which makes a new one after a change.
async fn kept_data(account: Account) -> PathBuf {
    let tmp = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let prefix = format!("prepared-{account:?}-");
    let kept = tmp.join(format!("{prefix}{:016x}", fingerprint()));
    if kept.exists() {
        return kept;
    }
    for entry in fs::read_dir(tmp).unwrap().map(Result::unwrap) {
        if entry.file_name().to_string_lossy().starts_with(&prefix) {
            fs::remove_dir_all(entry.path()).unwrap();
        }
    }
    let launch = Launch::new(account);
    let mut dugout = launch.start().await;
    dugout.stop().await;
    let unfinished = tmp.join(format!("{prefix}unfinished"));
    fs::create_dir(&unfinished).unwrap();
    copy(&launch.data_dir(), &unfinished);
    fs::rename(&unfinished, &kept).unwrap();
    kept
}

/// Differs after every build and every change of a migration.
fn fingerprint() -> u64 {
    let mut hasher = DefaultHasher::new();
    let binary = fs::metadata(env!("CARGO_BIN_EXE_dugout")).unwrap();
    (hash_of_sql(), binary.len(), binary.modified().unwrap()).hash(&mut hasher);
    hasher.finish()
}

/// Copies the contents of a folder, with their owners.
fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-a").arg(from.join(".")).arg(to).status().unwrap();
    assert!(copied.success());
}
