//! All errors of this service in one table of status, code and message.
//!
//! Codes and messages are GoTrue's (supabase/auth, `internal/api/apierrors/errorcode.go` and the handlers).
//! [`crate::routes::wire`] puts them into the shape that the client asked for.

mod external;
pub(crate) mod fault;
mod hooks;
mod limited;
mod mfa;
mod oauth;
mod oauth_server;
mod passkeys;
mod saml;
mod table;
mod weakness;
mod web3;

use fault::Fault;
use table::codes;

pub(crate) use external::ExternalError;
pub(crate) use hooks::HookError;
pub(crate) use limited::Limited;
pub(crate) use mfa::MfaError;
pub(crate) use oauth::OAuthError;
pub(crate) use oauth_server::OAuthServerError;
pub(crate) use passkeys::PasskeyError;
pub(crate) use saml::SamlError;
pub(crate) use weakness::Weakness;
pub(crate) use web3::Web3Error;

codes! {
    /// A refusal or a failure.
    AuthError =>
    // Callers
    NoAuthorization                 401 "no_authorization" "This endpoint requires a valid Bearer token";
    BadApiKey                       401 "no_authorization" "Invalid API key";
    BadJwt(reason: String = "token signature is invalid: signature is invalid".to_owned())
                                    403 "bad_jwt" "invalid JWT: unable to parse or verify signature, {reason}";
    MissingSubject                  403 "bad_jwt" "invalid claim: missing sub claim";
    SubjectNotUuid                  400 "bad_jwt" "invalid claim: sub claim must be a UUID";
    SessionIdNotUuid                403 "bad_jwt" "invalid claim: session_id claim must be a UUID";
    UserNotFound                    403 "user_not_found" "User from sub claim in JWT does not exist";
    SessionNotFound                 403 "session_not_found" "Session from session_id claim in JWT does not exist";
    Banned                          403 "user_banned" "User is banned";
    SessionOver                     403 "session_expired" "Session is no longer valid";
    NotAdmin                        403 "not_admin" "User not allowed";
    ClientNotAllowed                403 "no_authorization" "OAuth clients are not allowed to perform this action";
    WrongAudience                   400 "validation_failed" "Token audience doesn't match request audience";

    // Requests
    BodyTooLarge(limit: usize = 1_048_576)
                                    413 "request_entity_too_large" "Request body too large (max {limit} bytes)";
    RequestMalformed(reason: &'static str = "The request is not valid HTTP/1.1")
                                    400 "validation_failed" "{reason}";
    RequestSlow                     408 "request_timeout" "The request was sent too slowly";
    UrlTooLong                      414 "validation_failed" "The URL of the request is too long";
    HeadersTooLarge                 431 "validation_failed" "The headers of the request are too large";
    BodyUnreadable                  400 "bad_json" "Could not read request body";
    BadJson(reason: String = "unexpected end of JSON input".to_owned())
                                    400 "bad_json" "Could not parse request body as JSON: {reason}";
    NulCharacter                    400 "validation_failed" "Text must not contain the character U+0000";
    EmailRequired                   400 "validation_failed" "An email address is required";
    EmailTooLong                    400 "validation_failed" "An email address is too long";
    EmailInvalid                    400 "validation_failed" "Unable to validate email address: invalid format";
    PhoneInvalid                    400 "validation_failed" "Invalid phone number format (E.164 required)";
    ChannelInvalid                  400 "validation_failed"
        "Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or Twilio Verify is used as the provider.";
    ChallengeIncomplete             400 "validation_failed" "PKCE flow requires code_challenge_method and code_challenge";
    ChallengeLength                 400 "validation_failed" "code challenge has to be between 43 and 128 characters";
    ChallengeCharacters             400 "validation_failed"
        "code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes";
    ChallengeForPhone               400 "validation_failed" "PKCE not supported for phone signups";
    LogoutScope(scope: String = "\"x\"".to_owned())
                                    400 "validation_failed" "Unsupported logout scope {scope}";

    // Passwords
    PasswordRequired                400 "validation_failed" "Signup requires a valid password";
    PasswordTooLong                 400 "validation_failed" "Password cannot be longer than 72 characters";
    WeakPassword(weakness: Weakness = Weakness::example())
                                    422 "weak_password" "{weakness}";
    SamePassword                    422 "same_password" "New password should be different from the old password.";
    ReauthenticationNeeded          400 "reauthentication_needed" "Password update requires reauthentication";
    NonceInvalid                    422 "reauthentication_not_valid" "Nonce has expired or is invalid";
    NonceImpossible                 422 "reauthentication_not_valid" "Reauthentication requires an email or a phone number";
    CurrentPasswordRequired         400 "current_password_required" "Current password required when setting new password.";
    CurrentPasswordWrong            400 "current_password_invalid" "Current password required when setting new password.";
    AnonymousPassword               422 "validation_failed"
        "Updating password of an anonymous user without an email or phone is not allowed";

    // Signing up
    SignupDisabled                  422 "signup_disabled" "Signups not allowed for this instance";
    AnonymousDisabled               422 "anonymous_provider_disabled" "Anonymous sign-ins are disabled";
    EmailSignupDisabled             400 "email_provider_disabled" "Email signups are disabled";
    PhoneSignupDisabled             400 "phone_provider_disabled" "Phone signups are disabled";
    SignupEmailOrPhone              400 "validation_failed" "Only an email address or phone number should be provided on signup.";
    SignupConflict                  409 "conflict" "Too many concurrent sign-ups with the same address";
    UserAlreadyExists               422 "user_already_exists" "User already registered";
    AddressNotAuthorized(address: String = "\"a@x.test\"".to_owned())
                                    400 "email_address_not_authorized"
        "Email address {address} cannot be used as it is not authorized";
    AddressInvalid(address: String = "\"test@example.com\"".to_owned())
                                    400 "email_address_invalid" "Email address {address} is invalid";
    TooSoonForEmail(seconds: i64 = 59)
                                    429 "over_email_send_rate_limit"
        "For security purposes, you can only request this after {seconds} seconds.";
    TooManyEmails(_seconds: i64 = 3600)
                                    429 "over_email_send_rate_limit" "email rate limit exceeded";
    TooManySms(_seconds: i64 = 3600)
                                    429 "over_sms_send_rate_limit" "SMS rate limit exceeded";
    TooSoonForSms(seconds: i64 = 59)
                                    429 "over_sms_send_rate_limit"
        "For security purposes, you can only request this after {seconds} seconds.";
    SmsSendFailed(reason: String = "confirmation OTP to provider: no".to_owned())
                                    422 "sms_send_failed" "Error sending {reason}";

    CaptchaMissing                  400 "captcha_failed" "captcha protection: request disallowed (no captcha_token found)";
    CaptchaFailed(codes: String = "invalid-input-response".to_owned())
                                    400 "captcha_failed" "captcha protection: request disallowed ({codes})";

    // One-time codes
    OtpWrong                        403 "otp_expired" "Token has expired or is invalid";
    LinkWrong                       403 "otp_expired" "Email link is invalid or has expired";
    OtpDisabled                     422 "otp_disabled" "Signups not allowed for otp";
    OtpEmailOrPhone                 400 "validation_failed" "Only an email address or phone number should be provided";
    OtpChannelForEmail              400 "validation_failed" "Channel should only be specified with Phone OTP";
    OtpAddressMissing               400 "validation_failed" "One of email or phone must be set";
    OtpPhoneDisabled                400 "phone_provider_disabled" "Unsupported phone provider";
    MagicLinkDisabled               422 "email_provider_disabled" "Login with magic link is disabled";
    MagicLinkEmailRequired          422 "validation_failed" "Password recovery requires an email";
    MagicLinkBadJson(reason: String = "EOF".to_owned())
                                    400 "bad_json" "Could not read verification params: {reason}";
    RecoveryEmailRequired           400 "validation_failed" "Password recovery requires an email";
    ResendType                      400 "validation_failed" "Missing one of these types: signup, email_change, sms, phone_change";
    ResendEmailRequired             400 "validation_failed" "Type provided requires an email address";
    ResendPhoneRequired             400 "validation_failed" "Type provided requires a phone number";
    ResendEmailOrPhone              400 "validation_failed" "Only an email address or phone number should be provided.";
    ResendAddressMissing            400 "validation_failed" "Missing email address or phone number";
    ResendEmailDisabled             400 "email_provider_disabled" "Email logins are disabled";
    ResendPhoneDisabled             400 "phone_provider_disabled" "Phone logins are disabled";
    ReauthenticationAddress         400 "validation_failed" "Reauthentication requires the user to have an email or a phone number";
    ReauthenticationEmail           422 "email_not_confirmed" "Please verify your email first.";
    ReauthenticationPhone           422 "phone_not_confirmed" "Please verify your phone first.";

    // Verifying
    VerifyType                      400 "validation_failed" "Verify requires a verification type";
    VerifyToken                     400 "validation_failed" "Verify requires a token or a token hash";
    VerifyTokenOrHash               400 "validation_failed" "Verify requires either a token or a token hash";
    VerifyEmailOrPhone              400 "validation_failed" "Only an email address or phone number should be provided on verify";
    VerifyHashOnly                  400 "validation_failed" "Only the token_hash and type should be provided";
    VerifyEmailInvalid              422 "validation_failed" "Invalid email format";
    VerifyTypeInvalid               400 "validation_failed" "Invalid email verification type";
    VerifyTypeUnsupported           400 "validation_failed" "Unsupported verification type";
    FlowStateMissing                400 "flow_state_not_found" "No associated flow state found. No valid flow state found for user.";

    // Exchanging codes
    CodeAndVerifier                 400 "validation_failed"
        "invalid request: both auth code and code verifier should be non-empty";
    FlowStateNotFound               404 "flow_state_not_found" "invalid flow state, no valid flow state found";
    FlowStateExpired                422 "flow_state_expired" "invalid flow state, flow state has expired";
    VerifierWrong                   400 "bad_code_verifier" "code challenge does not match previously saved code verifier";
    VerifierMethod                  400 "bad_code_verifier" "code challenge method not supported";

    // Links for administrators
    LinkUserNotFound                404 "user_not_found" "User with this email not found";
    LinkNeedsBoth                   400 "validation_failed" "Enable secure email change to generate link for current email";
    LinkType(asked: String = "x".to_owned())
                                    400 "validation_failed" "Invalid email action link type requested: {asked}";

    // Administration
    UserIdNotUuid                   404 "validation_failed" "user_id must be an UUID";
    NoSuchUser                      404 "user_not_found" "User not found";
    NewUserWithoutAddress           400 "validation_failed" "Cannot create a user without either an email or phone";
    NewUserPhoneExists              422 "phone_exists" "Phone number already registered by another user";
    PasswordOrHash                  400 "validation_failed" "Only a password or a password hash should be provided";
    PasswordTooLongForBcrypt        400 "validation_failed" "bcrypt: password length exceeds 72 bytes";
    PasswordHashUnknown             400 "validation_failed"
        "The password hash must be one of bcrypt (of a cost up to 16), argon2i, argon2id or Firebase scrypt";
    NewIdNotUuid                    400 "validation_failed" "ID must conform to the uuid v4 format";
    NewIdNil                        400 "validation_failed" "ID cannot be a nil uuid";
    NewIdExists                     409 "conflict" "A user with this ID already exists";
    BanDuration(reason: String = "time: invalid duration \"x\"".to_owned())
                                    400 "validation_failed" "invalid format for ban duration: {reason}";
    BadSort(reason: String = "bad field for sort 'x'".to_owned())
                                    400 "validation_failed" "Bad Sort Parameters: {reason}";
    BadPage(reason: String = "strconv.ParseUint: parsing \"x\": invalid syntax".to_owned())
                                    400 "validation_failed" "Bad Pagination Parameters: {reason}";
    ScimDisabled                    404 "feature_disabled" "SCIM server is disabled";
    AuditScope(query: String = "x:y".to_owned())
                                    400 "validation_failed" "Invalid query scope: {query}";

    // Signing in
    UnsupportedGrant                400 "invalid_credentials" "unsupported_grant_type";
    LoginEmailOrPhone               400 "validation_failed" "Only an email address or phone number should be provided on login.";
    LoginAddressMissing             400 "validation_failed" "missing email or phone";
    EmailLoginDisabled              422 "email_provider_disabled" "Email logins are disabled";
    PhoneLoginDisabled              422 "phone_provider_disabled" "Phone logins are disabled";
    InvalidCredentials              400 "invalid_credentials" "Invalid login credentials";
    LoginBanned                     400 "user_banned" "User is banned";
    EmailNotConfirmed               400 "email_not_confirmed" "Email not confirmed";
    PhoneNotConfirmed               400 "phone_not_confirmed" "Phone not confirmed";

    // Refreshing
    RefreshTokenMalformed           400 "validation_failed" "Refresh token is not valid";
    RefreshTokenNotFound            400 "refresh_token_not_found" "Invalid Refresh Token: Refresh Token Not Found";
    RefreshTokenUsed                400 "refresh_token_already_used" "Invalid Refresh Token: Already Used";
    RefreshBanned                   400 "user_banned" "Invalid Refresh Token: User Banned";
    RefreshWithoutSession           400 "session_not_found" "Invalid Refresh Token: No Valid Session Found";
    RefreshTokenForeign             400 "validation_failed" "Invalid Refresh Token: Not Issued By This Server";
    SessionExpired                  400 "session_expired" "Invalid Refresh Token: Session Expired";
    SessionInactive                 400 "session_expired" "Invalid Refresh Token: Session Expired (Inactivity)";
    SessionLowAal                   400 "session_expired"
        "Invalid Refresh Token: Session Expired (Low AAL: User Needs MFA Verification)";
    SessionSuperseded               400 "session_expired" "Invalid Refresh Token: Session Expired (Revoked by Newer Login)";
    RefreshConflict                 409 "conflict"
        "Too many concurrent token refresh requests on the same session or refresh token";

    // Changing an account
    AppMetadataNotAdmin             403 "not_admin" "Updating app_metadata requires admin privileges";
    InsufficientAal                 401 "insufficient_aal"
        "AAL2 session is required to update email or password when MFA is enabled.";
    SsoManaged                      422 "user_sso_managed" "Updating email, phone, password of a SSO account only possible via SSO";
    EmailExists                     422 "email_exists" "A user with this email address has already been registered";
    PhoneExists                     422 "phone_exists" "A user with this phone number has already been registered";

    SamlDisabled                    404 "saml_provider_disabled" "SAML 2.0 is disabled";

    // Server side
    TooManyRequests(_limited: Limited = Limited { seconds: 10, class: "otp" })
                                    429 "over_request_rate_limit" "Request rate limit reached";
    TooBusy                         429 "over_request_rate_limit" "Request rate limit reached";
    NoMemory                        503 "unexpected_failure" "The server is holding as much data as it may, please try again";
    RequestTimeout                  504 "request_timeout" "Processing this request timed out, please retry after a moment.";
    Unavailable(_fault: Box<Fault> = Fault::example())
                                    503 "unexpected_failure" "The database cannot be reached at the moment, please try again";
    Internal(fault: Box<Fault> = Fault::example())
                                    500 "unexpected_failure" "{fault}";

    + Hook(HookError);
    + OAuth(OAuthError);
    + OAuthServer(OAuthServerError);
    + Web3(Web3Error);
    + SecondFactor(MfaError);
    + Passkey(PasskeyError);
    + External(ExternalError);
    + Saml(SamlError);
}

impl AuthError {
    /// The name of the exceeded limit, for the log.
    pub(crate) fn limit_class(&self) -> Option<&'static str> {
        match self {
            AuthError::TooManyRequests(limited) => Some(limited.class),
            AuthError::TooManyEmails(_) => Some("emails of the project"),
            AuthError::TooManySms(_) => Some("messages of the project"),
            AuthError::TooBusy => Some("password hashing, or hooks"),
            other => (other.status() == 429).then(|| other.code()),
        }
    }

    /// Seconds after which a retry makes sense: the header `Retry-After`.
    pub(crate) fn retry_after(&self) -> Option<i64> {
        match self {
            AuthError::Unavailable(_) | AuthError::TooBusy | AuthError::NoMemory => Some(1),
            AuthError::TooManyRequests(limited) => Some(limited.seconds),
            AuthError::TooManyEmails(seconds)
            | AuthError::TooManySms(seconds)
            | AuthError::TooSoonForEmail(seconds)
            | AuthError::TooSoonForSms(seconds) => Some((*seconds).max(1)),
            _ => None,
        }
    }

    /// The failure to log, if any.
    pub(crate) fn fault(&self) -> Option<&Fault> {
        match self {
            AuthError::Internal(fault) | AuthError::Unavailable(fault) => Some(fault),
            _ => None,
        }
    }
}

