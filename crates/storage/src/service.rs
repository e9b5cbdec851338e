//! Storage as one of the server's services, and alone in the place of storage-api's container.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use actix_web::middleware::from_fn;
use actix_web::web;
use gateway::Secret;
use gateway::events::Events;
use gateway::service::{
    Alone, BoxFuture, Check, Checked, Configured, Context, Failed, Login, Manifest, Schema, Service, Table,
};
use gateway::settings::{Problem, Report, Resolved, Setting, setting};
use pg::budget::Part;
use pg::{Pool, PoolConfig};
use tokio::task::JoinHandle;

use crate::config::{Config, Endpoint, REGION, Remote, S3, Vectors};
use crate::flows::removals;
use crate::lanes::Connections;
use crate::protocol::sizes;
use crate::s3_keys::S3Keys;
use crate::session::Asker;
use crate::state::State;
use crate::store::lookups::Lookups;
use crate::{alone, declared, fsck, routes, sessions, wire};

/// Storage, as the server knows it.
pub const SERVICE: Manifest = Manifest {
    name: "storage",
    prefix: "/storage/v1",
    login: Login::Authenticator,
    schema: Some(Schema { name: "storage", owner: "supabase_storage_admin", migrations: &crate::SCHEMA }),
    // A fifth: it holds a connection for single statements, never while bytes come or go.
    connections: Part::Divided(5),
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
    setting("storage.signed_url_limit", "", "How long a signed URL for reading is good at most, in seconds; without it as long as its caller asks for")
        .dugout("storage.signed_url_limit")
        .env("DUGOUT_STORAGE_SIGNED_URL_LIMIT"),
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
    setting("storage.s3.enforce_region", "false", "Whether a signature must name the region of this server")
        .dugout("storage.s3.enforce_region")
        .env("S3_PROTOCOL_ENFORCE_REGION"),
    setting("storage.vector.enabled", "true", "Whether vector buckets are served, where PostgreSQL has pgvector")
        .config("storage.vector.enabled")
        .env("VECTOR_ENABLED"),
    setting("storage.vector.max_buckets", "10", "Maximum number of vector buckets")
        .config("storage.vector.max_buckets")
        .env("VECTOR_MAX_BUCKETS"),
    setting("storage.vector.max_indexes", "20", "Maximum number of indexes in a vector bucket")
        .config("storage.vector.max_indexes")
        .env("VECTOR_MAX_INDEXES"),
    setting("storage.webhook.url", "", "Where events of objects are posted to; none without it")
        .dugout("storage.webhook.url")
        .env("WEBHOOK_URL"),
    setting("storage.webhook.key", "", "Sent to that address as a bearer token")
        .dugout("storage.webhook.key")
        .env("WEBHOOK_API_KEY")
        .secret(),
    setting("storage.cdn.endpoint", "", "The address that purges caches of a CDN: `/purge` is appended")
        .dugout("storage.cdn.endpoint")
        .env("CDN_PURGE_ENDPOINT_URL"),
    setting("storage.cdn.key", "", "Sent to that address as a bearer token")
        .dugout("storage.cdn.key")
        .env("CDN_PURGE_ENDPOINT_KEY")
        .secret(),
    setting("storage.backend", "file", "Where objects are kept: `file`, or `s3` for an S3 server")
        .dugout("storage.backend")
        .env("STORAGE_BACKEND"),
    setting("storage.remote.bucket", "", "The bucket of that server")
        .dugout("storage.remote.bucket")
        .env("STORAGE_S3_BUCKET"),
    setting("storage.remote.endpoint", "", "The address of that server; without it Amazon's")
        .dugout("storage.remote.endpoint")
        .env("STORAGE_S3_ENDPOINT"),
    setting("storage.remote.force_path_style", "false", "Whether the bucket stands in the path instead of the host")
        .dugout("storage.remote.force_path_style")
        .env("STORAGE_S3_FORCE_PATH_STYLE"),
    setting("storage.remote.access_key_id", "", "The access key for that server; without it that of the machine")
        .dugout("storage.remote.access_key_id")
        .env("AWS_ACCESS_KEY_ID"),
    setting("storage.remote.secret_access_key", "", "The secret of that access key")
        .dugout("storage.remote.secret_access_key")
        .env("AWS_SECRET_ACCESS_KEY")
        .secret(),
    setting("storage.strip_metadata", "", "Buckets whose pictures and videos lose place, camera and other metadata; they take only JPEG, PNG, WebP, MP4, MOV and WebM")
        .dugout("storage.strip_metadata")
        .env("DUGOUT_STORAGE_STRIP_METADATA"),
    setting("storage.removals", "false", "Whether the table `private.removed_files` (`bucket_id`, `name`, `version`) names objects whose rows SQL has deleted, so that their files go, too")
        .dugout("storage.removals")
        .env("DUGOUT_STORAGE_REMOVALS"),
    setting("storage.s3.region", REGION, "The region that S3 clients see, and that of the S3 server of the objects")
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
        let bytes = resolved.given(name).map(sizes::binary);
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
        signed_url_limit: resolved
            .positive("storage.signed_url_limit", "a number of seconds", problems)
            .map(|limit| i64::try_from(limit).unwrap_or(i64::MAX)),
        s3: s3(resolved, problems),
        cdn: endpoint(resolved, "storage.cdn.endpoint", "storage.cdn.key", problems),
        webhook: endpoint(resolved, "storage.webhook.url", "storage.webhook.key", problems),
        vectors: vectors(resolved, problems),
        remote: remote(resolved, problems),
        buckets: declared::read(&resolved.config, problems),
        stripped: resolved.list("storage.strip_metadata"),
        removals: resolved.parse("storage.removals", "true or false", problems).unwrap_or_default(),
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
    let region = resolved.text("storage.s3.region").to_owned();
    let enforce_region = resolved.parse("storage.s3.enforce_region", "true or false", problems).unwrap_or_default();
    S3 { enabled, keys, region, enforce_region, ..S3::default() }
}

