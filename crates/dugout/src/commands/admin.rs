//! `dugout admin grant`: admin rights are a column in the database, and only this command sets it.

use std::io::Write;

use server::{Done, Work};

use super::configuration::configuration;
use crate::cli::{AdminAction, AdminArgs};
use crate::exit::Failure;

// By the account's own address: the one in the profile is a copy.
const GRANT: &str = "update public.users set is_admin = true from auth.users as account \
     where account.id = users.id and lower(account.email) = lower($1) and not account.is_sso_user";

/// Makes the user with this address an admin.
pub async fn run(args: &AdminArgs) -> Result<(), Failure> {
    let AdminAction::Grant { email } = &args.action;
    let (config, _) = configuration(args.server.flags(), args.server.project.as_deref())?;
    match server::with_database(&config, Work::Execute(GRANT, email.trim())).await.map_err(Failure::new)? {
        Done::Rows(0) | Done::Migrated(_) | Done::Seeded(_) | Done::Checked(_) | Done::Nothing => {
            Err(Failure::new(format!("nobody has signed up as {email}; sign up in the app first, then grant again")))
        }
        Done::Rows(_) => {
            let text = format!("{email} is an admin once they sign in again and add a second factor.\n");
            std::io::stdout().write_all(text.as_bytes()).map_err(Failure::new)
        }
    }
}
