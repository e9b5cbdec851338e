//! Queries that read users and sessions, put together from files: `columns.sql` of each table, and then the rest of the
//! statement.

/// A file of this folder.
macro_rules! sql {
    ($file:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/store/", $file))
    };
}

/// Selects users `u` with their identities and factors, and whatever the arguments add: further columns, `from …`.
macro_rules! select_users {
    ($($rest:expr),+) => {
        concat!("select ", sql!("users/columns.sql"), ",", sql!("users/identities_and_factors.sql"), $($rest),+)
    };
}

/// Selects users `u` with their sessions `s`, and whatever the arguments add.
macro_rules! select_users_and_sessions {
    ($($rest:expr),+) => {
        select_users!(",", sql!("sessions/columns.sql"), $($rest),+)
    };
}
