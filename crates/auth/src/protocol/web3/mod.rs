//! Sign-in with wallets: the signed message, its signature, and their checks.
//!
//! Source: ERC-4361 (Sign-In with Ethereum), its Solana sibling, and supabase/auth, `internal/api/web3.go`.

mod message;
mod signature;
mod syntax;

pub(crate) use message::SignedMessage;
pub(crate) use signature::Signature;
