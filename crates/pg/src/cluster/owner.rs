//! The user that PostgreSQL runs as. PostgreSQL refuses root, so root gives the cluster to an unprivileged user.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::error::ClusterError;

/// The owner of the cluster's files and processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Owner {
    pub(super) uid: u32,
    gid: u32,
    name: String,
    /// Whether this is another user than that of our process.
    differs: bool,
}

impl Owner {
    /// The owner of `PG_VERSION` if the cluster exists; otherwise our own user, or for root `postgres`, else `nobody`.
    pub(super) fn decide(cluster: &Path) -> Result<Self, ClusterError> {
        let uid = rustix::process::geteuid().as_raw();
        let gid = rustix::process::getegid().as_raw();
        let marker = cluster.join("PG_VERSION");
        if let Ok(made) = fs::metadata(&marker) {
            if made.uid() == uid && uid != 0 {
                return Ok(Owner { uid, gid, name: uid.to_string(), differs: false });
            }
            if uid != 0 {
                return Err(ClusterError::OtherOwner { folder: cluster.to_owned(), owner: made.uid(), ours: uid });
            }
            if made.uid() != 0 {
                let name = made.uid().to_string();
                return Ok(Owner { uid: made.uid(), gid: made.gid(), name, differs: true });
            }
            // The cluster was copied by root. It gets the owner of a new cluster below.
        }
        if uid != 0 {
            return Ok(Owner { uid, gid, name: uid.to_string(), differs: false });
        }
        // initdb looks up the user, so it needs an entry in the passwd file.
        let passwd = fs::read_to_string("/etc/passwd").unwrap_or_default();
        ["postgres", "nobody"].into_iter().find_map(|name| Self::from_passwd(&passwd, name)).ok_or(ClusterError::NoUser)
    }

    /// <https://man7.org/linux/man-pages/man5/passwd.5.html>
    fn from_passwd(passwd: &str, name: &str) -> Option<Self> {
        passwd.lines().find_map(|line| {
            let mut fields = line.split(':');
            (fields.next() == Some(name)).then_some(())?;
            let uid = fields.nth(1)?.parse().ok()?;
            let gid = fields.next()?.parse().ok()?;
            (uid != 0).then(|| Owner { uid, gid, name: name.to_owned(), differs: true })
        })
    }

    /// Whether PostgreSQL runs as another user than our process.
    pub(super) fn differs(&self) -> bool {
        self.differs
    }

    /// Makes `command` run as the owner, without our supplementary groups.
    pub(super) fn become_in(&self, command: &mut Command) {
        if self.differs {
            command.uid(self.uid).gid(self.gid);
        }
    }

    /// Gives a file or folder to the owner.
    pub(super) fn give(&self, path: &Path) -> Result<(), ClusterError> {
        if self.differs {
            chown(path, Some(self.uid), Some(self.gid)).map_err(ClusterError::io("change the owner of", path))?;
        }
        Ok(())
    }

    /// Gives a folder and everything in it to the owner. Does not follow links.
    pub(super) fn give_tree(&self, path: &Path) -> Result<(), ClusterError> {
        let kind = fs::symlink_metadata(path).map_err(ClusterError::io("read", path))?.file_type();
        if kind.is_symlink() {
            return Ok(());
        }
        self.give(path)?;
        if kind.is_dir() {
            for entry in fs::read_dir(path).map_err(ClusterError::io("list", path))? {
                self.give_tree(&entry.map_err(ClusterError::io("list", path))?.path())?;
            }
        }
        Ok(())
    }

