//! Codes sent by mail, each with a link that does the same.
//!
//! Source: supabase/auth, `internal/api/mail.go`.

use chrono::{DateTime, Utc};
use pg::pool::Query;

use super::{Dispatch, new_code};
use crate::config::MailerConfig;
use crate::error::AuthError;
use crate::error::fault::OrFault;
use crate::flows::limits;
use crate::model::account::User;
use crate::model::email_kind::EmailKind;
use crate::model::pkce::Challenge;
use crate::model::timestamp::after;
use crate::outside::mail::{Email, links};
use crate::state::State;
use crate::store::one_time_tokens::{self, Kind};
use crate::store::users::{self, Slot};

/// How a link leads back to the app.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Return<'a> {
    /// With a PKCE challenge, the app gets a code.
    pub(crate) challenge: Option<&'a Challenge>,
    pub(crate) redirect_to: &'a str,
}

/// The properties of one kind of mailed code.
pub(crate) struct CodeByMail {
    mail: EmailKind,
    /// The `type` of `GET /verify`.
    verification: &'static str,
    slot: Slot,
    kind: Kind,
    /// The message to the client if the database fails.
    failed: &'static str,
}

const CONFIRMATION: CodeByMail = CodeByMail {
    mail: EmailKind::Confirmation,
    verification: "signup",
    slot: Slot::Confirmation,
    kind: Kind::Confirmation,
    failed: "Error sending confirmation email",
};
const INVITATION: CodeByMail = CodeByMail {
    mail: EmailKind::Invite,
    verification: "invite",
    slot: Slot::Invitation,
    kind: Kind::Confirmation,
    failed: "Error inviting user",
};
/// Password recovery.
pub(crate) const RECOVERY: CodeByMail = CodeByMail {
    mail: EmailKind::Recovery,
    verification: "recovery",
    slot: Slot::Recovery,
    kind: Kind::Recovery,
    failed: "Error sending recovery email",
};
/// Sign-in by mail.
pub(crate) const MAGIC_LINK: CodeByMail = CodeByMail {
    mail: EmailKind::MagicLink,
    verification: "magiclink",
    slot: Slot::Recovery,
    kind: Kind::Recovery,
    failed: "Error sending magic link email",
};
const REAUTHENTICATION: CodeByMail = CodeByMail {
    mail: EmailKind::Reauthentication,
    verification: "reauthentication",
    slot: Slot::Reauthentication,
    kind: Kind::Reauthentication,
    failed: "Error sending reauthentication email",
};

impl CodeByMail {
    /// When the user last got a code of this kind. Invitations are not limited this way.
    fn last_sent(&self, user: &User) -> Option<DateTime<Utc>> {
        match self.slot {
            Slot::Confirmation => user.confirmation_sent_at,
            Slot::Recovery => user.recovery_sent_at,
            Slot::Reauthentication => user.reauthentication_sent_at,
            Slot::Invitation => None,
        }
    }
}

/// Creates the code with which a new user confirms the address.
///
/// # Errors
/// [`AuthError::TooSoonForEmail`], [`AuthError::AddressNotAuthorized`], [`AuthError::TooManyEmails`].
pub(crate) async fn request_confirmation(
    state: &State,
    db: &impl Query,
    user: &mut User,
    back: Return<'_>,
    now: DateTime<Utc>,
) -> Result<Dispatch, AuthError> {
    let dispatch = request(state, db, user, &CONFIRMATION, back, now).await?;
    user.confirmation_sent_at = Some(now);
    Ok(dispatch)
}

/// Creates the code with which an invitation is accepted.
///
/// # Errors
/// [`AuthError::AddressNotAuthorized`], [`AuthError::TooManyEmails`].
pub(crate) async fn request_invitation(
    state: &State,
    db: &impl Query,
    user: &mut User,
    redirect_to: &str,
    now: DateTime<Utc>,
) -> Result<Dispatch, AuthError> {
    let dispatch = request(state, db, user, &INVITATION, Return { challenge: None, redirect_to }, now).await?;
    user.invited_at = Some(now);
    user.confirmation_sent_at = Some(now);
    user.updated_at = now;
    Ok(dispatch)
}

/// Creates the nonce for a reauthentication.
///
/// # Errors
/// As [`request_confirmation`].
pub(crate) async fn request_nonce(
    state: &State,
    db: &impl Query,
    user: &User,
    now: DateTime<Utc>,
) -> Result<Dispatch, AuthError> {
    request(state, db, user, &REAUTHENTICATION, Return { challenge: None, redirect_to: "" }, now).await
}

