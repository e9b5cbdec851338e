//! Mails and messages that are sent after a code is stored. We send them after the commit. A hook sends them before the
//! commit, so that nothing is stored if it refuses.

use super::messaged::{self, Due};
use crate::error::AuthError;
use crate::flows::hooks::{self, EmailData};
use crate::model::account::{User, UserBody};
use crate::model::email_kind::EmailKind;
use crate::model::requester::Requester;
use crate::outside::mail::{Email, Sealed};
use crate::state::State;
use pg::pool::Transaction;

/// What to send.
pub(crate) enum Dispatch {
    Emails(Vec<Sealed>),
    Message(Due),
    /// Mails that a hook sends.
    Hooked(Vec<Mail>),
}

/// A mail that a hook sends.
pub(crate) struct Mail {
    user: UserBody,
    data: EmailData,
}

/// What is left to send after the commit.
pub(crate) enum Ready {
    Emails(Vec<Sealed>),
    Message(Due),
}

impl Dispatch {
    /// Mails that belong together: one to each address involved.
    ///
    /// # Errors
    /// [`AuthError::TooManyEmails`] if the queue has no room for them.
    pub(super) fn mail(state: &State, user: &User, mails: Vec<Email>) -> Result<Self, AuthError> {
        if state.config.hooks.send_email.is_some() {
            let data = email_data(state, &mails);
            let mail = |data| Mail { user: user.clone().into(), data };
            return Ok(Dispatch::Hooked(data.map(mail).into_iter().collect()));
        }
        let sealed: Result<_, _> = mails.into_iter().map(|mail| state.mailer.seal(mail)).collect();
        sealed.map(Dispatch::Emails)
    }

    /// Independent mails. A mail that cannot be sent is left out.
    pub(crate) fn notices(state: &State, user: &User, mails: Vec<Email>) -> Self {
        if state.config.hooks.send_email.is_some() {
            let mail = |data| Mail { user: user.clone().into(), data };
            let data = mails.into_iter().filter_map(|mail| email_data(state, &[mail]));
            return Dispatch::Hooked(data.map(mail).collect());
        }
        Dispatch::Emails(mails.into_iter().filter_map(|mail| state.mailer.seal(mail).ok()).collect())
    }

    /// Calls the hook for what it sends itself. Must run before the commit.
    ///
    /// # Errors
    /// The hook's refusal; then the caller must not commit.
    pub(crate) async fn hand_over(
        self,
        state: &State,
        db: &Transaction<'_>,
        requester: &Requester,
    ) -> Result<Ready, AuthError> {
        match self {
            Dispatch::Emails(mails) => Ok(Ready::Emails(mails)),
            Dispatch::Message(due) => messaged::hand_over(state, db, requester, due).await.map(Ready::Message),
            Dispatch::Hooked(mails) => {
                for Mail { user, mut data } in mails {
                    if data.redirect_to.is_empty() {
                        data.redirect_to = requester.redirect_to(&state.config);
                    }
                    hooks::send_email(state, db, requester, &user, &data).await?;
                }
                Ok(Ready::Emails(Vec::new()))
            }
        }
    }

    /// The counterpart for an unknown address: sends nothing.
    ///
    /// # Errors
    /// [`AuthError::TooBusy`] if calling the hook would fail with it, so that the answer does not reveal who has an
    /// account.
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
                Ok(Ready::Emails(Vec::new()))
            }
            Dispatch::Emails(_) => Ok(Ready::Emails(Vec::new())),
        }
    }
}

impl Ready {
    /// Sends: mails in the background, a message at once.
    ///
    /// # Errors
    /// [`AuthError::SmsSendFailed`]; the code is then removed.
    pub(crate) async fn send(self, state: &State) -> Result<Option<&'static str>, AuthError> {
        match self {
            Ready::Emails(mails) => {
                state.mailer.enqueue(mails);
                Ok(None)
            }
            Ready::Message(due) => messaged::send(state, due).await,
        }
    }

    /// Returns what sending would return, without sending.
    pub(crate) fn unsent(self) -> Option<&'static str> {
        match self {
            Ready::Emails(_) => None,
            Ready::Message(due) => due.test_message(),
        }
    }
}

/// The hook's input for mails that belong together.
fn email_data(state: &State, mails: &[Email]) -> Option<EmailData> {
    let last = mails.last()?;
    let field = |mail: &Email, name: &str| mail.fields[name].as_str().unwrap_or_default().to_owned();
    let of = |name: &str, kinds: &[EmailKind]| {
        if kinds.contains(&last.kind) { field(last, name) } else { String::new() }
    };
    let mut data = EmailData {
        token: field(last, "Token"),
        token_hash: field(last, "TokenHash"),
        redirect_to: field(last, "RedirectTo"),
        email_action_type: action(last.kind).to_owned(),
        site_url: state.config.external_url.as_str().to_owned(),
        old_email: of("OldEmail", &[EmailKind::EmailChanged]),
        old_phone: of("OldPhone", &[EmailKind::PhoneChanged]),
        provider: of("Provider", &[EmailKind::IdentityLinked, EmailKind::IdentityUnlinked]),
        factor_type: of("FactorType", &[EmailKind::MfaFactorEnrolled, EmailKind::MfaFactorUnenrolled]),
        ..EmailData::default()
    };
    if let [current, new] = mails {
        data.token = field(current, "Token");
        data.token_hash_new = field(current, "TokenHash");
        data.token_new = field(new, "Token");
    }
    Some(data)
}

/// GoTrue's `email_action_type` of a mail.
fn action(kind: EmailKind) -> &'static str {
    match kind {
        EmailKind::Confirmation => "signup",
        EmailKind::MagicLink => "magiclink",
        other => other.name(),
    }
}
