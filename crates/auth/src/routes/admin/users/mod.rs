//! `/admin/users` and `/admin/users/{user_id}`
//!
//! Source: supabase/auth, `internal/api/admin.go`.

mod create;
mod delete;
mod get;
mod list;
mod update;
mod user_params;

pub(crate) use create::{__path_create_user, create_user};
pub(crate) use delete::{__path_delete_user, delete_user};
pub(crate) use get::{__path_show_user, show_user};
pub(crate) use list::{__path_list_users, list_users};
pub(crate) use update::{__path_change_user, change_user};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bans_are_durations_or_none() {
        let now = DateTime::UNIX_EPOCH;
        let until = |text: &str| Some(text.parse().unwrap());
        for (text, ban) in [
            ("", Ban::Keep),
            ("none", Ban::Until(None)),
            ("0", Ban::Until(None)),
            ("1h30m", Ban::Until(until("1970-01-01T01:30:00Z"))),
            ("-1s", Ban::Until(until("1969-12-31T23:59:59Z"))),
        ] {
            assert_eq!(Ban::read(text, now).unwrap(), ban, "{text}");
        }
        assert!(matches!(Ban::read("forever", now), Err(AuthError::BanDuration(_))));
    }
}

pub(crate) use user_params::{AdminUserParams, named};
use user_params::{Ban, about, add_identity};
