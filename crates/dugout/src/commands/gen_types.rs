//! `dugout gen types typescript`: the types of the database for supabase-js.

use std::collections::HashSet;
use std::io::Write;

use workbench::typescript;

use super::configuration::configuration;
use crate::cli::{GenAction, GenArgs};
use crate::exit::Failure;

/// Prints them. TypeScript is the only language, so that it need not be looked at.
pub async fn run(args: &GenArgs) -> Result<(), Failure> {
    let GenAction::Types { schema, .. } = &args.action;
    let (config, resolved) = configuration(args.server.flags(), args.server.project.as_deref())?;
    let schemas = if schema.is_empty() {
        // As with the CLI, `public` comes along.
        let mut seen = HashSet::new();
        let named = std::iter::once("public".to_owned()).chain(resolved.list("api.schemas"));
        named.filter(|name| seen.insert(name.clone())).collect()
    } else {
        schema.clone()
    };
    let opened = server::open(&config).await.map_err(Failure::new)?;
    let types = typescript::generate(&opened.owner, &schemas, &resolved.list("api.extra_search_path")).await;
    opened.close().await;
    let types = types.map_err(Failure::new)?;
    std::io::stdout().write_all(types.as_bytes()).map_err(Failure::new)
}
