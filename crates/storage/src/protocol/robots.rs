//! Validates `X-Robots-Tag` of an upload: the directives that search engines know.

use crate::error::StorageError;

const SIMPLE: [&str; 8] =
    ["all", "noindex", "nofollow", "none", "nosnippet", "indexifembedded", "notranslate", "noimageindex"];

/// Checks the header's value.
///
/// # Errors
/// `InvalidRequest`, with what is wrong.
pub(crate) fn check(value: &str) -> Result<(), StorageError> {
    let refused = |why: &str| {
        let message = format!("Invalid X-Robots-Tag header: {why}");
        StorageError::new(400, "invalid_x_robots_tag", "InvalidRequest", message)
    };
    if value.trim().is_empty() {
        return Err(refused("X-Robots-Tag header value must be a non-empty string"));
    }
    // A date contains commas, so it must come last.
    let (rules, date) = match value.find("unavailable_after:") {
        Some(at) => (&value[..at], Some(&value[at..])),
        None => (value, None),
    };
    if let Some(date) = date {
        let text = date.trim_start_matches("unavailable_after:").trim();
        let known = chrono::DateTime::parse_from_rfc2822(text).is_ok()
            || chrono::DateTime::parse_from_rfc3339(text).is_ok()
            || chrono::NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok();
        if !known {
            return Err(refused("Invalid date for unavailable_after"));
        }
    }
    let rules = rules.trim().trim_end_matches(if date.is_some() { "," } else { "\0" });
    if rules.is_empty() && date.is_some() {
        return Ok(());
    }
    for rule in rules.split(',').map(str::trim) {
        let (name, parameter) = rule.split_once(':').map_or((rule, None), |(name, rest)| (name, Some(rest.trim())));
        let valid = match (name, parameter) {
            ("", None) => return Err(refused("X-Robots-Tag header contains empty rule")),
            ("max-snippet" | "max-video-preview", Some(number)) => {
                number.parse::<i64>().is_ok_and(|number| number >= -1)
            }
            ("max-image-preview", Some(size)) => ["none", "standard", "large"].contains(&size),
            (name, None) => SIMPLE.contains(&name),
            // A rule for one robot.
            (_, Some(rule)) => SIMPLE.contains(&rule),
        };
        if !valid {
            return Err(refused(&format!("Invalid X-Robots-Tag rule: \"{rule}\"")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_search_engines_know() {
        for (value, valid) in [
            ("none", true),
            ("noindex, nofollow", true),
            ("googlebot: noindex", true),
            ("max-snippet: 10, max-image-preview: large", true),
            ("noindex, unavailable_after: Wed, 21 Oct 2026 07:28:00 GMT", true),
            ("", false),
            ("noindex,", false),
            ("invalid", false),
            ("max-snippet: x", false),
            ("unavailable_after: never", false),
        ] {
            assert_eq!(check(value).is_ok(), valid, "{value}");
        }
    }
}
