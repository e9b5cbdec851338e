//! Random query strings over a vocabulary.

use percent_encoding::utf8_percent_encode;

use super::entropy::Entropy;
use super::vocabulary::{Relation, Vocabulary};
use crate::request::query::UNRESERVED;

const SIMPLE: [&str; 10] = ["neq", "cs", "cd", "ov", "sl", "sr", "nxr", "nxl", "adj", "isdistinct"];
const QUANTIFIED: [&str; 9] = ["eq", "gte", "gt", "lte", "lt", "like", "ilike", "match", "imatch"];
const FULL_TEXT: [&str; 4] = ["fts", "plfts", "phfts", "wfts"];
const CASTS: [&str; 9] =
    ["text", "int", "JSONB", "double precision", "no such type", "$", "varchar", "Überall", "uuid"];
const AGGREGATES: [&str; 5] = ["sum", "avg", "count", "max", "min"];
const NUMBERS: [&str; 8] = ["0", "1", "5", "-1", "9223372036854775807", "9223372036854775808", "x", ""];

/// Maximum nesting of embeds.
const DEPTH: usize = 3;

/// Generates the parameters of one request.
pub(super) struct Parameters<'a, 'b> {
    pub(super) entropy: &'a mut Entropy<'b>,
    pub(super) vocabulary: &'a Vocabulary,
    /// The embeds in `select`, as paths with a dot behind each name, and their relations.
    embeds: Vec<(String, &'a str)>,
    pub(super) pairs: Vec<(String, String)>,
}

impl<'a, 'b> Parameters<'a, 'b> {
    pub(super) fn new(entropy: &'a mut Entropy<'b>, vocabulary: &'a Vocabulary) -> Self {
        Parameters { entropy, vocabulary, embeds: Vec::new(), pairs: Vec::new() }
    }

    /// All parameters that shape a result with rows of `relation`.
    pub(super) fn shape(&mut self, relation: &'a str) {
        if self.entropy.chance(80) {
            let select = self.select(relation, "", 0);
            self.pairs.push(("select".to_owned(), select));
        }
        let mut nodes = vec![(String::new(), relation)];
        nodes.append(&mut self.embeds);
        for (path, relation) in nodes {
            self.conditions(&path, relation);
            if self.entropy.chance(30) {
                let order = self.order(relation);
                self.pairs.push((format!("{path}order"), order));
            }
            for window in ["limit", "offset"] {
                if self.entropy.chance(15) {
                    let number = if self.entropy.chance(50) {
                        self.entropy.number()
                    } else {
                        self.entropy.pick(&NUMBERS).to_owned()
                    };
                    self.pairs.push((format!("{path}{window}"), number));
                }
            }
        }
    }

    /// Filters and logic trees for the rows of one node.
    pub(super) fn conditions(&mut self, path: &str, relation: &str) {
        while self.entropy.chance(40) && self.pairs.len() < 20 {
            let key = format!("{path}{}", self.field(relation));
            let value = self.operation(false);
            self.pairs.push((key, value));
        }
        while self.entropy.chance(20) && self.pairs.len() < 20 {
            let not = if self.entropy.chance(30) { "not." } else { "" };
            let key = format!("{path}{not}{}", self.entropy.pick(&["and", "or"]));
            let tree = self.branches(relation, 0);
            self.pairs.push((key, tree));
        }
    }

    fn branches(&mut self, relation: &str, depth: usize) -> String {
        let branches: Vec<String> = (0..=self.entropy.below(3)).map(|_| self.branch(relation, depth)).collect();
        format!("({})", branches.join(","))
    }

    fn branch(&mut self, relation: &str, depth: usize) -> String {
        if depth < DEPTH && self.entropy.chance(30) {
            let operator = self.entropy.pick(&["and", "or", "not.and", "not.or"]);
            return format!("{operator}{}", self.branches(relation, depth + 1));
        }
        format!("{}.{}", self.field(relation), self.operation(true))
    }

    fn operation(&mut self, in_tree: bool) -> String {
        let not = if self.entropy.chance(20) { "not." } else { "" };
        let value = self.entropy.value();
        let value = if in_tree { quoted(&value) } else { value };
        let rest = match self.entropy.below(5) {
            0 => format!("{}.{value}", self.entropy.pick(&SIMPLE)),
            1 => format!("is.{}", self.entropy.pick(&["null", "not_null", "TRUE", "false", "unknown"])),
            2 => {
                let items: Vec<String> = (0..self.entropy.below(4)).map(|_| quoted(&self.entropy.value())).collect();
                format!("in.({})", items.join(","))
            }
            3 => {
                let kind = self.entropy.pick(&FULL_TEXT);
                // The configuration is a value, too. It is an identifier, so it consists of the marker alone.
                let value_as_language = self.entropy.value();
                let language: String = value_as_language.chars().filter(char::is_ascii_alphanumeric).collect();
                if self.entropy.chance(50) { format!("{kind}({language}).{value}") } else { format!("{kind}.{value}") }
            }
            _ => format!("{}{}.{value}", self.entropy.pick(&QUANTIFIED), self.entropy.pick(&["", "(any)", "(all)"])),
        };
        format!("{not}{rest}")
    }

