//! A deployed version of a function, as it is kept beside its files.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A version. Its files never change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Version {
    /// The function.
    pub(crate) name: String,
    /// That of the function: a UUID, the same for all versions.
    pub(crate) id: String,
    /// 1 for the first.
    pub(crate) number: u32,
    /// The module that is run, below the version's files.
    pub(crate) entry: String,
    /// The import map or deno.json, below the version's files.
    pub(crate) import_map: Option<String>,
    pub(crate) verify_jwt: bool,
    /// A digest of all files.
    pub(crate) sha256: String,
    /// When the function was deployed first, in milliseconds since 1970.
    pub(crate) created_at: i64,
    /// When this version was deployed, in the same unit.
    pub(crate) updated_at: i64,
}

impl Version {
    /// The function as Supabase's management API shows it.
    pub(crate) fn shown(&self) -> Value {
        let mut shown = json!({
            "id": self.id,
            "slug": self.name,
            "name": self.name,
            "status": "ACTIVE",
            "version": self.number,
            "created_at": self.created_at,
            "updated_at": self.updated_at,
            "verify_jwt": self.verify_jwt,
            "import_map": self.import_map.is_some(),
            "entrypoint_path": self.entry,
            "ezbr_sha256": self.sha256,
        });
        // The CLI takes no null here.
        if let Some(path) = &self.import_map {
            shown["import_map_path"] = json!(path);
        }
        shown
    }
}
