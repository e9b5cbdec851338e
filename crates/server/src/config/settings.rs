//! Every setting of the server itself: its name in each of the places it can come from.

/// One setting. Places are listed from weakest to strongest: default, `supabase/config.toml` (or `supabase/dugout.toml`),
/// environment, command line.
pub struct Setting {
    /// Its name here and in `--print-config`.
    pub key: &'static str,
    /// Its path in `supabase/config.toml`, as the Supabase CLI names it.
    pub config: Option<&'static str>,
    /// Its path in `supabase/dugout.toml`, for what the CLI has no name for.
    pub dugout: Option<&'static str>,
    /// Its environment variable. A setting of config.toml can also be given as the CLI does it: `SUPABASE_` and its path.
    pub env: Option<&'static str>,
    /// Its flag on the command line.
    pub flag: Option<&'static str>,
    /// Its value when nobody says anything; empty when that depends on other settings.
    pub default: &'static str,
    /// Whether its value is shown as three stars.
    pub secret: bool,
}

const fn setting(key: &'static str, default: &'static str) -> Setting {
    Setting { key, config: None, dugout: None, env: None, flag: None, default, secret: false }
}

impl Setting {
    const fn config(mut self, path: &'static str) -> Self {
        self.config = Some(path);
        self
    }

    const fn dugout(mut self, path: &'static str) -> Self {
        self.dugout = Some(path);
        self
    }

    const fn env(mut self, name: &'static str) -> Self {
        self.env = Some(name);
        self
    }

    const fn flag(mut self, name: &'static str) -> Self {
        self.flag = Some(name);
        self
    }

    const fn secret(mut self) -> Self {
        self.secret = true;
        self
    }
}

/// What the CLI's template exposes.
pub(super) const DEFAULT_SCHEMAS: &str = "public,graphql_public";

/// The table.
pub const SETTINGS: &[Setting] = &[
    setting("host", "127.0.0.1").env("DUGOUT_HOST").flag("--host"),
    setting("port", "54321").config("api.port").env("DUGOUT_PORT").flag("--port"),
    setting("admin_port", "").dugout("server.admin_port").env("DUGOUT_ADMIN_PORT").flag("--admin-port"),
    setting("public_url", "").config("api.external_url").env("DUGOUT_PUBLIC_URL").flag("--public-url"),
    setting("data_dir", "").env("DUGOUT_DATA_DIR").flag("--data-dir"),
    setting("db_url", "").env("DATABASE_URL").flag("--db-url").secret(),
    setting("db.port", "54322").config("db.port"),
    setting("db_port", "").dugout("database.port").env("DUGOUT_DB_PORT").flag("--db-port"),
    setting("dev", "false").env("DUGOUT_DEV").flag("--dev"),
    setting("dev_public", "false").env("DUGOUT_DEV_PUBLIC").flag("--dev-public"),
    setting("migrate", "false").env("DUGOUT_MIGRATE").flag("--migrate"),
    setting("postgres_bin_dir", "")
        .dugout("database.bin_dir")
        .env("DUGOUT_POSTGRES_BIN_DIR")
        .flag("--postgres-bin-dir"),
    setting("db_pool", "20").dugout("database.pool").env("DUGOUT_DB_POOL"),
    setting("db_acquire_timeout", "10").dugout("database.acquire_timeout").env("DUGOUT_DB_ACQUIRE_TIMEOUT"),
    setting("db_durability", "full").env("DUGOUT_DB_DURABILITY"),
    setting("workers", "").dugout("server.workers").env("DUGOUT_WORKERS"),
    setting("shutdown_timeout", "30").dugout("server.shutdown_timeout").env("DUGOUT_SHUTDOWN_TIMEOUT"),
    setting("anon_body_limit", "1048576").dugout("server.anon_body_limit").env("DUGOUT_ANON_BODY_LIMIT"),
    setting("buffer_memory", "268435456").dugout("server.buffer_memory").env("DUGOUT_BUFFER_MEMORY"),
    setting("anon_lane_share", "50").dugout("database.anon_lane_share").env("DUGOUT_ANON_LANE_SHARE"),
    setting("trusted_proxies", "").dugout("server.trusted_proxies").env("DUGOUT_TRUSTED_PROXIES"),
    setting("api.schemas", DEFAULT_SCHEMAS).config("api.schemas").env("PGRST_DB_SCHEMAS"),
    setting("api.extra_search_path", "public,extensions")
        .config("api.extra_search_path")
        .env("PGRST_DB_EXTRA_SEARCH_PATH"),
    setting("api.max_rows", "1000").config("api.max_rows").env("PGRST_DB_MAX_ROWS"),
    setting("api.auto_expose_new_tables", "true").config("api.auto_expose_new_tables"),
    setting("db.migrations.enabled", "true").config("db.migrations.enabled"),
    setting("db.seed.enabled", "true").config("db.seed.enabled"),
    setting("db.seed.sql_paths", "./seed.sql").config("db.seed.sql_paths"),
    setting("auth.jwt_secret", "").config("auth.jwt_secret").env("GOTRUE_JWT_SECRET").secret(),
    setting("auth.signing_keys_path", "").config("auth.signing_keys_path"),
    setting("auth.anon_key", "").config("auth.anon_key").secret(),
    setting("auth.service_role_key", "").config("auth.service_role_key").secret(),
    setting("auth.publishable_key", "").config("auth.publishable_key").secret(),
    setting("auth.secret_key", "").config("auth.secret_key").secret(),
    setting("storage.enabled", "true").config("storage.enabled"),
    setting("storage.file_size_limit", "50MiB").config("storage.file_size_limit").env("UPLOAD_FILE_SIZE_LIMIT"),
    setting("storage.folder", "").dugout("storage.folder").env("STORAGE_FILE_BACKEND_PATH"),
    setting("storage.signed_upload_life", "7200")
        .dugout("storage.signed_upload_life")
        .env("UPLOAD_SIGNED_URL_EXPIRATION_TIME"),
    setting("app.serve", "false").dugout("app.serve").env("DUGOUT_APP"),
    setting("app.admin_emails", "").dugout("app.admin_emails").env("DUGOUT_ADMIN_EMAILS"),
    setting("app.ip_lookup_url", "/ip").dugout("app.ip_lookup_url").env("DUGOUT_IP_LOOKUP_URL"),
    setting("app.demo_video_url", "").dugout("app.demo_video_url").env("DUGOUT_DEMO_VIDEO_URL"),
];

/// The setting of this key.
pub(super) fn find(key: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.key == key)
}
