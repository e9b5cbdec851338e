//! Contextual escaping: the output tracks its position in the HTML and escapes each value for it.
//!
//! Source: the rules of Go's `html/template` (context.go, escape.go), for the contexts that mails have.

use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use super::execute::Sink;
use super::functions::written;

/// Go's replacement for a value that is unsafe in its context.
const UNSAFE: &str = "ZgotmplZ";
/// Characters to encode in a query.
const QUERY: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// Characters to encode in a URL.
const ADDRESS: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'\'')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');
/// Attributes that contain URLs.
const ADDRESSES: [&str; 10] =
    ["href", "src", "action", "formaction", "cite", "background", "poster", "data", "longdesc", "xlink:href"];

/// The position of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Text,
    Comment,
    /// Inside a script or style element, until its end tag.
    Raw(&'static str),
    /// In the name of an element.
    TagName(String),
    /// Between attributes, or in the name of one.
    Attributes {
        tag: String,
        name: String,
    },
    Attribute {
        tag: String,
        quote: Quote,
        kind: Kind,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quote {
    /// The value has not begun.
    Awaited,
    With(char),
    None,
}

/// The meaning of an attribute's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Plain,
    Style,
    Script,
    /// A URL of which nothing has been written.
    Address,
    /// In a URL, before its query.
    Path,
    /// In a URL, after the question mark or the hash.
    Query,
}

/// The output so far.
pub(super) struct Output {
    text: String,
    place: Place,
}

impl Output {
    pub(super) fn new() -> Self {
        Output { text: String::new(), place: Place::Text }
    }

    fn step(&mut self, letter: char) {
        self.text.push(letter);
        let place = std::mem::replace(&mut self.place, Place::Text);
        self.place = match place {
            Place::Text if letter == '<' => Place::TagName(String::new()),
            Place::TagName(name) => in_tag_name(name, letter),
            Place::Attributes { tag, name } => in_attributes(tag, name, letter),
            Place::Attribute { tag, quote, kind } => in_attribute(tag, quote, kind, letter),
            Place::Comment if self.text.ends_with("-->") => Place::Text,
            Place::Raw(name) if letter == '>' && ends_element(&self.text, name) => Place::Text,
            other => other,
        };
    }

    /// The value, escaped for the current position.
    fn escaped(&self, value: &Value) -> String {
        match &self.place {
            Place::Text => html(&written(value)),
            Place::Comment => String::new(),
            Place::Raw("script") => script(value),
            Place::Raw(_) => style(&written(value)),
            // A lone < is text, too.
            Place::TagName(tag) if tag.is_empty() => html(&written(value)),
            Place::TagName(_) | Place::Attributes { .. } => name(&written(value)),
            Place::Attribute { quote, kind, .. } => {
                let text = written(value);
                let text = match kind {
                    Kind::Plain => text,
                    Kind::Style => style(&text),
                    Kind::Script => script(value),
                    Kind::Address => address(&text),
                    Kind::Path => normalized(&text),
                    Kind::Query => utf8_percent_encode(&text, QUERY).to_string(),
                };
                let text = html(&text);
                if matches!(quote, Quote::With(_)) { text } else { unquoted(&text) }
            }
        }
    }
}

impl Sink for Output {
    fn literal(&mut self, text: &str) {
        text.chars().for_each(|letter| self.step(letter));
    }

    fn value(&mut self, value: &Value) {
        let text = self.escaped(value);
        self.text.push_str(&text);
        if let Place::Attribute { quote, kind, .. } = &mut self.place {
            if *quote == Quote::Awaited && !text.is_empty() {
                *quote = Quote::None;
            }
            if *kind == Kind::Address && !text.is_empty() {
                *kind = Kind::Path;
            }
        }
    }

    fn length(&self) -> usize {
        self.text.len()
    }

    fn finish(self) -> String {
        self.text
    }
}

fn in_tag_name(mut name: String, letter: char) -> Place {
    match letter {
        '>' if !name.is_empty() => inside(&name),
        letter if letter.is_whitespace() && !name.is_empty() => Place::Attributes { tag: name, name: String::new() },
        letter if name.is_empty() && !(letter.is_ascii_alphabetic() || matches!(letter, '/' | '!')) => Place::Text,
        letter => {
            name.push(letter.to_ascii_lowercase());
            if name == "!--" { Place::Comment } else { Place::TagName(name) }
        }
    }
}

/// The position after the start tag of an element.
fn inside(tag: &str) -> Place {
    match tag.trim_end_matches('/') {
        "script" => Place::Raw("script"),
        "style" => Place::Raw("style"),
        _ => Place::Text,
    }
}

fn in_attributes(tag: String, mut name: String, letter: char) -> Place {
    match letter {
        '>' => inside(&tag),
        '=' => Place::Attribute { kind: kind(&name), tag, quote: Quote::Awaited },
        '/' => Place::Attributes { tag, name: String::new() },
        letter if letter.is_whitespace() => Place::Attributes { tag, name: String::new() },
        letter => {
            name.push(letter.to_ascii_lowercase());
            Place::Attributes { tag, name }
        }
    }
}

fn kind(name: &str) -> Kind {
    match name {
        "style" => Kind::Style,
        name if name.starts_with("on") => Kind::Script,
        name if ADDRESSES.contains(&name) => Kind::Address,
        _ => Kind::Plain,
    }
}

fn in_attribute(tag: String, quote: Quote, kind: Kind, letter: char) -> Place {
    let next = |quote: Quote, kind: Kind| Place::Attribute { tag: tag.clone(), quote, kind };
    match (quote, letter) {
        (Quote::Awaited, '"' | '\'') => next(Quote::With(letter), kind),
        (Quote::Awaited, letter) if letter.is_whitespace() => next(quote, kind),
        (Quote::With(end), letter) if letter == end => Place::Attributes { tag, name: String::new() },
        (Quote::Awaited | Quote::None, '>') => inside(&tag),
        (Quote::None, letter) if letter.is_whitespace() => Place::Attributes { tag, name: String::new() },
        (Quote::Awaited, letter) => next(Quote::None, moved(kind, letter)),
        (_, letter) => next(quote, moved(kind, letter)),
    }
}

/// The position in a URL after this character.
fn moved(kind: Kind, letter: char) -> Kind {
    match kind {
        Kind::Address | Kind::Path if matches!(letter, '?' | '#') => Kind::Query,
        Kind::Address if !letter.is_whitespace() => Kind::Path,
        other => other,
    }
}

fn ends_element(text: &str, name: &str) -> bool {
    let tag = text.rfind("</").map(|at| text[at + 2..].trim_end_matches('>').trim_end());
    tag.is_some_and(|tag| tag.eq_ignore_ascii_case(name))
}

fn html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&#34;"),
            '\'' => escaped.push_str("&#39;"),
            '+' => escaped.push_str("&#43;"),
            '\0' => escaped.push('\u{FFFD}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// For an unquoted attribute, which white space would end.
fn unquoted(text: &str) -> String {
    text.chars().fold(String::new(), |mut escaped, letter| {
        match letter {
            letter if letter.is_whitespace() || matches!(letter, '=' | '`') => {
                escaped.push_str(&format!("&#{};", u32::from(letter)));
            }
            letter => escaped.push(letter),
        }
        escaped
    })
}

/// A complete URL: only web and mail, because a browser would run a script.
fn address(text: &str) -> String {
    let scheme = text.split_once(':').map(|(scheme, _)| scheme).filter(|scheme| !scheme.contains(['/', '?', '#']));
    let known = |scheme: &str| ["http", "https", "mailto"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    if scheme.is_none_or(known) { normalized(text) } else { format!("#{UNSAFE}") }
}

fn normalized(text: &str) -> String {
    utf8_percent_encode(text, ADDRESS).to_string()
}

fn name(text: &str) -> String {
    let plain = !text.is_empty() && text.chars().all(|letter| letter.is_ascii_alphanumeric());
    let harmful = text.to_ascii_lowercase();
    let harmful = harmful.starts_with("on") || harmful == "style" || ADDRESSES.contains(&harmful.as_str());
    if plain && !harmful { text.to_owned() } else { UNSAFE.to_owned() }
}

fn style(text: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || " #%.,-_".contains(letter);
    if text.chars().all(plain) { text.to_owned() } else { UNSAFE.to_owned() }
}

fn script(value: &Value) -> String {
    let text = value.to_string();
    let text = text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026").replace('\'', "\\u0027");
    text.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}