    fn order(&mut self, relation: &str) -> String {
        let terms: Vec<String> = (0..=self.entropy.below(3))
            .map(|_| {
                let embeds = self.vocabulary.relation(relation).map_or(&[][..], |relation| &relation.embeds);
                let field = self.field(relation);
                let term = match embeds {
                    [] => field,
                    embeds if self.entropy.chance(20) => {
                        format!("{}({field})", name(&embeds[self.entropy.below(embeds.len())].called))
                    }
                    _ => field,
                };
                let direction = self.entropy.pick(&["", ".asc", ".desc"]);
                format!("{term}{direction}{}", self.entropy.pick(&["", ".nullsfirst", ".nullslast"]))
            })
            .collect();
        terms.join(",")
    }

    fn select(&mut self, relation: &'a str, path: &str, depth: usize) -> String {
        let known: Option<&'a Relation> = self.vocabulary.relation(relation);
        let items: Vec<String> = (0..self.entropy.below(5))
            .map(|_| match known {
                Some(known) if depth < DEPTH && !known.embeds.is_empty() && self.entropy.chance(35) => {
                    self.embed(known, path, depth)
                }
                _ => self.item(relation),
            })
            .collect();
        items.join(",")
    }

    fn item(&mut self, relation: &str) -> String {
        if self.entropy.chance(15) {
            return "*".to_owned();
        }
        let mut item = if self.entropy.chance(20) { format!("{}:", self.alias()) } else { String::new() };
        if self.entropy.chance(10) {
            item.push_str("count()");
        } else {
            let before = self.entropy.markers.len();
            item.push_str(&self.field(relation));
            // Without an alias the last key of a path names the result's column, so it may be in the text.
            self.entropy.markers.truncate(before);
            if self.entropy.chance(20) {
                item.push_str(&format!("::{}", self.entropy.pick(&CASTS)));
            }
            if !self.entropy.chance(15) {
                return item;
            }
            item.push_str(&format!(".{}()", self.entropy.pick(&AGGREGATES)));
        }
        if self.entropy.chance(20) {
            item.push_str(&format!("::{}", self.entropy.pick(&CASTS)));
        }
        item
    }

    fn embed(&mut self, parent: &'a Relation, path: &str, depth: usize) -> String {
        let embed = &parent.embeds[self.entropy.below(parent.embeds.len())];
        let spread = self.entropy.chance(30);
        let alias = (!spread && self.entropy.chance(30)).then(|| self.alias());
        let shown = alias.clone().unwrap_or_else(|| name(&embed.called));
        let path = format!("{path}{shown}.");
        let inside = self.select(&embed.target, &path, depth + 1);
        self.embeds.push((path, &embed.target));
        let mut text =
            if spread { "...".to_owned() } else { alias.map(|alias| format!("{alias}:")).unwrap_or_default() };
        text.push_str(&name(&embed.called));
        if let Some(hint) = &embed.hint {
            text.push_str(&format!("!{}", name(hint)));
        }
        text.push_str(self.entropy.pick(&["", "!inner", "!left"]));
        format!("{text}({inside})")
    }

    fn alias(&mut self) -> String {
        let alias = if self.entropy.chance(30) {
            self.entropy.strange_name()
        } else {
            self.entropy.pick(&["one", "two", "id", "name"]).to_owned()
        };
        name(&alias)
    }

    /// A column in the grammar's syntax, sometimes with a path.
    fn field(&mut self, relation: &str) -> String {
        let mut field = name(&self.column(relation));
        while self.entropy.chance(15) && field.len() < 200 {
            field.push_str(self.entropy.pick(&["->", "->>"]));
            match self.entropy.below(4) {
                0 | 1 => field.push_str(&quoted(&self.entropy.value())),
                2 => field.push_str(&self.entropy.number()),
                _ => field.push_str(self.entropy.pick(&["0", "-1", "key", "a-b", "1a"])),
            }
        }
        field
    }

    /// The raw name of a column.
    pub(super) fn column(&mut self, relation: &str) -> String {
        let columns = self.vocabulary.relation(relation).map_or(&[][..], |relation| &relation.columns);
        if columns.is_empty() || self.entropy.chance(8) {
            return self.entropy.strange_name();
        }
        columns[self.entropy.below(columns.len())].clone()
    }

    /// The query string, percent-encoded.
    pub(super) fn encoded(&self) -> String {
        let encode = |text: &str| utf8_percent_encode(text, UNRESERVED).to_string();
        let pairs: Vec<String> =
            self.pairs.iter().map(|(key, value)| format!("{}={}", encode(key), encode(value))).collect();
        pairs.join("&")
    }
}

/// A name in the grammar's syntax: quoted if necessary.
pub(super) fn name(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !name.is_empty() && name.chars().all(is_plain) { name.to_owned() } else { quoted(name) }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
