//! Notification mails about changes of an account, if the project enabled them.

use crate::flows::limits;
use crate::flows::one_time_tokens::Dispatch;
use crate::model::account::User;
use crate::model::letter_kind::LetterKind;
use crate::model::timestamp;
use crate::outside::mail::Letter;
use crate::state::State;

/// Mails of these kinds to these addresses. A mail that cannot be made is left out: the change itself matters more.
pub(crate) fn about<'a>(
    state: &State,
    letters: impl IntoIterator<Item = (LetterKind, &'a str)>,
    user: &User,
    told: impl Fn(Letter) -> Letter,
) -> Dispatch {
    let wanted = |(kind, to): &(LetterKind, &str)| !to.is_empty() && state.config.mailer.notifications.contains(kind);
    let letters = letters.into_iter().filter(wanted);
    let letters = letters.map(|(kind, to)| told(Letter::new(&state.config, kind, user, to)));
    let now = timestamp::now(&state.clock);
    Dispatch::notices(state, user, letters.filter(|_| limits::email(state, now).is_ok()).collect())
}
