//! Turns the text of a mail into HTML.

use crate::app::escape;

/// Paragraphs of plain text, and below them a link with its label.
pub(super) fn html(text: &str, button: Option<(&str, &str)>) -> String {
    let paragraphs = text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty());
    let mut html: String =
        paragraphs.map(|paragraph| format!("<p>{}</p>\n", escape(paragraph).replace('\n', "<br>\n"))).collect();
    if let Some((link, label)) = button {
        html.push_str(&format!("<p><a href=\"{}\">{}</a></p>\n", escape(link), escape(label)));
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        let sent =
            html("Two <b>new</b>\nplayers\n\n\n\"More\"", Some(("https://app.test/search?a=1&b='2'", "See & go")));
        assert_eq!(
            sent,
            "<p>Two &lt;b>new&lt;/b><br>\nplayers</p>\n<p>&quot;More&quot;</p>\n\
             <p><a href=\"https://app.test/search?a=1&amp;b=&#39;2&#39;\">See &amp; go</a></p>\n"
        );
        assert_eq!(html("One line", None), "<p>One line</p>\n");
    }
}
