//! Notification mails about changes of an account, if the project enabled them.

use crate::flows::limits;
use crate::flows::one_time_tokens::Dispatch;
use crate::model::account::User;
use crate::model::email_kind::EmailKind;
use crate::model::timestamp;
use crate::outside::mail::Email;
use crate::state::State;

/// Mails of these kinds to these addresses. A mail that cannot be made is left out: the change itself matters more.
pub(crate) fn about<'a>(
    state: &State,
    mails: impl IntoIterator<Item = (EmailKind, &'a str)>,
    user: &User,
    with_fields: impl Fn(Email) -> Email,
) -> Dispatch {
    let wanted = |(kind, to): &(EmailKind, &str)| !to.is_empty() && state.config.mailer.notifications.contains(kind);
    let mails = mails.into_iter().filter(wanted);
    let mails = mails.map(|(kind, to)| with_fields(Email::new(&state.config, kind, user, to)));
    let now = timestamp::now(&state.clock);
    Dispatch::notices(state, user, mails.filter(|_| limits::email(state, now).is_ok()).collect())
}
