//! Supported password hashes: bcrypt, which we write, and argon2 and Firebase's scrypt for imported users.
//!
//! Source: supabase/auth, `internal/crypto/password.go`.

use aes_gcm::aes::Aes256;
use aes_gcm::aes::cipher::{BlockCipherEncrypt, KeyInit};
use argon2::{Algorithm, Argon2, Params, Version};
use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD};
use subtle::ConstantTimeEq;

/// Maximum memory of a hash: 1 GiB, in KiB.
const MAX_MEMORY: u64 = 1024 * 1024;
const MAX_TIME: u32 = 20;
const MAX_THREADS: u32 = 16;
/// Maximum bcrypt cost (binary logarithm of the rounds). It takes some four seconds; a request has ten.
const MAX_BCRYPT_COST: u32 = 16;
/// Length of the key that Firebase derives, in bytes (AES-256).
const FIREBASE_KEY: usize = 32;
/// Length of an AES block, in bytes.
const BLOCK: usize = 16;

/// True if `password` matches `hash`. A hash that cannot be parsed or is too expensive matches no password.
///
/// DEVIATION (stricter): a stored hash of more than 2^16 bcrypt rounds or more than 1 GiB of memory matches no
/// password, and an administrator cannot set one; GoTrue would compute it for days, long after the client has
/// disconnected.
pub(crate) fn matches(password: &str, hash: &str) -> bool {
    if hash.starts_with("$argon2") {
        argon2(password, hash).unwrap_or(false)
    } else if hash.starts_with("$fbscrypt") {
        firebase(password, hash).unwrap_or(false)
    } else {
        is_bcrypt(hash) && bcrypt::verify(password, hash).unwrap_or(false)
    }
}

fn is_bcrypt(hash: &str) -> bool {
    hash.parse::<bcrypt::HashParts>().is_ok_and(|parts| (4..=MAX_BCRYPT_COST).contains(&parts.get_cost()))
}

/// True if the hash has a supported format.
pub(crate) fn is_readable(hash: &str) -> bool {
    if hash.starts_with("$argon2") {
        Phc::argon2(hash).is_some()
    } else if hash.starts_with("$fbscrypt") {
        Firebase::read(hash).is_some()
    } else {
        is_bcrypt(hash)
    }
}

/// `$argon2id$v=19$m=…,t=…,p=…$salt$hash`
struct Phc {
    algorithm: Algorithm,
    params: Params,
    salt: Vec<u8>,
    hash: Vec<u8>,
}

impl Phc {
    fn argon2(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split('$').collect();
        let ["", name, "v=19", costs, salt, hash] = parts[..] else { return None };
        let algorithm = match name {
            "argon2i" => Algorithm::Argon2i,
            "argon2id" => Algorithm::Argon2id,
            _ => return None,
        };
        // A `keyid` or `data` parameter would make a fourth part.
        let costs: Vec<&str> = costs.split(',').collect();
        let [memory, time, threads] = costs[..] else { return None };
        let memory: u32 = memory.strip_prefix("m=")?.parse().ok().filter(|memory| u64::from(*memory) <= MAX_MEMORY)?;
        let time: u32 = time.strip_prefix("t=")?.parse().ok().filter(|time| (1..=MAX_TIME).contains(time))?;
        let threads: u32 = threads.strip_prefix("p=")?.parse().ok().filter(|some| (1..=MAX_THREADS).contains(some))?;
        let decode = |text: &str| BASE64_STANDARD_NO_PAD.decode(text).ok().filter(|bytes| !bytes.is_empty());
        let (salt, hash) = (decode(salt)?, decode(hash)?);
        let params = Params::new(memory, time, threads, Some(hash.len())).ok()?;
        Some(Phc { algorithm, params, salt, hash })
    }
}

fn argon2(password: &str, text: &str) -> Option<bool> {
    let Phc { algorithm, params, salt, hash } = Phc::argon2(text)?;
    let mut derived = vec![0; hash.len()];
    let argon2 = Argon2::new(algorithm, Version::V0x13, params);
    argon2.hash_password_into(password.as_bytes(), &salt, &mut derived).ok()?;
    Some(derived.ct_eq(&hash).into())
}

/// `$fbscrypt$v=1,n=…,r=…,p=…,ss=<salt separator>,sk=<signer key>$salt$hash`; `n` is the binary logarithm of the cost.
struct Firebase {
    params: scrypt::Params,
    salt: Vec<u8>,
    signer_key: Vec<u8>,
    hash: Vec<u8>,
}

impl Firebase {
    fn read(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split('$').collect();
        let ["", "fbscrypt", settings, salt, hash] = parts[..] else { return None };
        let mut settings = settings.split(',').peekable();
        let mut next = |name: &str| {
            let value = settings.peek()?.strip_prefix(name)?.strip_prefix('=')?;
            settings.next();
            Some(value)
        };
        let is_ours = next("v")? == "1";
        let cost: u8 = next("n")?.parse().ok().filter(|cost| (1..=24).contains(cost))?;
        let (block, threads): (u32, u32) = (next("r")?.parse().ok()?, next("p")?.parse().ok()?);
        let (separator, key) = (next("ss").unwrap_or_default(), next("sk").unwrap_or_default());
        let memory = (u64::from(block) << cost).saturating_mul(128);
        let is_cheap = memory <= MAX_MEMORY * 1024 && (1..=MAX_THREADS).contains(&threads);
        if !is_ours || !is_cheap || settings.next().is_some() {
            return None;
        }
        let mut salt = BASE64_STANDARD.decode(salt).ok()?;
        salt.extend(BASE64_STANDARD.decode(separator).ok()?);
        let (signer_key, hash) = (BASE64_STANDARD.decode(key).ok()?, BASE64_STANDARD.decode(hash).ok()?);
        let params = scrypt::Params::new(cost, block, threads).ok()?;
        // Without a signer key every password would match an empty hash.
        let says_something = !signer_key.is_empty() && !hash.is_empty();
        says_something.then_some(Firebase { params, salt, signer_key, hash })
    }
}

