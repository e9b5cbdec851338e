//! The settings of the server itself. Those of the services stand in their crates.

use gateway::settings::{Setting, setting};

/// The table.
pub const SETTINGS: &[Setting] = &[
    setting("host", "127.0.0.1", "Address to listen on").env("DUGOUT_HOST").flag("--host"),
    setting("port", "54321", "Port to listen on; 0 takes a free one").config("api.port").env("DUGOUT_PORT").flag("--port"),
    setting("admin_port", "", "Port of `/metrics`, `/live` and `/ready` on 127.0.0.1; without it they are served nowhere").dugout("server.admin_port").env("DUGOUT_ADMIN_PORT").flag("--admin-port"),
    setting("public_url", "", "The address the world knows this server by; without it `http://host:port`").config("api.external_url").env("DUGOUT_PUBLIC_URL").flag("--public-url"),
    setting("data_dir", "", "Where the database cluster, the secrets and the files are kept; without it `.dugout` beside `supabase/`, else the XDG data folder").env("DUGOUT_DATA_DIR").flag("--data-dir"),
    setting("db_url", "", "Use this PostgreSQL (15 or newer) instead of an own one").env("DATABASE_URL").flag("--db-url").secret(),
    setting("db.port", "54322", "With `--dev`: the port of PostgreSQL on 127.0.0.1").config("db.port"),
    setting("db_port", "", "Open PostgreSQL on this port of 127.0.0.1; without it only a unix socket is open").dugout("database.port").env("DUGOUT_DB_PORT").flag("--db-port"),
    setting("dev", "false", "Stand in for `supabase start`: well-known keys, PostgreSQL on `db.port`, migrations and seed applied").env("DUGOUT_DEV").flag("--dev"),
    setting("dev_public", "false", "Let `--dev` listen on an address that other machines reach, where everybody knows its keys").env("DUGOUT_DEV_PUBLIC").flag("--dev-public"),
    setting("skip_missing_extensions", "false", "With `--dev`: go on without extensions that are missing and without the statements that need them").env("DUGOUT_SKIP_MISSING_EXTENSIONS").flag("--skip-missing-extensions"),
    setting("migrate", "false", "Apply pending migrations to an existing database").env("DUGOUT_MIGRATE").flag("--migrate"),
    setting("postgres_bin_dir", "", "Where PostgreSQL's programs are; without it they are looked for")
        .dugout("database.bin_dir")
        .env("DUGOUT_POSTGRES_BIN_DIR")
        .flag("--postgres-bin-dir"),
    setting("db_pool", "20", "Connections to PostgreSQL that the services and the listener share; those of the health check and the page heads come on top").dugout("database.pool").env("DUGOUT_DB_POOL"),
    setting("db_acquire_timeout", "10", "How long a request waits for a connection, in seconds").dugout("database.acquire_timeout").env("DUGOUT_DB_ACQUIRE_TIMEOUT"),
    setting("db_durability", "full", "`full`, or `none` for throw-away data: whether the own PostgreSQL survives a power cut").env("DUGOUT_DB_DURABILITY"),
    setting("workers", "", "Threads that serve requests; without it one a core").dugout("server.workers").env("DUGOUT_WORKERS"),
    setting("shutdown_timeout", "30", "How long requests in flight may take when the server stops, in seconds").dugout("server.shutdown_timeout").env("DUGOUT_SHUTDOWN_TIMEOUT"),
    setting("anon_body_limit", "1048576", "The largest body of an anonymous request, in bytes").dugout("server.anon_body_limit").env("DUGOUT_ANON_BODY_LIMIT"),
    setting("buffer_memory", "268435456", "What bodies and answers that wait for their clients may hold all together, in bytes").dugout("server.buffer_memory").env("DUGOUT_BUFFER_MEMORY"),
    setting("trusted_proxies", "", "Addresses and networks of proxies whose X-Forwarded-For is believed, separated by commas").dugout("server.trusted_proxies").env("DUGOUT_TRUSTED_PROXIES"),
    setting("api.auto_expose_new_tables", "true", "Whether the API's roles may use what migrations make in `public` without a grant").config("api.auto_expose_new_tables"),
    setting("db.migrations.enabled", "true", "Whether `supabase/migrations` is applied").config("db.migrations.enabled"),
    setting("db.seed.enabled", "true", "Whether seed files are run").config("db.seed.enabled"),
    setting("db.seed.sql_paths", "./seed.sql", "Patterns of seed files, relative to `supabase/`, separated by commas").config("db.seed.sql_paths"),
    setting("auth.jwt_secret", "", "Signs API keys, and with `--dev` users' tokens; at least 16 characters; without it made at the first start").config("auth.jwt_secret").env("GOTRUE_JWT_SECRET").secret(),
    setting("auth.signing_keys_path", "", "A file with an array of private JWKs that sign users' tokens, relative to `supabase/`; without it a key is made at the first start").config("auth.signing_keys_path"),
    setting("auth.anon_key", "", "The JWT of the role anon; without it made from the secret").config("auth.anon_key").secret(),
    setting("auth.service_role_key", "", "The JWT of the role service_role; without it made from the secret").config("auth.service_role_key").secret(),
    setting("auth.publishable_key", "", "The opaque anon key; without it made at the first start").config("auth.publishable_key").secret(),
    setting("auth.secret_key", "", "The opaque service_role key; without it made at the first start").config("auth.secret_key").secret(),
    setting("app.serve", "false", "Whether `/` serves the app; otherwise a plain page").dugout("app.serve").env("DUGOUT_APP"),
    setting("app.admin_emails", "", "Addresses that see the Admin entry in the menu, separated by commas; only their SHA-256 reaches the page").dugout("app.admin_emails").env("DUGOUT_ADMIN_EMAILS"),
    setting("app.ip_lookup_url", "/ip", "Where the page asks for its visitor's address").dugout("app.ip_lookup_url").env("DUGOUT_IP_LOOKUP_URL"),
    setting("app.demo_video_url", "", "The video of the landing page").dugout("app.demo_video_url").env("DUGOUT_DEMO_VIDEO_URL"),
];
