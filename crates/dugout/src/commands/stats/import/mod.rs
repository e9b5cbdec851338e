//! `dugout stats import`: fills the app's tables from archives. Every step adds or updates rows by their keys in small
//! transactions, so an import that was interrupted is simply repeated.

mod columns;
mod league;
mod retrosheet;
mod season_lines;
pub mod sheets;
mod skipped;
mod table_files;

use pg::pool::Query;
use pg::{Pool, PoolConfig, Target};

pub use self::league::bar;
use self::skipped::Skipped;
use super::output::say;
use crate::cli::{ImportArgs, ImportKind};
use crate::commands::configuration::configuration;
use crate::exit::Failure;

/// Imports and prints what was added, what changed and what was skipped.
pub async fn run(args: &ImportArgs) -> Result<(), Failure> {
    let (config, _) = configuration(args.server.flags(), args.server.project.as_deref())?;
    let opened = server::open(&config).await.map_err(Failure::new)?;
    let imported = import(&opened.owner, args).await;
    opened.close().await;
    crate::progress::end();
    say(&imported?)
}

async fn import(owner: &Target, args: &ImportArgs) -> Result<String, Failure> {
    let pool = Pool::new(owner, &PoolConfig { size: 1, ..PoolConfig::default() }).map_err(Failure::new)?;
    let mut connection = pool.get().await.map_err(Failure::new)?;
    let sql = "select to_regclass('public.player_season_batting') is not null";
    let row = connection.query_one(sql, &[]).await.map_err(Failure::new)?;
    if !row.try_get::<_, bool>(0).map_err(Failure::new)? {
        return Err(Failure::new(
            "the database has no tables for statistics; run `dugout migrate` in the app's project",
        ));
    }
    let mut skipped = Skipped::default();
    let text = match args.kind {
        ImportKind::Lahman => season_lines::run(&mut connection, args, &season_lines::LAHMAN, &mut skipped).await?,
        ImportKind::Retrosheet => retrosheet::run(&mut connection, args, &mut skipped).await?,
        ImportKind::Csv => season_lines::run(&mut connection, args, &season_lines::CSV, &mut skipped).await?,
    };
    Ok(format!("{text}{skipped}"))
}