/// A server that is told about changes.
fn endpoint(resolved: &Resolved, url: &'static str, key: &'static str, problems: &mut Vec<Problem>) -> Endpoint {
    let parsed = resolved.given(url).map(|text| Endpoint::address(text).ok_or(()));
    if parsed == Some(Err(())) {
        resolved.complain(url, "must be an address that begins with http:// or https://", problems);
    }
    let key = Secret::new(resolved.given(key).unwrap_or_default().to_owned());
    Endpoint { url: parsed.and_then(Result::ok), key }
}

fn vectors(resolved: &Resolved, problems: &mut Vec<Problem>) -> Vectors {
    let defaults = Config::default().vectors;
    let enabled = resolved.parse("storage.vector.enabled", "true or false", problems);
    let max_buckets = resolved.parse("storage.vector.max_buckets", "a number", problems);
    let max_indexes = resolved.parse("storage.vector.max_indexes", "a number", problems);
    Vectors {
        enabled: enabled.unwrap_or(defaults.enabled),
        max_buckets: max_buckets.unwrap_or(defaults.max_buckets),
        max_indexes: max_indexes.unwrap_or(defaults.max_indexes),
    }
}

/// The S3 server of the objects.
fn remote(resolved: &Resolved, problems: &mut Vec<Problem>) -> Option<Remote> {
    match resolved.text("storage.backend") {
        "s3" => {}
        "file" => return None,
        _ => {
            resolved.complain("storage.backend", "must be file or s3", problems);
            return None;
        }
    }
    let text = |key: &str| resolved.text(key).to_owned();
    if text("storage.remote.bucket").is_empty() {
        resolved.complain("storage.backend", "needs the name of a bucket: set STORAGE_S3_BUCKET", problems);
    }
    let path_style = resolved.parse("storage.remote.force_path_style", "true or false", problems).unwrap_or_default();
    let keys = resolved.given("storage.remote.access_key_id").zip(resolved.given("storage.remote.secret_access_key"));
    Some(Remote {
        bucket: text("storage.remote.bucket"),
        endpoint: text("storage.remote.endpoint"),
        region: text("storage.s3.region"),
        path_style,
        keys: keys.map(|(id, secret)| S3Keys { id: id.to_owned(), secret: Secret::new(secret.to_owned()) }),
    })
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
            if let Some(host) = &context.host {
                config.keep_below(&host.data_dir);
            }
            let connections = Connections::new(&context)?;
            let state =
                State::new(connections.pool.clone(), context.keys.clone(), &secret.unwrap_or_default(), config)?;
            state.declare(context.host.as_ref().is_some_and(|host| host.dev)).await?;
            let mut watching = vec![tokio::spawn(state.sessions.clone().watch(context.listener.clone()))];
            if state.config.removals {
                watching.push(tokio::spawn(removals::keep(state.clone(), context.listener)));
            }
            Ok(Arc::new(Running { state, connections, watching }) as Arc<dyn Service>)
        })
    }

    fn check(&self, check: Check) -> Option<BoxFuture<'_, Result<Checked, Failed>>> {
        Some(Box::pin(async move {
            let mut config = self.config.clone();
            config.keep_below(&check.data_dir);
            let pool = Pool::new(&check.target, &PoolConfig { size: 1, ..PoolConfig::default() })?;
            let options = fsck::Options { repair: check.repair, force: check.force, grace: check.grace };
            let found = fsck::fsck(&pool, &config, options).await?;
            Ok(Checked { report: found.report(check.repair), is_clean: found.is_clean() })
        }))
    }
}

/// Storage while it runs.
struct Running {
    state: State,
    connections: Connections,
    /// Hear of ended sessions, and of rows that SQL has deleted.
    watching: Vec<JoinHandle<()>>,
}

impl Service for Running {
    fn mount(&self, scope: &mut web::ServiceConfig) {
        let lookups = self.connections.next_lane().map(|lane| Lookups::new(lane, Asker::service()));
        let state = State { lookups, ..self.state.clone() };
        let mut service = web::scope("").app_data(web::Data::new(state));
        for table in tables() {
            service = service.configure(|scope| table.mount(scope));
        }
        scope.service(service.wrap(from_fn(sessions::refuse_ended)));
    }

    fn status(&self) -> Vec<(&'static str, String)> {
        let s3 = &self.state.config.s3;
        let Some(keys) = s3.keys.as_ref().filter(|_| s3.enabled) else { return Vec::new() };
        vec![
            ("STORAGE_S3_URL", format!("{}/s3", self.state.public_url())),
            ("S3_PROTOCOL_ACCESS_KEY_ID", keys.id.clone()),
            ("S3_PROTOCOL_ACCESS_KEY_SECRET", keys.secret.reveal().clone()),
            ("S3_PROTOCOL_REGION", s3.region.clone()),
        ]
    }

    fn gauges(&self, events: &Events) {
        events.pool("storage", self.connections.status());
    }

    fn close(&self, within: Duration) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            self.watching.iter().for_each(JoinHandle::abort);
            self.state.webhook.finish(within).await;
            self.connections.close();
        })
    }
}