/// Creates a code of a kind that does not change the user.
///
/// # Errors
/// As [`request_confirmation`].
pub(crate) async fn request(
    state: &State,
    db: &impl Query,
    user: &User,
    occasion: &CodeByMail,
    back: Return<'_>,
    now: DateTime<Utc>,
) -> Result<Dispatch, AuthError> {
    not_too_soon(&state.config.mailer, occasion.last_sent(user), now)?;
    authorized(state, &user.email)?;
    limits::email(state, now)?;
    validated(state, &user.email).await?;
    let code = new_code(state.config.mailer.otp_length);
    let token = state.codes.token(&user.email, &code, back.challenge);
    users::set_token(db, user.id, occasion.slot, &token, now).await.or_fault(occasion.failed)?;
    one_time_tokens::replace(db, user.id, occasion.kind, &token, &user.email, now).await.or_fault(occasion.failed)?;
    let mut mail =
        Email::new(&state.config, occasion.mail, user, &user.email).with("Token", &code).with("TokenHash", &token);
    if occasion.mail != EmailKind::Reauthentication {
        let link = links::verify(&state.config, occasion.mail, occasion.verification, &token, back.redirect_to);
        mail = mail.with("ConfirmationURL", &link).with("RedirectTo", back.redirect_to);
    }
    Dispatch::mail(state, user, vec![mail])
}

/// Creates the codes for a change of address: one for the new address and, if so configured, one for the current
/// address.
///
/// # Errors
/// As [`request_confirmation`].
pub(crate) async fn request_email_change(
    state: &State,
    db: &impl Query,
    user: &mut User,
    email: &str,
    back: Return<'_>,
    now: DateTime<Utc>,
) -> Result<Dispatch, AuthError> {
    const FAILED: &str = "Error sending email change email";
    let mailer = &state.config.mailer;
    not_too_soon(mailer, user.email_change_sent_at, now)?;
    authorized(state, email)?;
    let confirm_both = mailer.secure_email_change_enabled && !user.email.is_empty();
    if confirm_both {
        authorized(state, &user.email)?;
    }
    limits::email(state, now)?;
    if confirm_both {
        validated(state, &user.email).await?;
    }
    validated(state, email).await?;
    let code = |address: &str| {
        let code = new_code(mailer.otp_length);
        (state.codes.token(address, &code, back.challenge), code)
    };
    let (new, current) = (code(email), confirm_both.then(|| code(&user.email)));
    let current_token = current.as_ref().map(|(token, _)| token.as_str()).unwrap_or_default();
    users::request_email_change(db, user.id, email, &new.0, current_token, now).await.or_fault(FAILED)?;
    let mut mails = Vec::new();
    for (kind, address, token) in
        [(Kind::EmailChangeCurrent, user.email.as_str(), current.as_ref()), (Kind::EmailChangeNew, email, Some(&new))]
    {
        let Some((token, code)) = token else { continue };
        one_time_tokens::replace(db, user.id, kind, token, address, now).await.or_fault(FAILED)?;
        let link = links::verify(&state.config, EmailKind::EmailChange, "email_change", token, back.redirect_to);
        let mail = Email::new(&state.config, EmailKind::EmailChange, user, address)
            .with("NewEmail", email)
            .with("SendingTo", address)
            .with("Token", code)
            .with("TokenHash", token)
            .with("ConfirmationURL", &link)
            .with("RedirectTo", back.redirect_to);
        mails.push(mail);
    }
    user.email_change = email.to_owned();
    let dispatch = Dispatch::mail(state, user, mails)?;
    user.email_change_sent_at = Some(now);
    user.updated_at = now;
    Ok(dispatch)
}

fn not_too_soon(mailer: &MailerConfig, last: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Result<(), AuthError> {
    let Some(allowed) = last.map(|last| after(last, mailer.max_frequency)) else { return Ok(()) };
    if allowed > now { Err(AuthError::TooSoonForEmail((allowed - now).num_seconds())) } else { Ok(()) }
}

/// Checks that mail to the address can arrive. If a hook sends the mails, the hook is responsible for that.
async fn validated(state: &State, email: &str) -> Result<(), AuthError> {
    if state.config.hooks.send_email.is_some() { Ok(()) } else { state.validation.check(email).await }
}

/// Checks that the settings allow mail to this address. A label after a plus sign is ignored.
fn authorized(state: &State, email: &str) -> Result<(), AuthError> {
    let allowed = &state.config.external.authorized_addresses;
    let plain = match (email.find('+'), email.find('@')) {
        (Some(plus), Some(at)) if plus + 1 < at => format!("{}{}", &email[..plus], &email[at..]),
        _ => email.to_owned(),
    };
    if allowed.is_empty() || email.is_empty() || allowed.iter().any(|one| one.eq_ignore_ascii_case(&plain)) {
        return Ok(());
    }
    Err(AuthError::AddressNotAuthorized(format!("{email:?}")))
}
