//! `dugout keys`: the API keys of a data directory, shown or replaced.

use std::io::Write;

use server::secrets::Secrets;

use super::configuration::configuration;
use crate::cli::{KeysAction, KeysArgs};
use crate::exit::Failure;

/// Shows (the default) or rotates.
pub fn run(args: &KeysArgs) -> Result<(), Failure> {
    let (config, _) = configuration(args.server.flags(), args.server.project.as_deref())?;
    let Some(saved) = Secrets::load(&config.data_dir).map_err(Failure::new)? else {
        return Err(Failure::new(format!(
            "there are no keys in {} yet; `dugout start` makes them, and with --dev uses well-known ones, which \
             `dugout status` prints",
            config.data_dir.display()
        )));
    };
    let text = match args.action {
        None | Some(KeysAction::Show) => show(&saved.with_given(&config.keys).map_err(Failure::new)?),
        Some(KeysAction::Rotate { api_keys }) => {
            let mut secrets = saved;
            let message = if api_keys {
                secrets.rotate_api_keys().map_err(Failure::new)?;
                "New API keys are in force from the next start on; clients with the old ones will be refused.\n"
            } else {
                secrets.rotate_signing_key().map_err(Failure::new)?;
                "A new signing key is in force from the next start on; tokens of the old one stay valid.\n"
            };
            secrets.save(&config.data_dir).map_err(Failure::new)?;
            format!("{message}{}", show(&secrets))
        }
    };
    std::io::stdout().write_all(text.as_bytes()).map_err(Failure::new)
}

fn show(secrets: &Secrets) -> String {
    [
        ("ANON_KEY", &secrets.anon_key),
        ("SERVICE_ROLE_KEY", secrets.service_role_key.reveal()),
        ("PUBLISHABLE_KEY", &secrets.publishable_key),
        ("SECRET_KEY", secrets.secret_key.reveal()),
        ("JWT_SECRET", secrets.jwt_secret.reveal()),
    ]
    .iter()
    .map(|(name, value)| format!("{name}=\"{value}\"\n"))
    .collect()
}
