//! Recognises expressions that differ only in how PostgreSQL prints them before and after a dump and restore: in parentheses
//! (`((x >= 1) AND (x <= 2)) AND y`, then `(x >= 1) AND (x <= 2) AND y`), and in names of constants in the later parts of a
//! UNION (`'b'::text`, then `'b'::text AS text`).

use super::objects::{Kind, Object, Snapshot};

/// Replaces expressions in `from` by those of `to` if both mean the same, so that they do not appear in the diff. Removes unused
/// roles and memberships that only one database has: they may belong to another database of the cluster.
pub(super) fn align(from: &mut Snapshot, to: &mut Snapshot) {
    let is_idle =
        |object: &Object| matches!(object.kind, Kind::Role | Kind::Membership) && object.detail.base.is_empty();
    from.objects.retain(|key, object| !is_idle(object) || to.objects.contains_key(key));
    to.objects.retain(|key, object| !is_idle(object) || from.objects.contains_key(key));
    for (key, old) in &mut from.objects {
        if let Some(new) = to.objects.get(key).filter(|new| new.kind == old.kind) {
            object(old, new);
        }
    }
}

fn object(old: &mut Object, new: &Object) {
    // PostgreSQL stores a function's body as it was written, so any change in it is real.
    if old.kind != Kind::Function {
        text(&mut old.create, &new.create);
    }
    text(&mut old.detail.default, &new.detail.default);
    for column in &mut old.detail.columns {
        if let Some(other) = new.detail.columns.iter().find(|other| other.name == column.name) {
            text(&mut column.expression, &other.expression);
        }
    }
    for (name, definition) in &mut old.detail.constraints {
        if let Some((_, other)) = new.detail.constraints.iter().find(|(found, _)| found == name) {
            text(definition, other);
        }
    }
}

fn text(old: &mut String, new: &str) {
    if *old != new && normal(old) == normal(new) {
        new.clone_into(old);
    }
}

/// The text without the parentheses around a chain of ANDs inside a chain of ANDs, or of ORs inside of ORs.
fn normal(text: &str) -> String {
    let mut words = without_names_of_types(words(text)).into_iter().peekable();
    let mut normal = String::new();
    for part in parts(&mut words) {
        part.write(&mut normal);
    }
    // A text with unbalanced parentheses is not an expression.
    if words.peek().is_none() { normal } else { text.to_owned() }
}

/// Leaves out `AS text` after `'b'::text`. In the first part of a UNION, where the name counts, PostgreSQL always prints one.
fn without_names_of_types(words: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        let of_type = kept.last().and_then(|before| before.rsplit_once("::")).map(|(_, name)| name.to_owned());
        let name = words.peek().map(|name| name.trim_end_matches(','));
        match of_type {
            Some(of_type) if word == "AS" && name == Some(&of_type) => {
                let comma = words.next().is_some_and(|name| name.ends_with(','));
                if let Some(before) = kept.last_mut().filter(|_| comma) {
                    before.push(',');
                }
            }
            _ => kept.push(word),
        }
    }
    kept
}

#[derive(Debug)]
enum Part {
    Word(String),
    Group(Vec<Part>),
}

impl Part {
    fn write(&self, to: &mut String) {
        match self {
            Part::Word(word) => {
                to.push_str(word);
                to.push(' ');
            }
            Part::Group(parts) => {
                to.push_str("( ");
                parts.iter().for_each(|part| part.write(to));
                to.push_str(") ");
            }
        }
    }

    fn is(&self, word: &str) -> bool {
        matches!(self, Part::Word(own) if own == word)
    }
}

