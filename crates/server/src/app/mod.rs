//! The routes of the one origin: the services, the server's own endpoints and the app.

mod cors;
mod headers;
mod health;
mod ip;
pub(crate) mod mailbox;
mod meta;
mod page;
mod site;

use std::sync::Arc;

use actix_web::http::Method;
use actix_web::middleware::{Compress, from_fn};
use actix_web::{guard, web};
use gateway::client_ip::TrustedProxies;
use gateway::events::Events;
use gateway::wire::Plain;
use gateway::{CallerPolicy, PolicyCell, Route, route};

use crate::services::Services;

pub use site::{File, SiteFiles};

pub(crate) use cors::cors;
pub(crate) use health::{Health, admin};
pub(crate) use meta::PageMeta;
pub(crate) use page::{PageSettings, escape};

/// Shared by all HTTP workers.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) events: Events,
    pub(crate) proxies: TrustedProxies,
    pub(crate) policy: CallerPolicy,
    pub(crate) health: Health,
    pub(crate) services: Services,
    pub(crate) page: PageSettings,
    pub(crate) meta: PageMeta,
    pub(crate) site: Option<Arc<dyn SiteFiles>>,
}

/// The routes that belong to no service, each also for HEAD.
fn own_routes() -> Vec<Route> {
    let both = |path, get: fn(Method, &'static str) -> Route| [get(Method::GET, path), get(Method::HEAD, path)];
    let ip = both("/ip", |method, path| Route::new(method, path, ip::ip));
    let health = both("/health", |method, path| Route::new(method, path, health::health));
    ip.into_iter().chain(health).collect()
}

/// Mounts all services and routes. The app takes every GET that nothing else matches.
pub(crate) fn mount(shared: &Shared, app: &mut web::ServiceConfig) {
    app.app_data(web::Data::new(shared.events.clone()))
        .app_data(web::Data::new(shared.proxies.clone()))
        .app_data(web::Data::new(PolicyCell::new(shared.policy.clone())))
        .app_data(web::Data::new(shared.health.clone()))
        .app_data(web::Data::new(shared.page.clone()));
    shared.services.mount(app);
    if let Some(mails) = shared.services.mailbox() {
        app.service(web::scope("/mailbox").configure(|scope| mailbox::mount(mails, "/mailbox", scope)));
    }
    route::mount(own_routes(), Arc::new(Plain), app);
    match &shared.site {
        Some(files) => {
            let files = files.clone();
            app.service(
                web::scope("")
                    .guard(guard::Any(guard::Get()).or(guard::Head()))
                    .wrap(from_fn(headers::secure))
                    .wrap(Compress::default())
                    .app_data(web::Data::new(site::Site::new(files, &shared.page)))
                    .app_data(web::Data::new(shared.meta.clone()))
                    .default_service(web::to(site::serve)),
            );
        }
        None => {
            app.service(
                web::resource("/")
                    .guard(guard::Any(guard::Get()).or(guard::Head()))
                    .wrap(from_fn(headers::secure))
                    .to(page::plain),
            );
        }
    }
}

#[cfg(test)]
mod tests;