impl std::fmt::Display for AuthError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.status(), self.message())
    }
}

impl std::error::Error for AuthError {}

impl From<MfaError> for AuthError {
    fn from(error: MfaError) -> Self {
        AuthError::SecondFactor(error)
    }
}

impl From<PasskeyError> for AuthError {
    fn from(error: PasskeyError) -> Self {
        AuthError::Passkey(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::wire::{ApiVersion, answer};
    use actix_web::body::to_bytes;

    /// Every code with its status, the header that names it, and its body in both shapes.
    #[actix_web::test]
    async fn every_answer() {
        let mut table = String::new();
        for error in AuthError::all() {
            for version in [ApiVersion::Initial, ApiVersion::V20240101] {
                let response = answer(&error, version, "request-1");
                let header = |name: &str| {
                    response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or("-").to_owned()
                };
                let line = format!(
                    "{} {version:?} x-sb-error-code={} version={} retry-after={}",
                    response.status().as_u16(),
                    header("x-sb-error-code"),
                    header("x-supabase-api-version"),
                    header("retry-after"),
                );
                let body = to_bytes(response.into_body()).await.unwrap();
                table.push_str(&format!("{line}\n    {}\n", std::str::from_utf8(&body).unwrap()));
            }
        }
        insta::assert_snapshot!(table);
    }
}
