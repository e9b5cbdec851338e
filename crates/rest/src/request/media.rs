//! Media types that the client accepts and sends.

/// A media type with a meaning for the data API.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum MediaType {
    Json,
    GeoJson,
    Csv,
    Text,
    Xml,
    OpenApi,
    UrlEncoded,
    OctetStream,
    Any,
    /// Exactly one row, as an object.
    Singular {
        strip_nulls: bool,
    },
    /// An array whose objects omit null members.
    StrippedArray,
    Plan(Box<PlanType>),
    Other(String),
}

/// `application/vnd.pgrst.plan`: the execution plan instead of the result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PlanType {
    /// The media type of the explained query.
    pub(crate) of: MediaType,
    pub(crate) json: bool,
    pub(crate) options: Vec<PlanOption>,
}

/// Options of EXPLAIN, in the order of their names in the media type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PlanOption {
    Analyze,
    Verbose,
    Settings,
    Buffers,
    Wal,
}

impl PlanOption {
    const ALL: [PlanOption; 5] =
        [PlanOption::Analyze, PlanOption::Verbose, PlanOption::Settings, PlanOption::Buffers, PlanOption::Wal];

    /// The name in the media type and in EXPLAIN.
    pub(crate) fn name(self) -> &'static str {
        match self {
            PlanOption::Analyze => "analyze",
            PlanOption::Verbose => "verbose",
            PlanOption::Settings => "settings",
            PlanOption::Buffers => "buffers",
            PlanOption::Wal => "wal",
        }
    }
}

impl MediaType {
    /// Parses one media type with its parameters. Text after it is ignored; text that is not a media type is kept
    /// verbatim.
    pub(crate) fn parse(text: &str) -> Self {
        let (essence, parameters) = tokens(text).unwrap_or_default();
        // The last of duplicate parameters counts.
        let value = |name: &str| parameters.iter().rfind(|(key, _)| key == name).map(|(_, value)| value.as_str());
        let strip_nulls = value("nulls") == Some("stripped");
        let plan = |json| {
            let wanted = value("options").unwrap_or_default();
            let options = PlanOption::ALL.into_iter().filter(|o| wanted.split('|').any(|name| name == o.name()));
            let of = MediaType::parse(value("for").unwrap_or("application/json"));
            // There are no plans of plans, so an inner plan counts as an unknown type, and types cannot nest
            // without end.
            let of = if matches!(of, MediaType::Plan(_)) { MediaType::Other(of.mime()) } else { of };
            MediaType::Plan(Box::new(PlanType { of, json, options: options.collect() }))
        };
        match essence.as_str() {
            "application/json" => MediaType::Json,
            "application/geo+json" => MediaType::GeoJson,
            "text/csv" => MediaType::Csv,
            "text/plain" => MediaType::Text,
            "text/xml" => MediaType::Xml,
            "application/openapi+json" => MediaType::OpenApi,
            "application/x-www-form-urlencoded" => MediaType::UrlEncoded,
            "application/octet-stream" => MediaType::OctetStream,
            "*/*" => MediaType::Any,
            "application/vnd.pgrst.object" | "application/vnd.pgrst.object+json" => MediaType::Singular { strip_nulls },
            "application/vnd.pgrst.array" | "application/vnd.pgrst.array+json" if strip_nulls => {
                MediaType::StrippedArray
            }
            "application/vnd.pgrst.array" | "application/vnd.pgrst.array+json" => MediaType::Json,
            "application/vnd.pgrst.plan" | "application/vnd.pgrst.plan+text" => plan(false),
            "application/vnd.pgrst.plan+json" => plan(true),
            _ => MediaType::Other(text.to_owned()),
        }
    }

    /// The type without a charset.
    pub(crate) fn mime(&self) -> String {
        match self {
            MediaType::Json => "application/json".to_owned(),
            MediaType::GeoJson => "application/geo+json".to_owned(),
            MediaType::Csv => "text/csv".to_owned(),
            MediaType::Text => "text/plain".to_owned(),
            MediaType::Xml => "text/xml".to_owned(),
            MediaType::OpenApi => "application/openapi+json".to_owned(),
            MediaType::UrlEncoded => "application/x-www-form-urlencoded".to_owned(),
            MediaType::OctetStream => "application/octet-stream".to_owned(),
            MediaType::Any => "*/*".to_owned(),
            MediaType::Singular { strip_nulls: false } => "application/vnd.pgrst.object+json".to_owned(),
            MediaType::Singular { strip_nulls: true } => "application/vnd.pgrst.object+json;nulls=stripped".to_owned(),
            MediaType::StrippedArray => "application/vnd.pgrst.array+json;nulls=stripped".to_owned(),
            MediaType::Plan(plan) => {
                let format = if plan.json { "json" } else { "text" };
                let mut mime = format!("application/vnd.pgrst.plan+{format}; for=\"{}\"", plan.of.mime());
                if !plan.options.is_empty() {
                    let options: Vec<&str> = plan.options.iter().map(|option| option.name()).collect();
                    mime.push_str(&format!("; options={}", options.join("|")));
                }
                mime
            }
            MediaType::Other(text) => text.clone(),
        }
    }

