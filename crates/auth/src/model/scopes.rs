//! What a client may learn of a user.

/// The scopes there are (OpenID Connect Core 1.0, section 5.4, and `offline_access`, which changes nothing: every client
/// gets a refresh token).
pub(crate) const SUPPORTED: [&str; 5] = ["openid", "profile", "email", "phone", "offline_access"];

/// Scopes as they are written: separated by spaces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scopes<'a>(pub(crate) &'a str);

impl<'a> Scopes<'a> {
    /// Every one that there is.
    pub(crate) fn supported() -> [&'static str; 5] {
        SUPPORTED
    }

    /// Each of them, once for every time it is named.
    pub(crate) fn iter(self) -> impl Iterator<Item = &'a str> {
        self.0.split(' ').map(str::trim).filter(|scope| !scope.is_empty())
    }

    pub(crate) fn has(self, scope: &str) -> bool {
        self.iter().any(|own| own == scope)
    }

    /// Whether everything in `others` is among them.
    pub(crate) fn cover(self, others: Scopes<'_>) -> bool {
        others.iter().all(|scope| self.has(scope))
    }

    /// Each once, in the order in which they were named first.
    pub(crate) fn distinct(self) -> String {
        let mut distinct: Vec<&str> = Vec::new();
        for scope in self.iter() {
            if !distinct.contains(&scope) {
                distinct.push(scope);
            }
        }
        distinct.join(" ")
    }

    /// Refuses none at all, and the first that there is not.
    ///
    /// # Errors
    /// What to tell the client.
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
