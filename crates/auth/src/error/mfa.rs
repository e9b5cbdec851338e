//! Errors about second factors.
//!
//! Source of codes and messages: supabase/auth, `internal/api/mfa.go`.

use uuid::Uuid;

use crate::error::table::codes;

codes! {
    /// A refusal about a second factor.
    MfaError =>
    AnonymousUser                   403 "no_authorization" "Anonymous user not allowed to perform these actions";

    // Enrolling
    FactorType                      400 "validation_failed" "factor_type needs to be totp, phone, or webauthn";
    TotpEnrollDisabled              422 "mfa_totp_enroll_not_enabled" "MFA enroll is disabled for TOTP";
    PhoneEnrollDisabled             422 "mfa_phone_enroll_not_enabled" "MFA enroll is disabled for Phone";
    WebAuthnEnrollDisabled          422 "mfa_webauthn_enroll_not_enabled" "MFA enroll is disabled for WebAuthn";
    PhoneRequired                   400 "validation_failed" "Phone number required to enroll Phone factor";
    PhoneFactorExists               422 "mfa_verified_factor_exists"
        "A verified phone factor already exists, unenroll the existing factor to continue";
    NameConflict(name: String = "\"my phone\"".to_owned())
                                    422 "mfa_factor_name_conflict"
        "A factor with the friendly name {name} for this user already exists";
    TooManyFactors                  422 "too_many_enrolled_mfa_factors"
        "Maximum number of verified factors reached, unenroll to continue";
    EnrollNeedsAal2                 403 "insufficient_aal" "AAL2 required to enroll a new factor";

    // One factor
    FactorId                        404 "validation_failed" "factor_id must be an UUID";
    FactorNotFound                  404 "mfa_factor_not_found" "Factor not found";
    UnenrollNeedsAal2               422 "insufficient_aal" "AAL2 required to unenroll verified factor";

    // Challenging and verifying
    TotpVerifyDisabled              422 "mfa_totp_verify_not_enabled" "MFA verification is disabled for TOTP";
    PhoneVerifyDisabled             422 "mfa_phone_verify_not_enabled" "MFA verification is disabled for Phone";
    WebAuthnChallengeDisabled       422 "mfa_webauthn_verify_not_enabled" "MFA verification is disabled for WebAuthn";
    /// GoTrue uses the code of enrolment here.
    WebAuthnVerifyDisabled          422 "mfa_webauthn_enroll_not_enabled" "MFA verification is disabled for WebAuthn";
    CodeRequired                    400 "validation_failed" "Code needs to be non-empty";
    WebAuthnRequired                400 "validation_failed" "WebAuthn config required";
    WebAuthnType                    400 "validation_failed" "WebAuthn type must be create or request";
    ResponseRequired                400 "validation_failed" "credential_response required";
    ResponseInvalid                 400 "validation_failed" "Invalid credential_response";
    ChallengeNotFound               422 "mfa_factor_not_found" "MFA factor with the provided challenge ID not found";
    ChallengeElsewhere              422 "mfa_ip_address_mismatch" "Challenge and verify IP addresses mismatch.";
    /// As in GoTrue, without the full stop.
    PhoneChallengeElsewhere         422 "mfa_ip_address_mismatch" "Challenge and verify IP addresses mismatch";
    ChallengeExpired(id: Uuid = Uuid::nil())
                                    422 "mfa_challenge_expired"
        "MFA challenge {id} has expired, verify against another challenge or create a new challenge.";
    TotpWrong                       422 "mfa_verification_failed" "Invalid TOTP code entered";
    PhoneWrong                      422 "mfa_verification_failed" "Invalid MFA Phone code entered";
}
