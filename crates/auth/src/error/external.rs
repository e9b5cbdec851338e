//! Errors of signing in with external providers and of linking identities.

use crate::error::table::codes;

codes! {
    /// A refusal.
    ExternalError =>
    // Starting the flow
    Unsupported(reason: String = "provider is not enabled".to_owned())
                                    400 "validation_failed" "Unsupported provider: {reason}";
    ChallengeMethod                 400 "validation_failed" "Invalid code_challenge_method";
    InviteTokenUnknown              404 "user_not_found" "User identified by token not found";

    // Callback
    StateMissing                    400 "bad_oauth_callback" "OAuth state parameter missing";
    StateInvalid                    400 "bad_oauth_state" "OAuth state parameter is invalid";
    StateNotFound                   400 "bad_oauth_state" "OAuth state not found or expired";
    StateExpired                    400 "bad_oauth_state" "OAuth state has expired";
    StateUsed                       400 "flow_state_already_used" "State has already been used";
    LinkingTargetGone               422 "user_not_found" "Linking target user not found";
    NoLongerSupported(reason: String = "provider is not enabled".to_owned())
                                    400 "oauth_provider_not_supported" "Unsupported provider: {reason}";
    CodeMissing                     400 "bad_oauth_callback" "OAuth callback with missing authorization code missing";
    IssuerMismatch                  400 "bad_oauth_callback" "OAuth callback from another issuer than the provider's";
    VerifierNotFound                422 "oauth_client_state_not_found" "OAuth state not found";
    VerifierExpired                 422 "oauth_client_state_expired" "OAuth state expired";
    VerifierOfAnother               400 "oauth_invalid_state" "OAuth provider mismatch";
    VerifierMissing                 400 "oauth_invalid_state" "OAuth PKCE code verifier missing";

    // Account selection
    InviteNotFound                  404 "invite_not_found" "Invite not found";
    InvitedEmail                    400 "validation_failed" "Invited email does not match emails from external provider";
    ManyAccounts(domain: String = "default".to_owned())
                                    500 "unexpected_failure"
        "Multiple accounts with the same email address in the same linking domain detected: {domain}";
    NeedsVerification(provider: String = "spotify".to_owned())
                                    422 "provider_email_needs_verification"
        "Unverified email with {provider}. A confirmation email has been sent to your {provider} email";
    NeedsVerificationThere(provider: String = "spotify".to_owned())
                                    422 "provider_email_needs_verification"
        "Unverified email with {provider}. Verify the email with {provider} in order to sign in";

    UnverifiedEmailTaken(provider: String = "spotify".to_owned())
                                    422 "provider_email_needs_verification"
        "Unverified email with {provider}, and an account with this email exists. Verify the email with {provider}, or sign in to \
         that account first and link {provider} to it";

    // Linking and unlinking
    ManualLinkingDisabled           404 "manual_linking_disabled" "Manual linking is disabled";
    AlreadyLinked                   422 "identity_already_exists" "Identity is already linked";
    LinkedToAnother                 422 "identity_already_exists" "Identity is already linked to another user";
    LinkedEmailExists               400 "email_exists" "A user with this email address has already been registered";
    LinkedUnverified(provider: String = "spotify".to_owned())
                                    422 "email_not_confirmed"
        "Unverified email with {provider}. A confirmation email has been sent to your {provider} email";
    IdentityNotUuid                 404 "validation_failed" "identity_id must be an UUID";
    UnexpectedAudience              403 "unexpected_audience" "Token audience doesn't match request audience";
    SingleIdentity                  422 "single_identity_not_deletable"
        "User must have at least 1 identity after unlinking";
    IdentityNotFound                422 "identity_not_found" "Identity doesn't exist";
    EmailConflict                   422 "email_conflict_identity_not_deletable"
        "Unable to unlink identity due to email conflict";

    // ID tokens
    AppleIssuerUnreadable           400 "validation_failed" "Unable to detect issuer in ID token for Apple provider";
    AppleIssuer                     400 "validation_failed" "Detected ID token issuer is not an Apple ID token issuer";
    AzureIssuerUnreadable           400 "validation_failed" "Unable to detect issuer in ID token for Azure provider";
    AzureIssuer                     400 "validation_failed" "Detected ID token issuer is not an Azure ID token issuer";
    OtherIssuer                     400 "validation_failed" "Provided issuer does not match ID token issuer";
    IssuerNotAllowed(provider: String = "\"\"".to_owned())
                                    400 "validation_failed" "Custom OIDC provider {provider} not allowed";
    ProviderDisabled(issuer: String = "\"https://id.test\"".to_owned())
                                    400 "provider_disabled" "Provider (issuer {issuer}) is not enabled";
    CustomDisabledForTokens         400 "validation_failed" "Custom OAuth providers are disabled";
    CustomUnknown(name: String = "\"custom:x\"".to_owned())
                                    400 "validation_failed" "Custom provider {name} not found";
    CustomOff(name: String = "\"custom:x\"".to_owned())
                                    400 "provider_disabled" "Custom provider {name} is disabled";
    CustomNotOidc(name: String = "\"custom:x\"".to_owned())
                                    400 "validation_failed" "Provider {name} is not an OIDC provider";

    // Custom providers
    CustomFeatureDisabled           404 "feature_disabled" "Custom OAuth providers are disabled";
    CustomField(reason: String = "name is required".to_owned())
                                    400 "validation_failed" "{reason}";
    CustomQuota                     400 "over_custom_provider_quota"
        "Maximum number of custom OAuth/OIDC providers reached";
    CustomExists                    400 "conflict" "A custom OAuth provider with this identifier already exists";
    CustomNotFound                  404 "custom_provider_not_found" "Custom OAuth provider not found";
}
