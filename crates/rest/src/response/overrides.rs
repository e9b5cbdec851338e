//! Applies the settings `response.status` and `response.headers`, by which functions change the response.

use http::{HeaderName, HeaderValue, StatusCode};
use serde_json::Value;

use super::answer::Answer;
use crate::error::Error;

/// Applies the settings. Their headers replace ours of the same name.
pub(super) fn apply(answer: &mut Answer, status: Option<&str>, headers: Option<&str>) -> Result<(), Error> {
    if let Some(status) = status {
        let digits: String = status.chars().take_while(char::is_ascii_digit).collect();
        let code = digits.parse().ok().and_then(|code| StatusCode::from_u16(code).ok());
        answer.status = code.ok_or(Error::ResponseStatus)?;
    }
    if let Some(text) = headers {
        let said = parse(text).ok_or(Error::ResponseHeaders)?;
        for (name, _) in &said {
            answer.headers.remove(name);
        }
        for (name, value) in said {
            answer.headers.append(name, value);
        }
    }
    Ok(())
}

/// `[{"name": "value"}, …]`, each object with one member.
fn parse(text: &str) -> Option<Vec<(HeaderName, HeaderValue)>> {
    let Value::Array(items) = serde_json::from_str(text).ok()? else { return None };
    items
        .into_iter()
        .map(|item| match item {
            Value::Object(pair) if pair.len() == 1 => {
                let (name, value) = pair.into_iter().next()?;
                let name = HeaderName::try_from(name).ok()?;
                Some((name, HeaderValue::from_bytes(value.as_str()?.as_bytes()).ok()?))
            }
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_replace_ours_and_nonsense_is_refused() {
        let mut answer = Answer::new(StatusCode::OK, None);
        answer.set(http::header::CONTENT_TYPE, "text/plain");
        let said = r#"[{"Content-Type": "image/png"}, {"Set-Cookie": "a=1"}, {"Set-Cookie": "b=2"}]"#;
        apply(&mut answer, Some("418"), Some(said)).unwrap();
        assert_eq!(answer.status, 418);
        apply(&mut answer, Some("299 and more"), Some("[]")).unwrap();
        assert_eq!(answer.status, 299);
        assert_eq!(answer.headers["content-type"], "image/png");
        assert_eq!(answer.headers.get_all("set-cookie").iter().count(), 2);
        for (status, headers, code) in [
            (Some("maybe"), None, "PGRST112"),
            (Some(" 200"), None, "PGRST112"),
            (Some("-1"), None, "PGRST112"),
            (Some("99"), None, "PGRST112"),
            (None, Some("[1]"), "PGRST111"),
            (None, Some("[[]]"), "PGRST111"),
            (None, Some("[{}]"), "PGRST111"),
            (None, Some("nonsense"), "PGRST111"),
            (None, Some("{}"), "PGRST111"),
            (None, Some(r#"[{"a":1}]"#), "PGRST111"),
            (None, Some(r#"[{"a":"1","b":"2"}]"#), "PGRST111"),
        ] {
            assert_eq!(apply(&mut answer, status, headers).unwrap_err().code(), code);
        }
    }
}
