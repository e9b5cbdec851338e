//! Decides which account an identity belongs to. Accounts are linked by verified e-mail address within a linking
//! domain.
//!
//! Source: supabase/auth, `internal/models/linking.go`.

use std::collections::BTreeMap;

use pg::pool::Query;
use uuid::Uuid;

use crate::error::AuthError;
use crate::error::fault::{OrFault, UNEXPECTED};
use crate::outside::providers::Profile;
use crate::state::State;
use crate::store::identities::{self, Similar};
use crate::store::users;

use crate::error::ExternalError;

/// The linking domain of providers without one of their own.
const DEFAULT: &str = "default";

/// What to do with an identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// The identity is known: its row and its user.
    Known { identity: Uuid, user: Uuid },
    /// Link the identity to this user.
    Link(Uuid),
    /// Create a user, in the default domain or another, with this address or none.
    Create { email: String, is_default: bool },
}

/// The address for a new user: the primary one, in lower case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) email: String,
    pub(super) verified: bool,
}

impl Candidate {
    pub(super) fn of(profile: &Profile) -> Self {
        let primary = profile.emails.iter().rfind(|email| email.primary);
        primary.map_or_else(Candidate::default, |email| Candidate {
            email: email.address.to_lowercase(),
            verified: email.verified,
        })
    }
}

/// Decides by the identities and users in the database.
///
/// DEVIATION (safer): only an address that the provider has verified links to an existing account. Under
/// `MAILER_AUTOCONFIRM` GoTrue links by any address, so anyone who can put an address into a provider profile takes
/// over its owner's account. Under autoconfirm a sign-in with an unverified address that has an account is refused with
/// the reason.
///
/// DEVIATION (safer): an identity with an unverified address that differs from its user's address is ignored when
/// accounts are linked; in GoTrue it prevents the address's owner from signing in with a provider.
///
/// # Errors
/// [`ExternalError::ManyAccounts`], [`ExternalError::UnverifiedEmailTaken`], and if the database fails.
pub(super) async fn decide(
    state: &State,
    db: &impl Query,
    profile: &Profile,
    provider: &str,
    aud: &str,
) -> Result<Decision, AuthError> {
    let known = identities::owner(db, provider, profile.claims.subject()).await.or_fault(UNEXPECTED)?;
    if let Some((identity, user)) = known {
        return Ok(Decision::Known { identity, user });
    }
    let domains = &state.config.provider_linking_domains;
    let candidate = Candidate::of(profile);
    let is_default = domain(provider, domains) == DEFAULT;
    let verified = profile.emails.iter().filter(|email| email.verified && !email.address.is_empty());
    let verified: Vec<String> = verified.map(|email| email.address.to_lowercase()).collect();
    if verified.is_empty() {
        let isolated = state.config.isolated_providers();
        let taken = match candidate.email.as_str() {
            "" => None,
            email => users::by_taken_email(db, email, aud, None, &isolated).await.or_fault(UNEXPECTED)?,
        };
        let email = match taken {
            Some(_) if state.config.mailer.autoconfirm => {
                return Err(AuthError::External(ExternalError::UnverifiedEmailTaken(provider.to_owned())));
            }
            Some(_) => String::new(),
            None => candidate.email,
        };
        return Ok(Decision::Create { email, is_default });
    }
    let identities = identities::similar(db, &verified).await.or_fault(UNEXPECTED)?;
    let holders = match is_default {
        true => users::similar(db, &verified).await.or_fault(UNEXPECTED)?,
        false => Vec::new(),
    };
    match choose(domain(provider, domains), &identities, &holders, domains) {
        Choice::Nobody => Ok(Decision::Create { email: candidate.email, is_default }),
        Choice::One(user) => Ok(Decision::Link(user)),
        Choice::Many => Err(AuthError::External(ExternalError::ManyAccounts(domain(provider, domains).to_owned()))),
    }
}

/// The users who have one of the addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Nobody,
    One(Uuid),
    Many,
}

/// Identities of the same linking domain decide. If there are none, users with the address decide.
fn choose(own: &str, identities: &[Similar], holders: &[Uuid], domains: &BTreeMap<String, String>) -> Choice {
    let linked: Vec<Uuid> = identities
        .iter()
        .filter(|identity| domain(&identity.provider, domains) == own)
        .map(|identity| identity.user_id)
        .collect();
    let candidates = if linked.is_empty() { holders } else { &linked };
    match candidates {
        [] => Choice::Nobody,
        [first, others @ ..] if others.iter().all(|other| other == first) => Choice::One(*first),
        _ => Choice::Many,
    }
}

/// The linking domain of a provider. Each single sign-on provider has its own.
fn domain<'a>(provider: &'a str, domains: &'a BTreeMap<String, String>) -> &'a str {
    if provider.starts_with("sso:") {
        return provider;
    }
    domains.get(provider).map_or(DEFAULT, String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outside::providers::{Claims, Email};

    #[test]
    fn accounts_are_linked_within_their_domain() {
        let [ana, ben] = [Uuid::from_u128(1), Uuid::from_u128(2)];
        let similar = |provider: &str, user_id| Similar { provider: provider.to_owned(), user_id };
        let domains = BTreeMap::from([("kakao".to_owned(), "asia".to_owned()), ("line".to_owned(), "asia".to_owned())]);
        for (provider, identities, holders, expected) in [
            ("google", vec![], vec![], Choice::Nobody),
            ("google", vec![similar("email", ana)], vec![ana], Choice::One(ana)),
            ("google", vec![similar("email", ana), similar("github", ana)], vec![], Choice::One(ana)),
            ("google", vec![similar("email", ana), similar("github", ben)], vec![ana], Choice::Many),
            // Users without an identity count only if no identity matches.
            ("google", vec![similar("github", ben)], vec![ana], Choice::One(ben)),
            ("google", vec![], vec![ana], Choice::One(ana)),
            ("google", vec![], vec![ana, ben], Choice::Many),
            // Other domains do not count.
            ("google", vec![similar("sso:1", ana), similar("kakao", ben)], vec![], Choice::Nobody),
            ("kakao", vec![similar("google", ana), similar("line", ben)], vec![], Choice::One(ben)),
            ("sso:1", vec![similar("sso:2", ana), similar("email", ana)], vec![], Choice::Nobody),
            ("sso:1", vec![similar("sso:1", ana)], vec![], Choice::One(ana)),
        ] {
            let found = choose(domain(provider, &domains), &identities, &holders, &domains);
            assert_eq!(found, expected, "{provider} {identities:?}");
        }
    }

    #[test]
    fn the_candidate_is_the_primary_address() {
        let email = |address: &str, verified, primary| Email { address: address.to_owned(), verified, primary };
        let candidate = |emails: Vec<Email>| Candidate::of(&Profile { emails, claims: Claims::default() });
        let emails = vec![email("a@x.test", true, false), email("B@x.test", false, true)];
        assert_eq!(candidate(emails), Candidate { email: "b@x.test".to_owned(), verified: false });
        assert_eq!(candidate(vec![email("a@x.test", true, false)]), Candidate::default());
    }
}
