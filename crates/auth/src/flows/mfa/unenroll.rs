//! Deletes factors.

use chrono::{DateTime, Utc};
use pg::pool::Transaction;

use super::tell;
use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::flows::notifications;
use crate::model::account::{Factor, User};
use crate::model::email_kind::EmailKind;
use crate::model::factor::Kind;
use crate::model::requester::Requester;
use crate::state::State;
use crate::store::mfa_factors;

/// Deletes a factor. Sessions that it had raised to `aal2` become `aal1` again.
///
/// # Errors
/// If the database fails.
pub(crate) async fn remove(db: &Transaction<'_>, factor: &Factor, now: DateTime<Utc>) -> Result<(), AuthError> {
    let method = Kind::named(&factor.factor_type).map(Kind::method);
    mfa_factors::delete(db, factor.id, method.map_or("", |method| method.as_str()), now).await.or_fault(UNEXPECTED)
}

/// Notifies the user by mail, if the project enabled that.
pub(crate) async fn notify_of_removal(state: &State, requester: &Requester, user: &User, factor: &Factor) {
    let mails = [(EmailKind::MfaFactorUnenrolled, user.email.as_str())];
    let mails = notifications::about(state, mails, user, |mail| mail.with("FactorType", &factor.factor_type));
    tell(state, requester, mails).await;
}
