//! Addresses and keys in boxes, for people, as `supabase status` draws them.

use serde_json::{Map, Value};

/// A box: its heading and its lines, each a label and the name of a value.
type Section = (&'static str, &'static [(&'static str, &'static str)]);

const SECTIONS: [Section; 5] = [
    ("Development Tools", &[("Studio", "STUDIO_URL"), ("Mailpit", "MAILPIT_URL"), ("MCP", "MCP_URL")]),
    (
        "APIs",
        &[
            ("Project URL", "API_URL"),
            ("REST", "REST_URL"),
            ("GraphQL", "GRAPHQL_URL"),
            ("Edge Functions", "FUNCTIONS_URL"),
        ],
    ),
    ("Database", &[("URL", "DB_URL")]),
    ("Authentication Keys", &[("Publishable", "PUBLISHABLE_KEY"), ("Secret", "SECRET_KEY")]),
    (
        "Storage (S3)",
        &[
            ("URL", "STORAGE_S3_URL"),
            ("Access Key", "S3_PROTOCOL_ACCESS_KEY_ID"),
            ("Secret Key", "S3_PROTOCOL_ACCESS_KEY_SECRET"),
            ("Region", "S3_PROTOCOL_REGION"),
        ],
    ),
];

/// A box for each section that has a value.
pub(super) fn draw(entries: &Map<String, Value>) -> String {
    let mut text = String::new();
    for (heading, lines) in SECTIONS {
        let value = |name: &str| entries.get(name).and_then(Value::as_str);
        let lines: Vec<_> = lines.iter().filter_map(|(label, name)| Some((*label, value(name)?))).collect();
        let width = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or_default();
        let left = width(&mut lines.iter().map(|(label, _)| label.chars().count()));
        let right = width(&mut lines.iter().map(|(_, value)| value.chars().count()));
        if lines.is_empty() {
            continue;
        }
        // The heading may be wider than both columns.
        let right = right.max((heading.chars().count()).saturating_sub(left + 3));
        let rule = |left_count: usize, right_count: usize, join: char| {
            format!("{}{join}{}", "─".repeat(left_count + 2), "─".repeat(right_count + 2))
        };
        text.push_str(&format!(
            "╭{}╮\n│ {heading:<2$} │\n├{}┤\n",
            rule(left, right, '─'),
            rule(left, right, '┬'),
            left + right + 3
        ));
        for (label, value) in lines {
            text.push_str(&format!("│ {label:<left$} │ {value:<right$} │\n"));
        }
        text.push_str(&format!("╰{}╯\n\n", rule(left, right, '┴')));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_a_box_is_as_wide_as_the_others() {
        let entries = serde_json::json!({ "API_URL": "http://h", "PUBLISHABLE_KEY": "k", "SECRET_KEY": "s" });
        let text = draw(entries.as_object().unwrap());
        let boxes: Vec<&str> = text.trim_end().split("\n\n").collect();
        assert_eq!(boxes.len(), 2, "{text}");
        for one in boxes {
            let mut widths = one.lines().map(|line| line.chars().count());
            let first = widths.next().unwrap();
            assert!(widths.all(|width| width == first), "{text}");
        }
    }
}