/// The project's signer key, encrypted by AES-256 in counter mode with the key that scrypt derives from the password.
fn firebase(password: &str, text: &str) -> Option<bool> {
    let Firebase { params, salt, signer_key, hash } = Firebase::read(text)?;
    let mut key = [0; FIREBASE_KEY];
    scrypt::scrypt(password.as_bytes(), &salt, &params, &mut key).ok()?;
    let cipher = Aes256::new(&key.into());
    let mut encrypted = signer_key;
    for (counter, chunk) in encrypted.chunks_mut(BLOCK).enumerate() {
        let mut block = u128::try_from(counter).ok()?.to_be_bytes().into();
        cipher.encrypt_block(&mut block);
        for (byte, mask) in chunk.iter_mut().zip(block) {
            *byte ^= mask;
        }
    }
    Some(encrypted.ct_eq(&hash).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made by upstream's own code from the password `secret12`.
    const KNOWN: [&str; 4] = [
        "$argon2i$v=19$m=64,t=2,p=1$bGJRWThNOHJJTVBSdHl2dQ$UDV36gr0PleUZFzAVsefgCVuoc5yMWQHNC0ZH1zZ5qg",
        "$argon2id$v=19$m=64,t=3,p=2$bGJRWThNOHJJTVBSdHl2dQ$sZy6GfUNRPZfh/u/IrjQcDUIwrHtbElcEb3nbCvF/Sg",
        "$fbscrypt$v=1,n=10,r=8,p=1,ss=Bw==,sk=AAMGCQwPEhUYGx4hJCcqLTAzNjk8P0JFSEtOUVRXWl1gY2ZpbG9ydXh7foGEh4qNkJOWmZyfoqWoq66xtLe6vQ==$MDEyMzQ1Njc4OQ==$VVuXKsuTBO38FDbCefrc/IxYw7AF2khaOBOJ2xxMrxmcY4nRSjjydXKFQmdxR6auCgDjg3gSHaLpB1yAe7Ru0g==",
        "$2a$04$TFO2SgDnWBlw73ckp/HiTOMG6Gj7Id/xHUQ7Kx/NbCEFYr/.2.Eiq",
    ];

    #[test]
    fn readable_hashes_fit_their_password_only() {
        for hash in KNOWN {
            assert!(matches("secret12", hash), "{hash}");
            assert!(!matches("another", hash) && is_readable(hash), "{hash}");
        }
    }

    #[test]
    fn what_cannot_be_read_or_costs_too_much_fits_nothing() {
        for hash in [
            "",
            "secret12",
            "$argon2d$v=19$m=16,t=2,p=1$bGJRWThNOHJJTVBSdHl2dQ$NfEnUOuUpb7F2fQkgFUG4g",
            "$argon2i$v=16$m=16,t=2,p=1$bGJRWThNOHJJTVBSdHl2dQ$NfEnUOuUpb7F2fQkgFUG4g",
            "$argon2i$v=19$m=1048577,t=2,p=1$bGJRWThNOHJJTVBSdHl2dQ$NfEnUOuUpb7F2fQkgFUG4g",
            "$argon2i$v=19$m=16,t=21,p=1$bGJRWThNOHJJTVBSdHl2dQ$NfEnUOuUpb7F2fQkgFUG4g",
            "$argon2i$v=19$m=1024,t=2,p=17$bGJRWThNOHJJTVBSdHl2dQ$NfEnUOuUpb7F2fQkgFUG4g",
            "$argon2i$v=19$m=16,t=2,p=1,keyid=a$bGJRWThNOHJJTVBSdHl2dQ$NfEnUOuUpb7F2fQkgFUG4g",
            "$argon2i$v=19$m=16,t=2,p=1$bGJRWThNOHJJTVBSdHl2dQ$",
            "$fbscrypt$v=2,n=14,r=8,p=1,ss=Bw==,sk=ou8=$C0sHCg9ek77hsg==$ZGk=",
            "$fbscrypt$v=1,n=24,r=8,p=1,ss=Bw==,sk=ou8=$C0sHCg9ek77hsg==$ZGk=",
            "$fbscrypt$v=1,n=14,r=8,p=1$C0sHCg9ek77hsg==$ZGk=",
            "$2a$10$short",
            "$2a$17$TFO2SgDnWBlw73ckp/HiTOMG6Gj7Id/xHUQ7Kx/NbCEFYr/.2.Eiq",
            "$2a$31$TFO2SgDnWBlw73ckp/HiTOMG6Gj7Id/xHUQ7Kx/NbCEFYr/.2.Eiq",
        ] {
            assert!(!is_readable(hash), "{hash}");
            assert!(!matches("test", hash), "{hash}");
        }
    }
}
