//! What is sent once a code is stored: by us after the commit, or by the project's own hook before it, so that what a hook
//! refuses was never there.

use super::messaged::{self, Due};
use crate::error::AuthError;
use crate::flows::hooks::{self, EmailData};
use crate::model::account::{User, UserBody};
use crate::model::letter_kind::LetterKind;
use crate::model::requester::Requester;
use crate::outside::mail::{Letter, Sealed};
use crate::state::State;
use pg::pool::Transaction;

/// What is to be sent.
pub(crate) enum Dispatch {
    Letters(Vec<Sealed>),
    Message(Due),
    /// Mails that the project sends itself.
    Hooked(Vec<Mail>),
}

/// A mail that the project sends itself.
pub(crate) struct Mail {
    user: UserBody,
    data: EmailData,
}

/// What is left to do after the commit.
pub(crate) enum Ready {
    Letters(Vec<Sealed>),
    Message(Due),
}

impl Dispatch {
    /// Letters that belong together: one to each address that has a part in it.
    ///
    /// # Errors
    /// [`AuthError::TooManyEmails`] when there is no room for them.
    pub(super) fn mail(state: &State, user: &User, letters: Vec<Letter>) -> Result<Self, AuthError> {
        if state.config.hooks.send_email.is_some() {
            let data = email_data(state, &letters);
            let mail = |data| Mail { user: user.clone().into(), data };
            return Ok(Dispatch::Hooked(data.map(mail).into_iter().collect()));
        }
        let sealed: Result<_, _> = letters.into_iter().map(|letter| state.mailer.seal(letter)).collect();
        sealed.map(Dispatch::Letters)
    }

    /// Letters of which each is one for itself. What cannot be sent is left out.
    pub(crate) fn notices(state: &State, user: &User, letters: Vec<Letter>) -> Self {
        if state.config.hooks.send_email.is_some() {
            let mail = |data| Mail { user: user.clone().into(), data };
            let data = letters.into_iter().filter_map(|letter| email_data(state, &[letter]));
            return Dispatch::Hooked(data.map(mail).collect());
        }
        Dispatch::Letters(letters.into_iter().filter_map(|letter| state.mailer.seal(letter).ok()).collect())
    }

    /// Hands over what the project sends itself: before the commit.
    ///
    /// # Errors
    /// What the hook says against it; then nothing is to be committed.
    pub(crate) async fn hand_over(
        self,
        state: &State,
        db: &Transaction<'_>,
        requester: &Requester,
    ) -> Result<Ready, AuthError> {
        match self {
            Dispatch::Letters(letters) => Ok(Ready::Letters(letters)),
            Dispatch::Message(due) => messaged::hand_over(state, db, requester, due).await.map(Ready::Message),
            Dispatch::Hooked(mails) => {
                for Mail { user, mut data } in mails {
                    if data.redirect_to.is_empty() {
                        data.redirect_to = requester.redirect_to(&state.config);
                    }
                    hooks::send_email(state, db, requester, &user, &data).await?;
                }
                Ok(Ready::Letters(Vec::new()))
            }
        }
    }

    /// The same for somebody to whom nothing is sent.
    ///
    /// # Errors
    /// [`AuthError::TooBusy`] where a hook that sends it would be, so that the answer does not tell who has an account.
    pub(crate) fn held_back(self, state: &State) -> Result<Ready, AuthError> {
        let config = &state.config.hooks;
        match self {
            Dispatch::Message(due) => {
                if due.is_hooked() {
                    hooks::has_room(state, config.send_sms.as_ref())?;
                }
                Ok(Ready::Message(due))
            }
            Dispatch::Hooked(mails) => {
                if !mails.is_empty() {
                    hooks::has_room(state, config.send_email.as_ref())?;
                }
                Ok(Ready::Letters(Vec::new()))
            }
            Dispatch::Letters(_) => Ok(Ready::Letters(Vec::new())),
        }
    }
}

impl Ready {
    /// Sends it: letters in the background, a message at once.
    ///
    /// # Errors
    /// [`AuthError::SmsSendFailed`]: then the code is taken back.
    pub(crate) async fn send(self, state: &State) -> Result<Option<&'static str>, AuthError> {
        match self {
            Ready::Letters(letters) => {
                state.mailer.post(letters);
                Ok(None)
            }
            Ready::Message(due) => messaged::send(state, due).await,
        }
    }

    /// What sending it would have answered; nothing is sent.
    pub(crate) fn unsent(self) -> Option<&'static str> {
        match self {
            Ready::Letters(_) => None,
            Ready::Message(due) => due.test_message(),
        }
    }
}

/// What a hook is told of letters that belong together.
fn email_data(state: &State, letters: &[Letter]) -> Option<EmailData> {
    let last = letters.last()?;
    let field = |letter: &Letter, name: &str| letter.fields[name].as_str().unwrap_or_default().to_owned();
    let of = |name: &str, kinds: &[LetterKind]| {
        if kinds.contains(&last.kind) { field(last, name) } else { String::new() }
    };
    let mut data = EmailData {
        token: field(last, "Token"),
        token_hash: field(last, "TokenHash"),
        redirect_to: field(last, "RedirectTo"),
        email_action_type: action(last.kind).to_owned(),
        site_url: state.config.external_url.as_str().to_owned(),
        old_email: of("OldEmail", &[LetterKind::EmailChanged]),
        old_phone: of("OldPhone", &[LetterKind::PhoneChanged]),
        provider: of("Provider", &[LetterKind::IdentityLinked, LetterKind::IdentityUnlinked]),
        factor_type: of("FactorType", &[LetterKind::MfaFactorEnrolled, LetterKind::MfaFactorUnenrolled]),
        ..EmailData::default()
    };
    if let [current, new] = letters {
        data.token = field(current, "Token");
        data.token_hash_new = field(current, "TokenHash");
        data.token_new = field(new, "Token");
    }
    Some(data)
}

/// What GoTrue calls the occasion of a letter.
fn action(kind: LetterKind) -> &'static str {
    match kind {
        LetterKind::Confirmation => "signup",
        LetterKind::MagicLink => "magiclink",
        other => other.name(),
    }
}
