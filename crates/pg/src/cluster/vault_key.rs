//! The key of the extension supabase_vault: a file that only PostgreSQL's user and root may read. A function of the extension
//! reads it with the superuser's rights. It is in no setting, log, statement or dump.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rand::TryRngCore;
use rand::rngs::OsRng;

use super::error::ClusterError;
use super::owner::Owner;

/// The key's file, beside the cluster's folder: `vault._key()` reads `../vault.key`.
pub(super) const FILE: &str = "vault.key";

/// Length of the key, in bytes.
const LENGTH: usize = 32;

/// Creates the key if the file is missing. An existing key is never replaced, because the secrets could not be decrypted without it.
///
/// # Errors
/// [`ClusterError::Io`].
pub(super) fn create(data_dir: &Path, owner: &Owner) -> Result<(), ClusterError> {
    let path = data_dir.join(FILE);
    if path.exists() {
        return Ok(());
    }
    let aside = data_dir.join("vault.key.new");
    let make = || -> io::Result<()> {
        let mut key = [0; LENGTH];
        OsRng.try_fill_bytes(&mut key).map_err(io::Error::other)?;
        let text: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        match fs::remove_file(&aside) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&aside)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()
    };
    make().map_err(ClusterError::io("write", &aside))?;
    owner.give(&aside)?;
    fs::rename(&aside, &path).map_err(ClusterError::io("rename", &aside))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn the_key_is_created_once_and_private() {
        let folder = tempfile::tempdir().unwrap();
        let owner = Owner::decide(&folder.path().join("none")).unwrap();
        create(folder.path(), &owner).unwrap();
        let path = folder.path().join(FILE);
        let key = fs::read_to_string(&path).unwrap();
        assert_eq!(key.len(), 2 * LENGTH);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        create(folder.path(), &owner).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), key);
    }
}
