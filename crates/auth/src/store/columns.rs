//! Macros that build the queries on users and sessions: the `columns.sql` file of each table, then the rest of the statement.

/// The text of an SQL file, by its path relative to `store/`.
macro_rules! sql {
    ($file:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/store/", $file))
    };
}

/// Selects users `u` with their identities and factors. The arguments continue the statement: further columns, then `from …`.
macro_rules! select_users {
    ($($rest:expr),+) => {
        concat!("select ", sql!("users/columns.sql"), ",", sql!("users/identities_and_factors.sql"), $($rest),+)
    };
}

/// Selects users `u` with their sessions `s`. The arguments continue the statement.
macro_rules! select_users_and_sessions {
    ($($rest:expr),+) => {
        select_users!(",", sql!("sessions/columns.sql"), $($rest),+)
    };
}
