//! The public address of this server. Links come from here and never from a request's headers: a forged
//! `X-Forwarded-Host` must not determine where a mailed link leads (GHSA-3529-5m8x-rpv3).

use url::Url;

/// The configured public address, without a trailing slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// Parses an http or https address.
    ///
    /// # Errors
    /// A sentence fragment that says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let url = Url::parse(text).map_err(|error| error.to_string())?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err("it must begin with http:// or https:// and name a host".to_owned());
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err("it must not have a query or fragment".to_owned());
        }
        Ok(PublicUrl(text.trim_end_matches('/').to_owned()))
    }

    /// The address itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The address of a path below it; `path` begins with a slash.
    pub fn join(&self, path: &str) -> String {
        format!("{}{path}", self.0)
    }
}

impl std::fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_web_addresses_are_taken() {
        assert_eq!(PublicUrl::parse("https://x.test/base/").unwrap().join("/verify"), "https://x.test/base/verify");
        for text in ["ftp://x", "x.test", "https://x.test/?a", "https://x.test/#a", ""] {
            assert!(PublicUrl::parse(text).is_err(), "{text}");
        }
    }
}
