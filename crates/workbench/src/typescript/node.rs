//! PostgreSQL's text form of a parsed query, `pg_node_tree`
//! (<https://github.com/postgres/postgres/blob/REL_18_STABLE/src/backend/nodes/read.c>).

use std::collections::HashMap;

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// `{KIND :field value …}`.
    Object(String, HashMap<String, Node>),
    /// `(…)`.
    List(Vec<Node>),
    /// A number, a name or a text.
    Token(String),
    /// `<>`.
    Null,
}

impl Node {
    /// Reads the text; `None` if it is none.
    pub(super) fn parse(text: &str) -> Option<Node> {
        let mut reader = Reader { tokens: tokens(text), at: 0 };
        let node = reader.node(0)?;
        (reader.at == reader.tokens.len()).then_some(node)
    }

    /// The fields, if this is an object of that kind.
    pub(super) fn as_kind(&self, kind: &str) -> Option<&HashMap<String, Node>> {
        match self {
            Node::Object(own, fields) if own == kind => Some(fields),
            _ => None,
        }
    }

    pub(super) fn items(&self) -> &[Node] {
        match self {
            Node::List(items) => items,
            _ => &[],
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Node::Token(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn number(&self) -> Option<i64> {
        self.text()?.parse().ok()
    }
}

/// Deeper trees are not read: nothing in them is taken for granted.
const DEPTH: usize = 1_000;

struct Reader {
    tokens: Vec<Token>,
    at: usize,
}

#[derive(Clone, Debug)]
struct Token {
    /// As it stands, to tell brackets from texts that look like them.
    raw: String,
    /// Without backslashes.
    text: String,
}

impl Reader {
    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.at).map(|token| token.raw.as_str())
    }

    fn next(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        token
    }

    /// Whether a field's value ends here.
    fn is_at_end_of_field(&self) -> bool {
        self.peek().is_none_or(|raw| raw == "}" || raw.starts_with(':'))
    }

    fn node(&mut self, depth: usize) -> Option<Node> {
        if depth > DEPTH {
            return None;
        }
        let token = self.next()?;
        match token.raw.as_str() {
            "{" => {
                let kind = self.next()?.text;
                let mut fields = HashMap::new();
                while self.peek()? != "}" {
                    let name = self.next()?.text;
                    let value = if self.is_at_end_of_field() { Node::Null } else { self.node(depth + 1)? };
                    fields.insert(name.trim_start_matches(':').to_owned(), value);
                    // Values such as the bytes of a constant are several tokens.
                    while !self.is_at_end_of_field() {
                        self.node(depth + 1)?;
                    }
                }
                self.at += 1;
                Some(Node::Object(kind, fields))
            }
            "(" => {
                let mut items = Vec::new();
                // Lists of integers, oids, bits and transactions have a letter in front.
                if matches!(self.peek(), Some("i" | "o" | "b" | "x")) {
                    self.at += 1;
                }
                while self.peek()? != ")" {
                    items.push(self.node(depth + 1)?);
                }
                self.at += 1;
                Some(Node::List(items))
            }
            "<>" => Some(Node::Null),
            _ => Some(Node::Token(token.text)),
        }
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut characters = text.chars().peekable();
    while let Some(first) = characters.next() {
        match first {
            ' ' | '\t' | '\n' => {}
            '(' | ')' | '{' | '}' => found.push(Token { raw: first.to_string(), text: first.to_string() }),
            _ => {
                let mut token = Token { raw: String::new(), text: String::new() };
                let mut next = Some(first);
                while let Some(c) = next {
                    token.raw.push(c);
                    match characters.next_if(|_| c == '\\') {
                        Some(escaped) => {
                            token.raw.push(escaped);
                            token.text.push(escaped);
                        }
                        None => token.text.push(c),
                    }
                    next = characters.next_if(|c| !" \t\n(){}".contains(*c));
                }
                found.push(token);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_read() {
        let node = Node::parse("({A :x 1 :y <> :z (i 1 2) :w \"a\\ b\\{\" :e  :v 4 [ 1 0 ]})").unwrap();
        let fields = node.items()[0].as_kind("A").unwrap();
        assert_eq!(fields["x"].number(), Some(1));
        assert_eq!(fields["y"], Node::Null);
        assert_eq!(fields["z"].items().len(), 2);
        assert_eq!(fields["w"].text(), Some("\"a b{\""));
        assert_eq!((&fields["e"], fields["v"].number()), (&Node::Null, Some(4)));
        for bad in ["", "(", "{A :x", "{A} {B}", &"(".repeat(5_000)] {
            assert_eq!(Node::parse(bad), None, "{bad}");
        }
    }
}
