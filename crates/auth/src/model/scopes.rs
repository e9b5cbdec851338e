//! OAuth scopes.

/// The supported scopes (OpenID Connect Core 1.0, section 5.4). `offline_access` has no effect, because every client
/// gets a refresh token.
pub(crate) const SUPPORTED: [&str; 5] = ["openid", "profile", "email", "phone", "offline_access"];

/// Scopes separated by spaces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scopes<'a>(pub(crate) &'a str);

impl<'a> Scopes<'a> {
    /// All supported scopes.
    pub(crate) fn supported() -> [&'static str; 5] {
        SUPPORTED
    }

    /// The scopes in order, with duplicates.
    pub(crate) fn iter(self) -> impl Iterator<Item = &'a str> {
        self.0.split(' ').map(str::trim).filter(|scope| !scope.is_empty())
    }

    pub(crate) fn has(self, scope: &str) -> bool {
        self.iter().any(|own| own == scope)
    }

    /// True if all of `others` are included.
    pub(crate) fn cover(self, others: Scopes<'_>) -> bool {
        others.iter().all(|scope| self.has(scope))
    }

    /// Each scope once, in order of first appearance.
    pub(crate) fn distinct(self) -> String {
        let mut distinct: Vec<&str> = Vec::new();
        for scope in self.iter() {
            if !distinct.contains(&scope) {
                distinct.push(scope);
            }
        }
        distinct.join(" ")
    }

    /// Refuses an empty list, and the first unsupported scope.
    ///
    /// # Errors
    /// The message for the client.
    pub(crate) fn check(self) -> Result<(), String> {
        if self.iter().next().is_none() {
            return Err("scope parameter cannot be empty".to_owned());
        }
        match self.iter().find(|scope| !SUPPORTED.contains(scope)) {
            Some(unknown) => Err(format!("unsupported scope: {unknown}")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_scopes() {
        let scopes = Scopes(" email  openid email ");
        assert_eq!(scopes.distinct(), "email openid");
        assert!(scopes.has("openid") && !scopes.has("open"));
        assert!(scopes.cover(Scopes("openid")) && scopes.cover(Scopes("")) && !scopes.cover(Scopes("openid phone")));
        assert!(scopes.check().is_ok());
        assert_eq!(Scopes("  ").check().unwrap_err(), "scope parameter cannot be empty");
        assert_eq!(Scopes("email\tphone").check().unwrap_err(), "unsupported scope: email\tphone");
    }
}
