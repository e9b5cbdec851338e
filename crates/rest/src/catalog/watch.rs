//! Keeps the catalog current: loads it, listens for announcements, loads again.
//!
//! Announcements that come during a load cause one more load, however many they are. Requests go on with the old catalog;
//! a failed load leaves it in place.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use gateway::events::Event as Happened;
use pg::listen::{Event, listen};
use pg::{Access, Ident, Isolation, Session};

use super::{load, settings};
use crate::config::Config;
use crate::{Rest, State};

/// Delay after the first failure; it doubles up to [`MAX_DELAY`].
const FIRST_DELAY: Duration = Duration::from_secs(1);
const MAX_DELAY: Duration = Duration::from_secs(32);

/// Runs for as long as it is polled.
///
/// # Errors
/// Only when the target's TLS settings cannot be used.
pub(crate) async fn watch(rest: &Rest) -> Result<Infallible, pg::Error> {
    let loading = async {
        loop {
            load_until_done(rest).await;
            rest.reload.notified().await;
        }
    };
    let channel = [Ident::new(&rest.config.db_channel)];
    let on_event = |event: Event| {
        // What was announced while nobody listened is unknown, so a new connection counts as an announcement.
        let wanted = match event {
            Event::Connected | Event::Reconnected => true,
            Event::Notification { payload, .. } => matches!(payload.as_str(), "" | "reload schema" | "reload config"),
        };
        if wanted {
            rest.reload.notify_one();
        }
    };
    if !rest.config.db_channel_enabled {
        return Ok(loading.await);
    }
    tokio::select! {
        never = loading => Ok(never),
        failed = listen(&rest.target, &channel, on_event) => failed,
    }
}

async fn load_until_done(rest: &Rest) {
    let mut delay = FIRST_DELAY;
    loop {
        let started = Instant::now();
        match read(rest).await {
            Ok(state) => {
                rest.events.emit(Happened::CatalogLoaded {
                    duration: started.elapsed(),
                    relations: state.catalog.tables.len(),
                    routines: state.catalog.routines.len(),
                });
                rest.state.store(Some(std::sync::Arc::new(state)));
                return;
            }
            Err(error) => {
                rest.events.emit(Happened::CatalogFailed { detail: &error.to_string() });
                rest.retry_after.store(delay.as_secs(), std::sync::atomic::Ordering::Relaxed);
                tokio::time::sleep(delay).await;
                delay = (delay * 2).min(MAX_DELAY);
            }
        }
    }
}

/// Configuration, role settings and catalog, as they are at one moment.
async fn read(rest: &Rest) -> Result<State, pg::Error> {
    let mut connection = rest.pool.get().await?;
    // Without a search path PostgreSQL shows every type with its schema.
    let mut session = Session::of_connection();
    session.set("search_path", "");
    let transaction = connection.begin(&session, Isolation::RepeatableRead, Access::ReadOnly).await?;
    let mut config = rest.config.clone();
    if config.db_config {
        config = with_settings(config, settings::in_database(&transaction).await?);
    }
    let roles = settings::RoleSettings::load(&transaction).await?;
    let catalog = load::load(&transaction, &config).await?;
    transaction.commit().await?;
    Ok(State { config, catalog, roles })
}

/// Settings made in the database; those that cannot be used are logged and passed over.
fn with_settings(config: Config, found: Vec<(String, String)>) -> Config {
    match config.clone().with(found) {
        Ok(config) => config,
        Err(problems) => {
            for problem in problems {
                tracing::error!(%problem, "a setting made in the database cannot be used");
            }
            config
        }
    }
}
