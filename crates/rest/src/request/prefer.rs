//! The Prefer header (RFC 7240).

use http::HeaderMap;

/// The recognised preferences. The first of each kind counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Preferences {
    pub(crate) resolution: Option<Resolution>,
    pub(crate) representation: Option<Representation>,
    pub(crate) count: Option<Count>,
    pub(crate) transaction: Option<TransactionEnd>,
    pub(crate) missing: Option<Missing>,
    pub(crate) handling: Option<Handling>,
    pub(crate) timezone: Option<String>,
    pub(crate) max_affected: Option<i64>,
    /// Unrecognised preferences, for `handling=strict`.
    pub(crate) invalid: Vec<String>,
}

/// A preference with a fixed set of values.
macro_rules! preference {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            fn parse(text: &str) -> Option<Self> {
                match text { $($text => Some($name::$variant),)+ _ => None }
            }

            /// Its text in the header.
            pub(crate) fn text(self) -> &'static str {
                match self { $($name::$variant => $text),+ }
            }
        }
    };
}

preference! {
    /// How conflicts with existing rows are resolved.
    Resolution { Merge = "resolution=merge-duplicates", Ignore = "resolution=ignore-duplicates" }
}
preference! {
    /// What the response to a write contains.
    Representation { Full = "return=representation", Minimal = "return=minimal", HeadersOnly = "return=headers-only" }
}
preference! {
    /// How the total is counted.
    Count { Exact = "count=exact", Planned = "count=planned", Estimated = "count=estimated" }
}
preference! {
    /// How the transaction ends, if the configuration lets clients choose.
    TransactionEnd { Commit = "tx=commit", Rollback = "tx=rollback" }
}
preference! {
    /// What happens to missing keys.
    Missing { Default = "missing=default", Null = "missing=null" }
}
preference! {
    /// Whether unknown preferences are an error.
    Handling { Strict = "handling=strict", Lenient = "handling=lenient" }
}

impl Preferences {
    /// Parses all Prefer headers.
    pub(crate) fn from_headers(headers: &HeaderMap, may_override_transaction: bool) -> Self {
        let mut prefer = Preferences::default();
        let values = headers.get_all("prefer").iter().filter_map(|value| std::str::from_utf8(value.as_bytes()).ok());
        let mut seen_max_affected = false;
        for text in values.filter(|value| !value.is_empty()).flat_map(|value| value.split(',')).map(str::trim) {
            if let Some(timezone) = text.strip_prefix("timezone=") {
                prefer.timezone.get_or_insert_with(|| timezone.to_owned());
            } else if let Some(rows) = text.strip_prefix("max-affected=") {
                if !seen_max_affected {
                    prefer.max_affected = rows.trim().parse().ok();
                    seen_max_affected = true;
                }
            } else if !prefer.set(text) {
                prefer.invalid.push(text.to_owned());
            }
        }
        if !may_override_transaction {
            prefer.transaction = None;
        }
        prefer
    }

    fn set(&mut self, text: &str) -> bool {
        fn first<T>(slot: &mut Option<T>, value: Option<T>) -> bool {
            let known = value.is_some();
            if slot.is_none() {
                *slot = value;
            }
            known
        }
        first(&mut self.resolution, Resolution::parse(text))
            || first(&mut self.representation, Representation::parse(text))
            || first(&mut self.count, Count::parse(text))
            || first(&mut self.transaction, TransactionEnd::parse(text))
            || first(&mut self.missing, Missing::parse(text))
            || first(&mut self.handling, Handling::parse(text))
    }

    /// Whether the total is counted exactly.
    pub(crate) fn counts_rows(&self) -> bool {
        matches!(self.count, Some(Count::Exact | Count::Estimated))
    }

    /// Whether the planner's estimate is used.
    pub(crate) fn counts_by_plan(&self) -> bool {
        matches!(self.count, Some(Count::Planned | Count::Estimated))
    }

    /// Whether unknown preferences are an error.
    pub(crate) fn is_strict(&self) -> bool {
        self.handling == Some(Handling::Strict)
    }

    /// The `Preference-Applied` header, in upstream's order; `None` if no preference applied.
    pub(crate) fn applied(&self) -> Option<String> {
        let mut applied: Vec<String> = [
            self.resolution.map(Resolution::text),
            self.missing.map(Missing::text),
            self.representation.map(Representation::text),
            self.count.map(Count::text),
            self.transaction.map(TransactionEnd::text),
            self.handling.map(Handling::text),
        ]
        .into_iter()
        .flatten()
        .map(str::to_owned)
        .collect();
        applied.extend(self.timezone.as_ref().map(|zone| format!("timezone={zone}")));
        if self.is_strict() {
            applied.extend(self.max_affected.map(|rows| format!("max-affected={rows}")));
        }
        (!applied.is_empty()).then(|| applied.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(values: &[&str], may_override: bool) -> Preferences {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append("prefer", value.parse().unwrap());
        }
        Preferences::from_headers(&headers, may_override)
    }

    #[test]
    fn the_first_of_a_kind_counts_over_all_headers() {
        let prefer = parse(&["return=minimal , count=exact", "count=planned,tx=rollback, x=y"], true);
        assert_eq!(prefer.count, Some(Count::Exact));
        assert_eq!(prefer.invalid, ["x=y"]);
        assert_eq!(prefer.applied().as_deref(), Some("return=minimal, count=exact, tx=rollback"));
    }

    #[test]
    fn what_is_not_understood_is_kept() {
        assert_eq!(
            parse(&["handling=strict, foo ,,return=nothing", "", "tx=commit"], false).invalid,
            ["foo", "", "return=nothing"]
        );
    }

    #[test]
    fn the_transaction_is_only_overridden_where_allowed() {
        assert_eq!(parse(&["tx=rollback"], false), Preferences::default());
    }

    #[test]
    fn max_affected_is_applied_only_when_strict() {
        assert_eq!(parse(&["max-affected=5"], true).applied(), None);
        let strict = parse(&["max-affected=5,handling=strict,timezone=UTC"], true);
        assert_eq!(strict.applied().as_deref(), Some("handling=strict, timezone=UTC, max-affected=5"));
        assert_eq!(parse(&["max-affected=x"], true).max_affected, None);
        assert_eq!(parse(&["max-affected=x,max-affected=1"], true).max_affected, None, "the first counts");
        assert_eq!(parse(&["max-affected=-1"], true).max_affected, Some(-1));
    }
}