    /// The Content-Type header. The text types of the data API carry their charset.
    pub(crate) fn content_type(&self) -> String {
        match self {
            MediaType::OctetStream | MediaType::Other(_) => self.mime(),
            _ => format!("{}; charset=utf-8", self.mime()),
        }
    }
}

/// The Accept header in order of preference: by quality, then by fewer wildcards and more parameters.
pub(crate) fn accepted(text: &str) -> Vec<MediaType> {
    let mut ranked: Vec<(f64, i64, String)> = text
        .split(',')
        .map(|range| {
            let range: String = range.chars().filter(|c| *c != ' ').collect();
            let (essence, weight) = match range.split_once(";q=") {
                Some((essence, rest)) => (essence.to_owned(), quality(rest)),
                None => (range, 1.0),
            };
            let count = |c: char| i64::try_from(essence.matches(c).count()).unwrap_or(i64::MAX);
            (weight, count(';') - count('*'), essence)
        })
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
    ranked.into_iter().map(|(_, _, essence)| MediaType::parse(&essence)).collect()
}

/// The number at the start of a text; text without a number weighs 1.
fn quality(text: &str) -> f64 {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(text);
    let fraction = text[whole..].strip_prefix('.').map_or(0, digits);
    let length = if fraction > 0 { whole + 1 + fraction } else { whole };
    if whole > 0 { text[..length].parse().unwrap_or(1.0) } else { 1.0 }
}

/// The type in lower case, and its parameters with lower-case names; `None` for malformed text.
fn tokens(text: &str) -> Option<(String, Vec<(String, String)>)> {
    let mut rest = text;
    let main = word(&mut rest, ".*")?;
    rest = rest.strip_prefix('/')?;
    let sub = word(&mut rest, ".*+-")?;
    let mut parameters = Vec::new();
    while let Some(parameter) = parameter(&mut rest) {
        parameters.push(parameter);
    }
    Some((format!("{main}/{sub}").to_lowercase(), parameters))
}

/// `; key=value` or `; key="value"`.
fn parameter(rest: &mut &str) -> Option<(String, String)> {
    let mut after = rest.trim_start().strip_prefix(';')?.trim_start();
    let key = word(&mut after, "-")?.to_lowercase();
    after = after.trim_start().strip_prefix('=')?.trim_start();
    let quoted = after.strip_prefix('"').and_then(|inner| inner.split_once('"'));
    let value = match quoted {
        Some((value, behind)) => {
            after = behind;
            value
        }
        None => word(&mut after, "|-")?,
    };
    *rest = after;
    Some((key, value.to_owned()))
}

/// The letters, digits and `others` that follow, at least one.
fn word<'a>(rest: &mut &'a str, others: &str) -> Option<&'a str> {
    let end = rest.find(|c: char| !c.is_alphanumeric() && !others.contains(c)).unwrap_or(rest.len());
    let (word, behind) = rest.split_at(end);
    *rest = behind;
    (!word.is_empty()).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_recognised_whatever_their_case() {
        for (text, mime) in [
            ("application/json; charset=utf-8", "application/json"),
            ("ApplicatIon/vnd.PgRsT.object+json", "application/vnd.pgrst.object+json"),
            ("application/vnd.pgrst.object;nulls=stripped", "application/vnd.pgrst.object+json;nulls=stripped"),
            ("application/vnd.pgrst.array+json", "application/json"),
            ("application/vnd.pgrst.array;nulls=stripped", "application/vnd.pgrst.array+json;nulls=stripped"),
            ("application/vnd.pgrst.plan", "application/vnd.pgrst.plan+text; for=\"application/json\""),
            (
                "application/vnd.pgrst.plan+json;for=\"text/csv; x=1\";options=buffers|analyze",
                "application/vnd.pgrst.plan+json; for=\"text/csv\"; options=analyze|buffers",
            ),
            ("application/vnd.pgrst.plan;", "application/vnd.pgrst.plan+text; for=\"application/json\""),
            (
                "application/vnd.pgrst.plan ; for = \"text/xml\" ; options=analyze",
                "application/vnd.pgrst.plan+text; for=\"text/xml\"; options=analyze",
            ),
            // An unquoted parameter cannot contain a slash.
            ("application/vnd.pgrst.plan;for=text/csv", "application/vnd.pgrst.plan+text; for=\"text\""),
            ("application/vnd.pgrst.object;nulls=x;NULLS=stripped", "application/vnd.pgrst.object+json;nulls=stripped"),
            ("application/json, application/json", "application/json"),
            ("text/csv garbage", "text/csv"),
            ("image/png", "image/png"),
            ("nonsense", "nonsense"),
            ("", ""),
        ] {
            assert_eq!(MediaType::parse(text).mime(), mime, "{text}");
        }
    }

    #[test]
    fn accept_is_ordered_by_quality_then_specificity() {
        let order = accepted("text/csv;q=0.5, */*, application/json, text/plain;q=0.9");
        assert_eq!(order, [MediaType::Json, MediaType::Any, MediaType::Text, MediaType::Csv]);
        for (text, weight) in
            [("0.5", 0.5), ("0.5;x=1", 0.5), ("0", 0.0), ("1.", 1.0), (".5", 1.0), ("x", 1.0), ("", 1.0)]
        {
            assert_eq!(quality(text), weight, "{text}");
        }
    }
}
