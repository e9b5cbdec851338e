//! XML signatures (XML Signature 1.1) in the one shape that SAML allows (saml-core-2.0, section 5.4): the signature is
//! a child of what it signs, refers to it by id, and to nothing else.
//!
//! A successful check returns the exact bytes that were signed, and the caller parses those. Anything that an attacker
//! has put around them, or between them as comments, is not part of them. So nothing depends on two parsers
//! interpreting a document alike. The key comes from the caller, never from the document.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bergshamra_c14n::{C14nMode, canonicalize_doc};
use bergshamra_xml::NodeSet;
use rsa::sha2::{Digest, Sha256, Sha384, Sha512};
use rsa::{Pkcs1v15Sign, RsaPublicKey};

use super::xml::{self, Element, XmlError};

/// The namespace of signatures.
pub(super) const NAMESPACE: &str = "http://www.w3.org/2000/09/xmldsig#";
const EXCLUSIVE: &str = "http://www.w3.org/2001/10/xml-exc-c14n#";
/// Maximum number of inclusive prefixes. Each of them costs time at every element.
const MAX_PREFIXES: usize = 32;
const ENVELOPED: &str = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";

/// Verified content: an element in its canonical form, without the signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Signed(String);

/// Why a signature is invalid, as the end of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SignatureError {
    #[error("cannot be read: {0}")]
    Xml(#[from] XmlError),
    #[error("has no {0}")]
    Missing(&'static str),
    #[error("has {0}, which is not allowed there")]
    Unexpected(String),
    #[error("uses the algorithm {0}, which is not allowed")]
    Algorithm(String),
    #[error("is not that of the element it stands in")]
    Reference,
    #[error("is made by no key of the identity provider")]
    Key,
    #[error("is that of something else")]
    Digest,
    #[error("cannot be computed: {0}")]
    Canonical(String),
}

/// A hash function of signatures.
#[derive(Clone, Copy)]
enum Hash {
    Sha256,
    Sha384,
    Sha512,
}

impl Signed {
    /// The signed bytes.
    pub(super) fn xml(&self) -> &str {
        &self.0
    }
}

/// Verifies the signature of an element, if it has one.
///
/// # Errors
/// If it is invalid, or there is more than one.
pub(super) fn check(element: Element<'_>, keys: &[RsaPublicKey]) -> Result<Option<Signed>, SignatureError> {
    let Some(signature) = element.only(NAMESPACE, "Signature")? else { return Ok(None) };
    for part in signature.elements() {
        if !["SignedInfo", "SignatureValue", "KeyInfo"].iter().any(|name| part.is(NAMESPACE, name)) {
            return Err(SignatureError::Unexpected(part.name().to_owned()));
        }
    }
    let info = child(signature, "SignedInfo")?;
    let value = bytes(child(signature, "SignatureValue")?)?;
    let method = child(info, "CanonicalizationMethod")?;
    let info_bytes = canonical(info, None, &exclusive(method)?)?;
    let hash = Hash::of_signature(algorithm(child(info, "SignatureMethod")?))?;
    if !keys.iter().any(|key| hash.verify(key, info_bytes.as_bytes(), &value)) {
        return Err(SignatureError::Key);
    }
    // From here on only use the verified bytes, not the document they came in.
    let document = xml::parse(&info_bytes)?;
    let info = Element::root(&document).ok_or(SignatureError::Missing("SignedInfo"))?;
    let id = element.attribute("ID").filter(|id| !id.is_empty()).ok_or(SignatureError::Reference)?;
    let (prefixes, hash, digest) = reference(child(info, "Reference")?, id)?;
    let signed = canonical(element, Some(signature), &prefixes)?;
    if hash.digest(signed.as_bytes()) == digest { Ok(Some(Signed(signed))) } else { Err(SignatureError::Digest) }
}

/// Reads the reference to the element with this id: its transforms and its digest.
fn reference(reference: Element<'_>, id: &str) -> Result<(Vec<String>, Hash, Vec<u8>), SignatureError> {
    if reference.attribute("URI").and_then(|uri| uri.strip_prefix('#')) != Some(id) {
        return Err(SignatureError::Reference);
    }
    let transforms: Vec<Element<'_>> = child(reference, "Transforms")?.elements().collect();
    let [enveloped, canonicalization] = transforms.as_slice() else {
        return Err(SignatureError::Unexpected(format!("{} transforms", transforms.len())));
    };
    if algorithm(*enveloped) != ENVELOPED {
        return Err(SignatureError::Algorithm(algorithm(*enveloped).to_owned()));
    }
    let prefixes = exclusive(*canonicalization)?;
    let hash = Hash::of_digest(algorithm(child(reference, "DigestMethod")?))?;
    Ok((prefixes, hash, bytes(child(reference, "DigestValue")?)?))
}

fn child<'d>(element: Element<'d>, name: &'static str) -> Result<Element<'d>, SignatureError> {
    element.only(NAMESPACE, name)?.ok_or(SignatureError::Missing(name))
}

fn algorithm(element: Element<'_>) -> &str {
    element.attribute("Algorithm").unwrap_or_default()
}

fn bytes(element: Element<'_>) -> Result<Vec<u8>, SignatureError> {
    let mut text = element.text()?;
    text.retain(|letter| !letter.is_ascii_whitespace());
    BASE64_STANDARD.decode(text).map_err(|_| SignatureError::Missing("Base64 where it should"))
}

/// The prefixes that exclusive canonicalization treats like the inclusive one.
fn exclusive(method: Element<'_>) -> Result<Vec<String>, SignatureError> {
    if algorithm(method) != EXCLUSIVE {
        return Err(SignatureError::Algorithm(algorithm(method).to_owned()));
    }
    let Some(list) = method.only(EXCLUSIVE, "InclusiveNamespaces")? else { return Ok(Vec::new()) };
    let list = list.attribute("PrefixList").unwrap_or_default();
    let prefixes: Vec<String> = list.split_ascii_whitespace().map(str::to_owned).collect();
    if prefixes.len() > MAX_PREFIXES {
        return Err(SignatureError::Unexpected(format!("a list of {} prefixes", prefixes.len())));
    }
    Ok(prefixes)
}

/// An element without one of its children, in Exclusive XML Canonicalization 1.0 without comments.
fn canonical(element: Element<'_>, less: Option<Element<'_>>, prefixes: &[String]) -> Result<String, SignatureError> {
    let mut nodes = NodeSet::tree_without_comments(element.node, element.document);
    if let Some(less) = less {
        nodes = nodes.subtract(&NodeSet::tree_with_comments(less.node, element.document));
    }
    let bytes = canonicalize_doc(element.document, C14nMode::Exclusive, Some(&nodes), prefixes)
        .map_err(|error| SignatureError::Canonical(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| SignatureError::Canonical(error.to_string()))
}

impl Hash {
    fn of_signature(algorithm: &str) -> Result<Self, SignatureError> {
        Ok(match algorithm {
            "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256" => Hash::Sha256,
            "http://www.w3.org/2001/04/xmldsig-more#rsa-sha384" => Hash::Sha384,
            "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512" => Hash::Sha512,
            other => return Err(SignatureError::Algorithm(other.to_owned())),
        })
    }

    fn of_digest(algorithm: &str) -> Result<Self, SignatureError> {
        Ok(match algorithm {
            "http://www.w3.org/2001/04/xmlenc#sha256" => Hash::Sha256,
            "http://www.w3.org/2001/04/xmldsig-more#sha384" => Hash::Sha384,
            "http://www.w3.org/2001/04/xmlenc#sha512" => Hash::Sha512,
            other => return Err(SignatureError::Algorithm(other.to_owned())),
        })
    }

    fn digest(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Hash::Sha256 => Sha256::digest(bytes).to_vec(),
            Hash::Sha384 => Sha384::digest(bytes).to_vec(),
            Hash::Sha512 => Sha512::digest(bytes).to_vec(),
        }
    }

    fn verify(self, key: &RsaPublicKey, bytes: &[u8], signature: &[u8]) -> bool {
        let scheme = match self {
            Hash::Sha256 => Pkcs1v15Sign::new::<Sha256>(),
            Hash::Sha384 => Pkcs1v15Sign::new::<Sha384>(),
            Hash::Sha512 => Pkcs1v15Sign::new::<Sha512>(),
        };
        key.verify(scheme, &self.digest(bytes), signature).is_ok()
    }
}
