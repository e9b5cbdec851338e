//! The settings of the server itself. Each service's crate has its own.

use gateway::settings::{Setting, setting};

/// The settings with their defaults and sources.
pub const SETTINGS: &[Setting] = &[
    setting("host", "127.0.0.1", "Address to listen on").env("DUGOUT_HOST").flag("--host"),
    setting("port", "54321", "Port to listen on; 0 picks a free one").config("api.port").env("DUGOUT_PORT").flag("--port"),
    setting("admin_port", "", "Port of `/metrics`, `/live` and `/ready` on 127.0.0.1; if unset, they are not served").dugout("server.admin_port").env("DUGOUT_ADMIN_PORT").flag("--admin-port"),
    setting("public_url", "", "The address under which clients reach this server; if unset, `http://host:port`").config("api.external_url").env("DUGOUT_PUBLIC_URL").flag("--public-url"),
    setting("data_dir", "", "The folder of the database cluster, the secrets and the files; if unset, `.dugout` beside `supabase/`, else in the XDG data folder").env("DUGOUT_DATA_DIR").flag("--data-dir"),
    setting("db_url", "", "Use this PostgreSQL (15 or newer) instead of the built-in one").env("DATABASE_URL").flag("--db-url").secret(),
    setting("db.port", "54322", "With `--dev`: the port of PostgreSQL on 127.0.0.1").config("db.port"),
    setting("db_port", "", "Open PostgreSQL on this port of 127.0.0.1; if unset, it listens on a unix socket only").dugout("database.port").env("DUGOUT_DB_PORT").flag("--db-port"),
    setting("local_smtp.port", "54324", "With `--dev`: the port of the mailbox on 127.0.0.1, with the part of Mailpit's API that tests use; 0 for none").config("local_smtp.port").env("DUGOUT_MAILBOX_PORT"),
    setting("dev", "false", "Replace `supabase start`: well-known keys, PostgreSQL on `db.port`, migrations and seeds applied").env("DUGOUT_DEV").flag("--dev"),
    setting("dev_public", "false", "Let `--dev` listen on an address that other machines can reach, although its keys are public").env("DUGOUT_DEV_PUBLIC").flag("--dev-public"),
    setting("skip_missing_extensions", "false", "With `--dev`: skip missing extensions and the statements that need them").env("DUGOUT_SKIP_MISSING_EXTENSIONS").flag("--skip-missing-extensions"),
    setting("migrate", "false", "Apply pending migrations to an existing database").env("DUGOUT_MIGRATE").flag("--migrate"),
    setting("postgres_bin_dir", "", "The folder of PostgreSQL's programs; if unset, they are searched for")
        .dugout("database.bin_dir")
        .env("DUGOUT_POSTGRES_BIN_DIR")
        .flag("--postgres-bin-dir"),
    setting("db_pool", "30", "Connections to PostgreSQL that the services and the listener share; the health check and the page heads have their own").dugout("database.pool").env("DUGOUT_DB_POOL"),
    setting("db_acquire_timeout", "10", "How long a request waits for a connection, in seconds").dugout("database.acquire_timeout").env("DUGOUT_DB_ACQUIRE_TIMEOUT"),
    setting("db_durability", "full", "`full`, or `none` for throw-away data: whether the built-in PostgreSQL survives a power cut").env("DUGOUT_DB_DURABILITY"),
    setting("workers", "", "Threads that serve requests; if unset, one per core").dugout("server.workers").env("DUGOUT_WORKERS"),
    setting("shutdown_timeout", "30", "How long a stop waits for requests in flight, in seconds").dugout("server.shutdown_timeout").env("DUGOUT_SHUTDOWN_TIMEOUT"),
    setting("anon_body_limit", "1048576", "The largest body of an anonymous request, in bytes").dugout("server.anon_body_limit").env("DUGOUT_ANON_BODY_LIMIT"),
    setting("buffer_memory", "268435456", "How much memory all bodies and responses that wait for their clients may use together, in bytes").dugout("server.buffer_memory").env("DUGOUT_BUFFER_MEMORY"),
    setting("trusted_proxies", "", "Addresses and networks of proxies whose X-Forwarded-For is trusted, separated by commas").dugout("server.trusted_proxies").env("DUGOUT_TRUSTED_PROXIES"),
    setting("api.auto_expose_new_tables", "true", "Whether the API's roles may use what migrations create in `public` without a grant").config("api.auto_expose_new_tables"),
    setting("db.migrations.enabled", "true", "Whether `supabase/migrations` is applied").config("db.migrations.enabled"),
    setting("db.seed.enabled", "true", "Whether seed files are run").config("db.seed.enabled"),
    setting("db.seed.sql_paths", "./seed.sql", "Patterns of seed files, relative to `supabase/`, separated by commas").config("db.seed.sql_paths"),
    setting("auth.jwt_secret", "", "Signs API keys, and with `--dev` users' tokens; at least 16 characters; if unset, generated at the first start").config("auth.jwt_secret").env("GOTRUE_JWT_SECRET").secret(),
    setting("auth.signing_keys_path", "", "A file with an array of private JWKs that sign users' tokens, relative to `supabase/`; if unset, a key is generated at the first start").config("auth.signing_keys_path"),
    setting("auth.anon_key", "", "The JWT of the role anon; if unset, signed with the secret").config("auth.anon_key").secret(),
    setting("auth.service_role_key", "", "The JWT of the role service_role; if unset, signed with the secret").config("auth.service_role_key").secret(),
    setting("auth.publishable_key", "", "The opaque anon key; if unset, generated at the first start").config("auth.publishable_key").secret(),
    setting("auth.secret_key", "", "The opaque service_role key; if unset, generated at the first start").config("auth.secret_key").secret(),
    setting("app.serve", "false", "Whether `/` serves the app instead of a plain page").dugout("app.serve").env("DUGOUT_APP"),
    setting("app.admin_emails", "", "Addresses that see the Admin entry in the menu, separated by commas; only their SHA-256 reaches the page").dugout("app.admin_emails").env("DUGOUT_ADMIN_EMAILS"),
    setting("app.ip_lookup_url", "/ip", "The URL that the page asks for its visitor's IP address").dugout("app.ip_lookup_url").env("DUGOUT_IP_LOOKUP_URL"),
    setting("app.demo_video_url", "", "The URL of the landing page's video").dugout("app.demo_video_url").env("DUGOUT_DEMO_VIDEO_URL"),
];
