//! Content types: which ones a bucket accepts, and how each is served on the app's own origin.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::error::StorageError;

/// Maximum length of a pattern, in characters.
const PATTERN_LIMIT: usize = 1000;
/// Characters that `encodeURIComponent` does not escape.
const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

/// How to serve an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Served {
    /// `Content-Type`.
    pub(crate) content_type: String,
    /// True if the type can run scripts when opened as a page: then it is served as an attachment and sandboxed.
    pub(crate) active: bool,
}

/// How to serve an object that was uploaded with the type `stored`. HTML becomes plain text; XML, including SVG, keeps
/// its type, so that `<img>` shows it.
///
/// DEVIATION (safer): besides `text/html`, XHTML and multipart types are served as text/plain, and XML and SVG as
/// attachments with `Content-Security-Policy: sandbox`, because the app shares its origin with uploads.
pub(crate) fn served(stored: Option<&str>) -> Served {
    let stored = stored.unwrap_or("application/octet-stream");
    let lower = stored.to_ascii_lowercase();
    let essence = lower.split(';').next().unwrap_or_default().trim();
    let page = lower.contains("text/html")
        || matches!(essence, "application/xhtml+xml" | "application/vnd.wap.xhtml+xml" | "text/x-server-parsed-html")
        || essence.starts_with("multipart/")
        || essence == "message/rfc822";
    if page {
        return Served { content_type: "text/plain".to_owned(), active: false };
    }
    // Browsers guess the type of a value without a slash, or with a second type after a comma.
    if essence.matches('/').count() != 1 || essence.contains([',', ' ', '\t']) {
        return Served { content_type: "application/octet-stream".to_owned(), active: false };
    }
    let active = essence.ends_with("+xml")
        || essence.ends_with("/xml")
        || essence.contains("xsl")
        || matches!(essence, "application/pdf+html" | "text/cache-manifest")
        || essence.contains("javascript")
        || essence.contains("ecmascript");
    Served { content_type: stored.to_owned(), active }
}

/// Checks whether a bucket with these patterns accepts the type. Both halves are compared as text, including
/// parameters.
///
/// # Errors
/// `InvalidMimeType`.
pub(crate) fn allowed(found: &str, patterns: &[String]) -> Result<(), StorageError> {
    let halves = |text: &str| -> Option<(String, String)> {
        let mut parts = text.split('/');
        Some((parts.next()?.to_owned(), parts.next()?.to_owned()))
    };
    let (kind, subtype) = halves(found).ok_or_else(|| StorageError::mime_type(found))?;
    let fits = patterns.iter().filter_map(|pattern| halves(pattern)).any(|(wanted_kind, wanted_subtype)| {
        wanted_kind == kind && (wanted_subtype == "*" || wanted_subtype == subtype)
    });
    if fits { Ok(()) } else { Err(StorageError::mime_type(found)) }
}

/// Checks a bucket's pattern: `type/subtype`, optionally with a charset, or any text that ends with a star.
///
/// # Errors
/// `InvalidMimeType`.
pub(crate) fn pattern(text: &str) -> Result<(), StorageError> {
    let token = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&^_.+-".contains(&byte))
    };
    let (essence, parameters) = text.split_once(';').map_or((text, None), |(essence, rest)| (essence, Some(rest)));
    let charset = parameters.is_none_or(|rest| rest.trim_start().strip_prefix("charset=").is_some_and(token));
    let is_type = essence.split_once('/').is_some_and(|(kind, subtype)| token(kind) && token(subtype));
    if text.len() <= PATTERN_LIMIT && (text.ends_with('*') || (is_type && charset)) {
        Ok(())
    } else {
        Err(StorageError::mime_type(text))
    }
}

/// A text percent-encoded as JavaScript's `encodeURIComponent` does.
pub(crate) fn component(text: &str) -> String {
    utf8_percent_encode(text, COMPONENT).to_string()
}

/// `Content-Disposition` for `?download=name`; an empty name lets the browser choose.
pub(crate) fn disposition(name: &str) -> String {
    if name.is_empty() {
        return "attachment;".to_owned();
    }
    let name = component(name);
    format!("attachment; filename={name}; filename*=UTF-8''{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_runs_is_served_as_a_page() {
        for (stored, content_type, active) in [
            (Some("image/png"), "image/png", false),
            (Some("text/html"), "text/plain", false),
            (Some("TEXT/HTML; charset=utf-8"), "text/plain", false),
            (Some("image/png, text/html"), "text/plain", false),
            (Some("application/xhtml+xml"), "text/plain", false),
            (Some("multipart/x-mixed-replace"), "text/plain", false),
            (Some("message/rfc822"), "text/plain", false),
            (Some("image/svg+xml"), "image/svg+xml", true),
            (Some("text/xml; charset=utf-8"), "text/xml; charset=utf-8", true),
            (Some("application/xslt+xml"), "application/xslt+xml", true),
            (Some("text/javascript"), "text/javascript", true),
            (Some("garbage"), "application/octet-stream", false),
            (Some(""), "application/octet-stream", false),
            (Some("a/b/c"), "application/octet-stream", false),
            (None, "application/octet-stream", false),
        ] {
            let wanted = Served { content_type: content_type.to_owned(), active };
            assert_eq!(served(stored), wanted, "{stored:?}");
        }
    }

    #[test]
    fn types_are_compared_half_by_half() {
        let patterns = ["image/*", "text/plain", "*"].map(str::to_owned);
        for (found, fits) in [
            ("image/png", true),
            ("text/plain", true),
            ("text/plain;charset=UTF-8", false),
            ("Image/png", false),
            ("video/mp4", false),
            ("image", false),
        ] {
            assert_eq!(allowed(found, &patterns).is_ok(), fits, "{found}");
        }
        for (text, valid) in [
            ("image/*", true),
            ("*", true),
            ("image/svg+xml", true),
            ("text/plain; charset=utf-8", true),
            ("thisisnotarealmimetype", false),
            ("a/b/c", false),
            (&format!("a/{}", "b".repeat(PATTERN_LIMIT - 2)), true),
            (&format!("a/{}", "b".repeat(PATTERN_LIMIT - 1)), false),
        ] {
            assert_eq!(pattern(text).is_ok(), valid, "{text}");
        }
    }

    #[test]
    fn a_download_has_its_name_twice() {
        assert_eq!(disposition(""), "attachment;");
        assert_eq!(
            disposition("a b\"\r\n.png"),
            "attachment; filename=a%20b%22%0D%0A.png; filename*=UTF-8''a%20b%22%0D%0A.png"
        );
    }
}
