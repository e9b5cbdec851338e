//! Errors about passkeys.
//!
//! Source of codes and messages: supabase/auth, `internal/api/passkey_*.go`.

use crate::error::table::codes;

codes! {
    /// A refusal about a passkey.
    PasskeyError =>
    Disabled                        404 "passkey_disabled" "Passkeys are disabled";
    NotFound                        404 "validation_failed" "Passkey not found";
    SsoUser                         422 "validation_failed" "SSO users cannot register passkeys";
    NeedsAal2                       403 "insufficient_aal" "AAL2 session is required to manage passkeys when MFA is enabled";
    TooMany                         422 "too_many_passkeys" "Maximum number of passkeys reached";
    AlreadyRegistered               422 "webauthn_credential_exists" "This credential is already registered";
    NameRequired                    400 "validation_failed" "friendly_name is required";
    NameTooLong                     400 "validation_failed" "friendly_name must be 120 characters or less";

    // Requests
    ChallengeIdRequired             400 "validation_failed" "challenge_id is required";
    CredentialRequired              400 "validation_failed" "credential is required";
    ChallengeIdInvalid              400 "validation_failed" "challenge_id must be a valid UUID";
    ChallengeNotFound               400 "webauthn_challenge_not_found" "Challenge not found or already used";
    ChallengeExpired                400 "webauthn_challenge_expired" "Challenge has expired";
    CredentialUnreadable            400 "webauthn_verification_failed" "Invalid credential response";
    CredentialRefused               400 "webauthn_verification_failed" "Credential verification failed";

    // Signing in
    EmailNotConfirmed               403 "email_not_confirmed" "Email not confirmed";
    PhoneNotConfirmed               403 "phone_not_confirmed" "Phone not confirmed";
}
