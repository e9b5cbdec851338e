//! Go's `html/template`, as far as mails use it: what people wrote for GoTrue renders here to the same text.
//!
//! Fields, variables, pipelines, `if`, `else`, `with`, `range`, comments, trim markers and the functions in [`functions`].
//! Not there: `define`, `template`, `block`, `break`, `continue`; they are refused when the template is read.
//!
//! This is our own because no maintained crate has it: the one for Go's templates (gtmpl) knows nothing of HTML, and what
//! users put into their metadata must not become markup in a mail.
//!
//! DEVIATION: HTML comments of a template stay in the mail, so that Outlook's conditional ones work; Go takes them out.

mod execute;
mod functions;
mod html;
mod lexer;
mod limits;
mod parser;

use serde_json::Value;

/// A template that was read without a mistake.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Template {
    nodes: Vec<parser::Node>,
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    /// The first mistake, with its line.
    pub(crate) fn parse(text: &str) -> Result<Self, SyntaxError> {
        Ok(Template { nodes: parser::parse(&lexer::split(text)?)? })
    }

    /// Renders a page: values are escaped for the place they stand in. What is missing is empty.
    ///
    /// # Errors
    /// [`TooLong`].
    pub(crate) fn html(&self, data: &Value) -> Result<String, TooLong> {
        execute::run(&self.nodes, data, html::Output::new())
    }

    /// Renders text, as for a subject: nothing is escaped, and line breaks become spaces.
    ///
    /// DEVIATION: subjects are text; GoTrue escapes them as HTML, so that O'Brien is read as O&#39;Brien.
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
