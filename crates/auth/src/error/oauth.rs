//! Errors in OAuth's own shape, `{error, error_description}`, whatever API version the client asked for.
//!
//! Source: RFC 6749 section 5.2; messages from supabase/auth. The status is always 400, as in GoTrue.

use crate::error::table::codes;
use crate::model::chain::Chain;

codes! {
    /// An error of an OAuth endpoint.
    OAuthError =>
    // Refreshing
    ClientRequired                  400 "invalid_client" "Client authentication required for OAuth session";
    ClientMismatch                  400 "invalid_client" "Client does not match the session's OAuth client";
    ClientUnexpected                400 "invalid_client" "Client authentication not allowed for non-OAuth session";

    // The token endpoint of our OAuth server
    JsonBody                        400 "invalid_request" "Invalid JSON body";
    GrantTypeMissing                400 "invalid_request" "grant_type is required";
    ClientMissing                   400 "invalid_client" "Client authentication required";
    GrantTypeNotAllowed(asked: String = "password".to_owned())
                                    400 "unsupported_grant_type" "Client is not allowed to use grant type: {asked}";
    GrantTypeUnknown(asked: String = "password".to_owned())
                                    400 "unsupported_grant_type" "Unsupported grant type: {asked}";
    CodeMissing                     400 "invalid_request" "code is required for authorization_code grant";
    RefreshTokenMissing             400 "invalid_request" "refresh_token is required for refresh_token grant";
    CodeInvalid                     400 "invalid_grant" "Invalid authorization code";
    CodeExpired                     400 "invalid_grant" "Authorization code has expired";
    CodeOfOther                     400 "invalid_grant" "Authorization code was not issued for this client";
    CodeResource                    400 "invalid_grant"
        "Authorization code resource does not match the resource parameter";
    CodeRedirectUri                 400 "invalid_grant" "Invalid redirect_uri";
    CodeVerifier(reason: String = "code challenge method not supported".to_owned())
                                    400 "invalid_grant" "PKCE verification failed: {reason}";
    CodeUser                        400 "invalid_grant" "User not found for authorization code";
    UserBanned                      400 "access_denied" "User is banned";

    // Messages signed by wallets
    Web3Signature                   400 "invalid_grant" "Signature does not match address in message";
    Web3NotHttps(chain: Chain = Chain::Ethereum)
                                    400 "invalid_grant" "Signed {chain} message is using URI which does not use HTTPS";
    Web3NotAllowed(chain: Chain = Chain::Ethereum)
                                    400 "invalid_grant"
        "Signed {chain} message is using URI which is not allowed on this server, message was signed for another app";
    Web3Domain(chain: Chain = Chain::Ethereum)
                                    400 "invalid_grant"
        "Signed {chain} message is using a Domain that does not match the one in URI which is not allowed on this server";
    Web3NotYet(chain: Chain = Chain::Solana)
                                    400 "invalid_grant" "Signed {chain} message becomes valid in the future";
    Web3Expired(chain: Chain = Chain::Solana)
                                    400 "invalid_grant" "Signed {chain} message is expired";
    Web3Old(chain: Chain = Chain::Solana)
                                    400 "invalid_grant" "{chain} message was issued too long ago";
    Web3Future(chain: Chain = Chain::Solana)
                                    400 "invalid_grant" "{chain} message was issued too far in the future";

    // ID tokens; the space in the code is GoTrue's
    IdTokenRequired                 400 "invalid request" "id_token required";
    IdTokenProvider                 400 "invalid request" "provider or client_id and issuer required";
    IdTokenLinking                  400 "invalid request"
        "Linking requires a valid user access token in Authorization";
    IdTokenBad                      400 "invalid request" "Bad ID token";
    IdTokenSubject                  400 "invalid request" "Missing sub claim in id_token";
    IdTokenAudience(found: String = "[us]".to_owned())
                                    400 "invalid request" "Unacceptable audience in id_token: {found}";
    NonceOnOneSide                  400 "invalid request"
        "Passed nonce and nonce in id_token should either both exist or not.";
    NonceWrong                      400 "invalid nonce" "Nonces mismatch";
}
