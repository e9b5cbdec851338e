//! The text of a mail that has only HTML, as Mailpit shows it: tests read codes and links from it.

/// Elements that begin a new line.
const BLOCKS: [&str; 13] = ["p", "div", "br", "h1", "h2", "h3", "h4", "h5", "h6", "tr", "li", "ul", "table"];
/// Elements whose content is no text.
const HIDDEN: [&str; 3] = ["style", "script", "title"];

/// The text. A link is followed by its address: `Confirm ( https://… )`.
pub(super) fn of_html(html: &str) -> String {
    let (mut text, mut rest) = (String::new(), html);
    let mut address = None;
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        let Some((tag, after)) = after.split_once('>') else { break };
        rest = after;
        let name = tag.trim_start_matches('/').split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let name = name.to_ascii_lowercase();
        if BLOCKS.contains(&name.as_str()) {
            text.push('\n');
        } else if name == "a" && tag.starts_with('/') {
            if let Some(address) = address.take() {
                text.push_str(&format!(" ( {address} )"));
            }
        } else if name == "a" {
            address = attribute(tag, "href");
        } else if HIDDEN.contains(&name.as_str()) && !tag.starts_with('/') {
            let end = format!("</{name}");
            rest = rest.find(&end).map_or("", |at| &rest[at..]);
        }
    }
    text.push_str(rest);
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let text = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n\n");
    unescape(&text)
}

/// The value of an attribute in quotes.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!("{name}="))?;
    let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    rest[1..].split_once(quote).map(|(value, _)| value.to_owned())
}

fn unescape(text: &str) -> String {
    const ENTITIES: [(&str, &str); 7] = [
        ("&nbsp;", " "),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#43;", "+"),
        // Last, so that nothing is unescaped twice.
        ("&amp;", "&"),
    ];
    ENTITIES.iter().fold(text.to_owned(), |text, (entity, character)| text.replace(entity, character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_links_can_be_read() {
        let html = "<style>p { color: red }</style><h2>Confirm your email</h2>\n<p>Follow <a href=\"http://x.test/v?a=1&amp;b=2\">\
            this link</a></p><p>or enter the code:<br>123456 &amp; go</p>";
        let text =
            "Confirm your email\n\nFollow this link ( http://x.test/v?a=1&b=2 )\n\nor enter the code:\n\n123456 & go";
        assert_eq!(of_html(html), text);
        for odd in ["<", "a < b", "<a href=", "<style>", "<a href='", ""] {
            of_html(odd);
        }
    }
}
