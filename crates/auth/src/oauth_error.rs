//! Refusals in OAuth's own shape, `{error, error_description}`, whatever version the client asked for.
//!
//! Source: RFC 6749 section 5.2; words as in supabase/auth. The status is 400 throughout, as GoTrue has it.

use crate::error::codes;
use crate::web3::Chain;

codes! {
    /// What an OAuth client is told.
    OAuthError =>
    // Refreshing
    ClientRequired                  400 "invalid_client" "Client authentication required for OAuth session";
    ClientMismatch                  400 "invalid_client" "Client does not match the session's OAuth client";
    ClientUnexpected                400 "invalid_client" "Client authentication not allowed for non-OAuth session";

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
}