/// The parts up to the closing parenthesis of the group, or up to the end.
fn parts(words: &mut std::iter::Peekable<std::vec::IntoIter<String>>) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    while let Some(word) = words.next() {
        match word.as_str() {
            "(" => {
                let inner = self::parts(words);
                let before = parts.last();
                let after = words.peek().map(String::as_str);
                // The parentheses go only if the inner group and everything next to it use the same connective.
                let joins = |connective: &str| {
                    let at_start = before.is_none();
                    let at_end = after.is_none_or(|after| after == ")");
                    (at_start || before.is_some_and(|before| before.is(connective)))
                        && (at_end || after == Some(connective))
                        && !(at_start && at_end)
                        && chain(&inner) == Some(connective)
                };
                if joins("AND") || joins("OR") {
                    parts.extend(inner);
                } else {
                    parts.push(Part::Group(inner));
                }
            }
            ")" => return parts,
            _ => parts.push(Part::Word(word)),
        }
    }
    parts
}

/// The connective of a group whose operands are all joined by AND, or all by OR; `None` if they are not.
fn chain(parts: &[Part]) -> Option<&'static str> {
    let has = |word: &str| parts.iter().any(|part| part.is(word));
    // CASE, BETWEEN and subqueries have ANDs of their own.
    let is_plain = !["CASE", "BETWEEN", "SELECT", "WHEN"].iter().any(|word| has(word));
    match (has("AND"), has("OR")) {
        (true, false) if is_plain => Some("AND"),
        (false, true) if is_plain => Some("OR"),
        _ => None,
    }
}

/// Splits at spaces and parentheses. Each parenthesis is a word, and so is a string or quoted name, with any prefix.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '(' | ')' => words.extend([c.to_string(), String::new()]),
            '\'' | '"' => {
                let is_escaped = c == '\'' && words.last().is_some_and(|word| word == "E");
                let word = words.last_mut().map_or_else(String::new, std::mem::take);
                words.push(word + &quoted(c, is_escaped, &mut characters));
            }
            c if c.is_whitespace() => words.push(String::new()),
            c => {
                if let Some(word) = words.last_mut() {
                    word.push(c);
                }
            }
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The rest of a string or a name, whose first quote has been read.
fn quoted(quote: char, is_escaped: bool, rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> String {
    let mut text = String::from(quote);
    while let Some(c) = rest.next() {
        text.push(c);
        if is_escaped && c == '\\' {
            text.extend(rest.next());
        } else if c == quote {
            match rest.next_if_eq(&quote) {
                Some(second) => text.push(second),
                None => break,
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_chains_are_flat() {
        for (nested, flat) in [
            ("CHECK ((((a >= 1) AND (a <= 2)) AND (b = 3)))", "CHECK (((a >= 1) AND (a <= 2) AND (b = 3)))"),
            ("((b = 3) AND ((a >= 1) AND (a <= 2)))", "((b = 3) AND (a >= 1) AND (a <= 2))"),
            ("((a OR b) OR c)", "(a OR b OR c)"),
            ("((x = ') AND (') AND y)", "((x = ') AND (')   AND\n y)"),
            ("UNION SELECT 'b'::text, NULL::date", "UNION SELECT 'b'::text AS text, NULL::date AS date"),
        ] {
            assert_eq!(normal(nested), normal(flat), "{nested}");
        }
    }

    #[test]
    fn other_texts_stay_different() {
        for (one, other) in [
            ("((a OR b) AND c)", "(a OR b AND c)"),
            ("((a AND b) OR c)", "(a AND b OR c)"),
            ("(NOT (a AND b) AND c)", "(NOT a AND b AND c)"),
            ("(f(a AND b) AND c)", "(fa AND b AND c)"),
            ("(x = 'a  b')", "(x = 'a b')"),
            ("(x = E'a\\'  ) AND (')", "(x = E'a\\' ) AND (')"),
            ("((a AND b) = c)", "(a AND b = c)"),
            ("SELECT 'b'::text", "SELECT 'b'::text AS kind"),
            ("(a = (b AND c))", "(a = b AND c)"),
        ] {
            assert_ne!(normal(one), normal(other), "{one}");
        }
    }
}
