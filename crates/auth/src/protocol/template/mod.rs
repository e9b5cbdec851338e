//! Go's `html/template`, as far as mails use it: GoTrue's templates render here to the same text.
//!
//! Supported: fields, variables, pipelines, `if`, `else`, `with`, `range`, comments, trim markers and the functions in
//! [`functions`]. Not supported: `define`, `template`, `block`, `break`, `continue`; they are refused when the template
//! is parsed.
//!
//! We wrote this ourselves because no maintained crate does it: the one for Go's templates (gtmpl) does not escape
//! HTML, and what users put into their metadata must not become markup in a mail.
//!
//! DEVIATION (behaviour): HTML comments of a mail template stay in the mail, so that Outlook's conditional comments
//! work; Go removes them.

mod execute;
mod functions;
mod html;
mod lexer;
mod limits;
mod parser;

use serde_json::Value;

/// A parsed template.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Template {
    nodes: Vec<parser::Node>,
}

impl Template {
    /// Parses a template.
    ///
    /// # Errors
    /// The first error, with its line.
    pub(crate) fn parse(text: &str) -> Result<Self, SyntaxError> {
        Ok(Template { nodes: parser::parse(&lexer::split(text)?)? })
    }

    /// Renders HTML: values are escaped for their context. Missing values are empty.
    ///
    /// # Errors
    /// [`TooLong`].
    pub(crate) fn html(&self, data: &Value) -> Result<String, TooLong> {
        execute::run(&self.nodes, data, html::Output::new())
    }

    /// Renders plain text, as for a subject: nothing is escaped, and line breaks become spaces.
    ///
    /// DEVIATION (behaviour): subjects of mails are plain text; GoTrue escapes them as HTML, so that O'Brien becomes
    /// O&#39;Brien.
    ///
    /// # Errors
    /// [`TooLong`].
    pub(crate) fn text(&self, data: &Value) -> Result<String, TooLong> {
        let text = execute::run(&self.nodes, data, execute::PlainText::default())?;
        Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

use limits::{MAX_DEPTH, MAX_OUTPUT};
pub(crate) use limits::{SyntaxError, TooLong};

#[cfg(test)]
mod tests;
