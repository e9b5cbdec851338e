//! Errors of the OAuth server in GoTrue's own shape; those in OAuth's shape are in [`crate::error::oauth`].

use crate::error::table::codes;

codes! {
    /// A part of the table in [`crate::error`].
    OAuthServerError =>
    Disabled                        404 "feature_disabled" "OAuth server is disabled";

    // Clients
    RegistrationDisabled            403 "oauth_dynamic_client_registration_disabled"
        "Dynamic client registration is not enabled";
    ClientJson                      400 "bad_json" "Invalid JSON body";
    Registration(problem: String = "redirect_uris is required".to_owned())
                                    400 "validation_failed" "400: {problem}";
    Update(problem: String = "grant_types cannot be empty".to_owned())
                                    400 "validation_failed" "{problem}";
    UpdateEmpty                     400 "validation_failed" "No fields provided for update";
    ClientIdFormat                  400 "validation_failed" "invalid client_id format";
    ClientNotFound                  404 "oauth_client_not_found" "OAuth client not found";
    SecretImpossible                400 "validation_failed" "Cannot regenerate secret for public client";

    // Authorizing
    ClientIdMissing                 400 "validation_failed" "client_id is required";
    RedirectUriMissing              400 "validation_failed" "redirect_uri is required";
    AuthorizeClientFormat           400 "oauth_client_not_found" "invalid client_id format";
    AuthorizeClient                 400 "oauth_client_not_found" "invalid client_id";
    RedirectUri                     400 "validation_failed" "invalid redirect_uri";
    Origin                          400 "validation_failed" "unauthorized request origin";
    AuthorizationNotFound           404 "oauth_authorization_not_found" "authorization not found";
    AuthorizationSpent              400 "validation_failed" "authorization request cannot be processed";
    ConsentJson                     400 "bad_json" "invalid JSON body";
    ConsentAction                   400 "validation_failed" "action must be 'approve' or 'deny'";
    ConsentSpent                    400 "validation_failed" "authorization request is no longer pending";

    // Client authentication
    Credentials(reason: &'static str = "client_id is required")
                                    400 "invalid_credentials" "Invalid client credentials: {reason}";
    CredentialsFormat               400 "invalid_credentials" "Invalid client_id format";
    CredentialsUnknown              400 "invalid_credentials" "Invalid client credentials";
    AuthMethod(reason: String = "client is registered for 'none' but 'client_secret_post' was used".to_owned())
                                    400 "invalid_credentials" "invalid authentication method: {reason}";
    SecretUnexpected                400 "invalid_credentials" "public clients must not provide client_secret";
    SecretMissing                   400 "invalid_credentials" "confidential clients must provide client_secret";
    SecretWrong                     400 "invalid_credentials" "invalid client credentials";

    // Grants of users
    GrantClientMissing              400 "validation_failed" "client_id query parameter is required";
    GrantNotFound                   404 "oauth_consent_not_found" "No active grant found for this client";
}
