//! Storage as one of the server's services, and alone in the place of storage-api's container.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use actix_web::web;
use gateway::Secret;
use gateway::events::Events;
use gateway::service::{Alone, BoxFuture, Configured, Context, Failed, Login, Manifest, Schema, Service, Table};
use gateway::settings::{Problem, Report, Resolved, Setting, setting};
use pg::budget::Part;

use crate::config::{Config, REGION, S3, size};
use crate::s3_keys::S3Keys;
use crate::state::State;
use crate::{alone, routes, wire};

/// Storage, as the server knows it.
pub const SERVICE: Manifest = Manifest {
    name: "storage",
    prefix: "/storage/v1",
    login: Login::Authenticator,
    schema: Some(Schema { name: "storage", owner: "supabase_storage_admin", migrations: &crate::SCHEMA }),
    // An eighth: it holds a connection for single statements, never while bytes come or go.
    connections: Part::Divided(8),
    settings: SETTINGS,
    variables: &[],
    tables,
    configure,
    alone: Some(Alone {
        title: "the storage API",
        about: "configured by storage-api's variables",
        configure: alone::configure,
    }),
};

const SETTINGS: &[Setting] = &[
    setting("storage.enabled", "true", "Whether files are served").config("storage.enabled"),
    setting("storage.file_size_limit", "50MiB", "No file is longer, in bytes or with a unit")
        .config("storage.file_size_limit")
        .env("UPLOAD_FILE_SIZE_LIMIT"),
    setting("storage.folder", "", "The folder of the files; without it `storage` in the data directory")
        .dugout("storage.folder")
        .env("STORAGE_FILE_BACKEND_PATH"),
    setting("storage.signed_upload_life", "7200", "How long a signed URL for an upload is good, in seconds")
        .dugout("storage.signed_upload_life")
        .env("UPLOAD_SIGNED_URL_EXPIRATION_TIME"),
    setting("storage.resumable_life_ms", "86400000", "How long a resumable upload can be continued, in milliseconds")
        .dugout("storage.resumable_life_ms")
        .env("TUS_URL_EXPIRY_MS"),
    setting("storage.image_transformation.enabled", "true", "Whether images are resized on request")
        .config("storage.image_transformation.enabled")
        .env("IMAGE_TRANSFORMATION_ENABLED"),
    setting("storage.image_cache", "1GiB", "Maximum size of the cache of resized images, in bytes or with a unit")
        .dugout("storage.image_cache")
        .env("DUGOUT_STORAGE_IMAGE_CACHE"),
    setting("storage.s3_protocol.enabled", "true", "Whether S3 clients are served")
        .config("storage.s3_protocol.enabled")
        .env("S3_PROTOCOL_ENABLED"),
    setting("storage.s3.access_key_id", "", "The access key of S3 clients; without it made from the JWT secret")
        .dugout("storage.s3.access_key_id")
        .env("S3_PROTOCOL_ACCESS_KEY_ID"),
    setting("storage.s3.access_key_secret", "", "The secret of that access key")
        .dugout("storage.s3.access_key_secret")
        .env("S3_PROTOCOL_ACCESS_KEY_SECRET")
        .secret(),
    setting("storage.s3.region", REGION, "The region that S3 clients see")
        .dugout("storage.s3.region")
        .env("STORAGE_S3_REGION"),
];

fn tables() -> Vec<Table> {
    vec![Table { at: "", routes: routes::routes(), wire: Arc::new(wire::StorageWire) }]
}

/// Storage with its settings.
pub(crate) struct Storage {
    pub(crate) config: Config,
    /// Signs URLs where no server that it shares an origin with has a secret.
    pub(crate) secret: Option<gateway::Secret<String>>,
}

fn configure(resolved: &Resolved, report: &mut Report) -> Option<Arc<dyn Configured>> {
    let problems = &mut report.problems;
    let enabled: bool = resolved.parse("storage.enabled", "true or false", problems).unwrap_or(true);
    let defaults = Config::default();
    let mut bytes = |name: &'static str| {
        let bytes = resolved.given(name).map(size);
        if bytes == Some(None) {
            resolved.complain(name, "must be a size such as 50MiB, or a number of bytes", problems);
        }
        bytes.flatten()
    };
    let (limit, picture_cache) = (bytes("storage.file_size_limit"), bytes("storage.image_cache"));
    let pictures = resolved.parse("storage.image_transformation.enabled", "true or false", problems);
    let resumable = resolved.parse("storage.resumable_life_ms", "a number of milliseconds", problems);
    let life = resolved.parse("storage.signed_upload_life", "a number of seconds", problems).map(Duration::from_secs);
    let config = Config {
        file_size_limit: limit.unwrap_or(defaults.file_size_limit),
        resumable_life: resumable.map_or(defaults.resumable_life, Duration::from_millis),
        pictures: pictures.unwrap_or(defaults.pictures),
        picture_cache: picture_cache.unwrap_or(defaults.picture_cache),
        folder: resolved.given("storage.folder").map_or_else(PathBuf::new, PathBuf::from),
        signed_upload_life: life.unwrap_or(defaults.signed_upload_life),
        s3: s3(resolved, problems),
        ..defaults
    };
    enabled.then(|| Arc::new(Storage { config, secret: None }) as Arc<dyn Configured>)
}

fn s3(resolved: &Resolved, problems: &mut Vec<Problem>) -> S3 {
    let enabled: bool = resolved.parse("storage.s3_protocol.enabled", "true or false", problems).unwrap_or(true);
    let (id, secret) = (resolved.given("storage.s3.access_key_id"), resolved.given("storage.s3.access_key_secret"));
    match (id, secret) {
        (Some(_), None) => resolved.complain("storage.s3.access_key_id", "needs a secret beside it", problems),
        (None, Some(_)) => resolved.complain("storage.s3.access_key_secret", "needs an id beside it", problems),
        _ => {}
    }
    let keys = id.zip(secret).map(|(id, secret)| S3Keys { id: id.to_owned(), secret: Secret::new(secret.to_owned()) });
    S3 { enabled, keys, region: resolved.text("storage.s3.region").to_owned(), ..S3::default() }
}

impl Configured for Storage {
    fn start(&self, context: Context) -> BoxFuture<'_, Result<Arc<dyn Service>, Failed>> {
        Box::pin(async move {
            let mut config = self.config.clone();
            config.mount = context.mount.to_owned();
            if let Some(host) = &context.host {
                config.public_url = host.public_url.join(context.mount);
            }
            if let Some(host) = &context.host {
                config.s3.anon_key = Secret::new(host.anon_key.clone());
                config.s3.keys.get_or_insert_with(|| S3Keys::of(&host.jwt_secret));
            }
            let secret = context.host.as_ref().map(|host| host.jwt_secret.clone()).or_else(|| self.secret.clone());
            if let Some(host) = context.host.as_ref().filter(|_| config.folder.as_os_str().is_empty()) {
                config.folder = host.data_dir.join("storage");
            }
            let state = State::new(context.pool()?, context.keys.clone(), &secret.unwrap_or_default(), config);
            Ok(Arc::new(state) as Arc<dyn Service>)
        })
    }
}

impl Service for State {
    fn mount(&self, scope: &mut web::ServiceConfig) {
        let mut service = web::scope("").app_data(web::Data::new(self.clone()));
        for table in tables() {
            service = service.configure(|scope| table.mount(scope));
        }
        scope.service(service);
    }

    fn gauges(&self, events: &Events) {
        events.pool("storage", self.pool.status());
    }

    fn close(&self, _: Duration) -> BoxFuture<'_, ()> {
        Box::pin(async { self.pool.close() })
    }
}