    /// Creates a folder that only the owner may enter, or makes an existing one private.
    pub(super) fn private_folder(&self, path: &Path) -> Result<(), ClusterError> {
        match fs::create_dir(path) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => self.check_whose(path)?,
            Err(error) => return Err(ClusterError::io("create", path)(error)),
        }
        self.give(path)?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o700))
            .map_err(ClusterError::io("change the permissions of", path))
    }

    /// Refuses a folder or link that another user created in a shared place such as /tmp: through it that user could redirect
    /// our changes or get access. Others cannot replace a folder of ours there.
    fn check_whose(&self, path: &Path) -> Result<(), ClusterError> {
        let found = fs::symlink_metadata(path).map_err(ClusterError::io("read", path))?;
        let ours = [self.uid, rustix::process::geteuid().as_raw()].contains(&found.uid());
        if found.is_dir() && ours {
            return Ok(());
        }
        let problem =
            format!("it already exists and is not a folder, or belongs to user id {}; remove it", found.uid());
        Err(ClusterError::io("use", path)(io::Error::other(problem)))
    }

    /// The first folder on the path to `path`, including `path` itself, that the owner may not enter.
    pub(super) fn obstacle(&self, path: &Path) -> Option<PathBuf> {
        if !self.differs {
            return None;
        }
        let ancestors: Vec<&Path> = path.ancestors().collect();
        ancestors.into_iter().rev().find(|folder| !self.may_pass(folder)).map(Path::to_owned)
    }

    fn may_pass(&self, folder: &Path) -> bool {
        let Ok(found) = fs::metadata(folder) else { return true };
        let bit = match (found.uid() == self.uid, found.gid() == self.gid) {
            (true, _) => 0o100,
            (false, true) => 0o010,
            (false, false) => 0o001,
        };
        !found.is_dir() || found.mode() & bit != 0
    }

    /// [`ClusterError::Unreachable`] if there is an [`Owner::obstacle`].
    pub(super) fn require_passage(&self, path: &Path) -> Result<(), ClusterError> {
        match self.obstacle(path) {
            Some(closed) => Err(ClusterError::Unreachable { user: self.name.clone(), closed }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_are_read_from_the_passwd_file() {
        let passwd = "root:x:0:0:root:/root:/bin/bash\nmypostgres:x:7:7::/:/x\npostgres:x:101:104:,,,:/var:/bin/bash\nbad:x:y:z\n";
        let postgres = Owner::from_passwd(passwd, "postgres").unwrap();
        assert_eq!((postgres.uid, postgres.gid), (101, 104));
        assert_eq!(Owner::from_passwd(passwd, "nobody"), None);
        assert_eq!(Owner::from_passwd(passwd, "bad"), None);
        assert_eq!(Owner::from_passwd(passwd, "root"), None, "never root");
    }

    #[test]
    fn a_private_folder_of_another_user_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let owner = Owner::decide(&root.path().join("none")).unwrap();
        let folder = root.path().join("run");
        owner.private_folder(&folder).unwrap();
        owner.private_folder(&folder).unwrap();
        assert_eq!(fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
        let link = root.path().join("link");
        std::os::unix::fs::symlink(&folder, &link).unwrap();
        assert!(owner.private_folder(&link).unwrap_err().to_string().contains("it already exists"));
        let ours = fs::metadata(&folder).unwrap().uid();
        if ours == rustix::process::geteuid().as_raw() {
            return; // Only root makes folders for others.
        }
        let stranger = Owner { uid: ours + 1, ..owner };
        assert!(stranger.private_folder(&folder).is_err(), "it belongs to another user");
    }

    #[test]
    fn a_folder_that_blocks_the_path_is_named() {
        let root = tempfile::tempdir().unwrap();
        let closed = root.path().join("closed");
        fs::create_dir_all(closed.join("data")).unwrap();
        fs::set_permissions(root.path(), fs::Permissions::from_mode(0o755)).unwrap();
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
        let stranger = Owner { uid: 4_000_000, gid: 4_000_000, name: "stranger".into(), differs: true };
        assert_eq!(stranger.obstacle(&closed.join("data")), Some(closed.clone()));
        assert_eq!(stranger.obstacle(root.path()), None);
        let ourselves = Owner { differs: false, ..stranger };
        assert_eq!(ourselves.obstacle(&closed), None);
    }
}
