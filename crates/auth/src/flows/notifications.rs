//! Letters that tell users what has happened to their account, where the project asks for them.

use crate::flows::limits;
use crate::flows::one_time_tokens::Dispatch;
use crate::model::account::User;
use crate::model::letter_kind::LetterKind;
use crate::model::timestamp;
use crate::outside::mail::Letter;
use crate::state::State;

/// Letters of these kinds to these addresses. What cannot be sent is left out: the change itself is more important.
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
