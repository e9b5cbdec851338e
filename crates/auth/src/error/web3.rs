//! Errors of a web3 sign-in request, found before its signature is checked.

use crate::error::table::codes;
use crate::model::chain::Chain;

codes! {
    /// A part of the table in [`crate::error`].
    Web3Error =>
    Disabled                        422 "web3_provider_disabled" "Web3 provider is disabled";
    ChainDisabled(chain: Chain = Chain::Solana)
                                    422 "web3_provider_disabled" "{chain} Web3 provider is disabled";
    ChainUnknown                    400 "web3_unsupported_chain" "Unsupported chain";
    MessageShort                    400 "validation_failed" "message is too short";
    MessageLong                     400 "validation_failed" "message must not exceed 20KB";
    Signature(reason: String = "signature does not contain valid base64 characters".to_owned())
                                    400 "validation_failed" "{reason}";
    Message(reason: String = "siwe: URI is not valid".to_owned())
                                    400 "validation_failed" "{reason}";
}
