//! docs/settings.md is generated from the tables of settings.

use server::registry::{self, SERVICES};

use super::root;

#[test]
fn the_document_of_settings_is_up_to_date() {
    let (path, wanted) = (root().join("docs/settings.md"), registry::settings_document(SERVICES));
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    if found != wanted && std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, wanted).unwrap();
        return;
    }
    assert!(found == wanted, "docs/settings.md is stale: UPDATE=1 cargo test -p dugout --test it document_of_settings");
}

#[test]
fn every_setting_has_one_name_and_a_meaning() {
    let mut keys = std::collections::BTreeSet::new();
    for setting in registry::settings(SERVICES) {
        assert!(keys.insert(setting.key), "{} is there twice", setting.key);
        assert!(setting.meaning.len() > 10 && !setting.meaning.ends_with('.'), "{}: {}", setting.key, setting.meaning);
        let places = [setting.config, setting.dugout, setting.env, setting.flag];
        assert!(places.iter().any(Option::is_some), "{} can be set nowhere", setting.key);
    }
}
