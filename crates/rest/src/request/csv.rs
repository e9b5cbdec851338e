//! Parses comma-separated values (RFC 4180) exactly as upstream's parser cassava does.
//!
//! Cassava is stricter and laxer than other parsers in ways that clients notice: the header line must end, a row may be
//! shorter than the header, a quote inside an unquoted field and text after a closing quote are errors, and errors
//! quote the remaining input.

use std::borrow::Cow;

/// A parse error, in cassava's words.
pub(super) type Problem = String;

/// How much of the remaining input an error quotes.
const SHOWN: usize = 100;

/// Returns the names of the header line, and calls `take` for each row that is not blank.
pub(super) fn read<'a>(
    text: &'a str,
    mut take: impl FnMut(&[String], &[Cow<'a, str>]),
) -> Result<Vec<String>, Problem> {
    let mut rest = Rest(text);
    // Reused for all rows: a body of 50 MB has a million of them.
    let mut row = Vec::new();
    rest.record(&mut row)?;
    let names: Vec<String> = row.iter().map(|name| name.clone().into_owned()).collect();
    if !rest.end_of_line() {
        return Err(rest.problem(if rest.0.is_empty() { "not enough input" } else { "satisfy" }));
    }
    loop {
        rest.record(&mut row)?;
        if row.len() > 1 || row.first().is_some_and(|field| !field.is_empty()) {
            take(&names, &row);
        }
        if rest.0.is_empty() {
            return Ok(names);
        }
        if !rest.end_of_line() {
            return Err(rest.problem("satisfy"));
        }
    }
}

/// The remaining input.
struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    fn record(&mut self, fields: &mut Vec<Cow<'a, str>>) -> Result<(), Problem> {
        fields.clear();
        fields.push(self.field()?);
        while let Some(rest) = self.0.strip_prefix(',') {
            self.0 = rest;
            fields.push(self.field()?);
        }
        Ok(())
    }

    fn field(&mut self) -> Result<Cow<'a, str>, Problem> {
        match self.0.strip_prefix('"') {
            Some(rest) => {
                self.0 = rest;
                self.quoted()
            }
            None => {
                let end = self.0.find(['"', ',', '\n', '\r']).unwrap_or(self.0.len());
                Ok(Cow::Borrowed(self.take(end)))
            }
        }
    }

    /// The rest of a quoted field; two quotes stand for one.
    fn quoted(&mut self) -> Result<Cow<'a, str>, Problem> {
        let mut field = Cow::Borrowed("");
        loop {
            let Some(end) = self.0.find('"') else {
                self.take(self.0.len());
                return Err(self.problem("trailing double quote"));
            };
            field += self.take(end);
            self.take(1);
            match self.0.strip_prefix('"') {
                Some(rest) => {
                    field += "\"";
                    self.0 = rest;
                }
                None => return Ok(field),
            }
        }
    }

    fn end_of_line(&mut self) -> bool {
        let rest = ["\r\n", "\n", "\r"].iter().find_map(|end| self.0.strip_prefix(end));
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.0.split_at(length);
        self.0 = rest;
        taken
    }

    fn problem(&self, what: &str) -> Problem {
        let rest = match self.0.char_indices().nth(SHOWN) {
            Some((end, _)) => format!("{} (truncated)", &self.0[..end]),
            None => format!("{:?}", self.0),
        };
        format!("parse error ({what}) at {rest}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Result<String, Problem> {
        let mut rows = String::new();
        let names = read(text, |_, row| {
            rows.push('/');
            rows.push_str(&row.join("|"));
        })?;
        Ok(names.join("|") + &rows)
    }

    #[test]
    fn rows_and_quotes() {
        for (text, read) in [
            ("a,b\n1,2\n3,4", "a|b/1|2/3|4"),
            ("a,b\r\n1,2\r\n", "a|b/1|2"),
            ("a\r1\r2", "a/1/2"),
            ("a,b\n", "a|b"),
            ("a\n\n1\n\n", "a/1"),
            ("a\n\"\"\n1", "a/1"),
            ("a,b\n,\n", "a|b/|"),
            ("\"a b\",c\n\"x,\n\"\"y\"\"\",z", "a b|c/x,\n\"y\"|z"),
            ("a,b\n1\n1,2,3", "a|b/1/1|2|3"),
            ("a\n ä ", "a/ ä "),
        ] {
            assert_eq!(rows(text).as_deref(), Ok(read), "{text:?}");
        }
    }

    #[test]
    fn every_short_text_is_read_or_refused_and_what_is_quoted_comes_back() {
        let alphabet = [",", "\"", "\n", "\r", "a", "é"];
        let mut texts = vec![String::new()];
        for length in 0..6 {
            let longer: Vec<String> = texts[texts.len() - 6_usize.pow(length)..]
                .iter()
                .flat_map(|t| alphabet.map(|c| t.clone() + c))
                .collect();
            texts.extend(longer);
        }
        for text in &texts {
            let _ = rows(text);
            let quoted = format!("n\n\"{}\"\n", text.replace('"', "\"\""));
            let mut values = Vec::new();
            read(&quoted, |_, row| values.push(row[0].clone().into_owned())).unwrap();
            // A line with a single empty field is a blank line.
            assert_eq!(values, if text.is_empty() { vec![] } else { vec![text.clone()] });
        }
        assert_eq!(texts.len(), 1 + 6 + 36 + 216 + 1296 + 7776 + 46656);
    }

    #[test]
    fn problems_show_the_rest() {
        for (text, problem) in [
            ("", r#"parse error (not enough input) at """#),
            ("a,b", r#"parse error (not enough input) at """#),
            ("a\"b\n1", r#"parse error (satisfy) at "\"b\n1""#),
            ("a\nx\"y\"", r#"parse error (satisfy) at "\"y\"""#),
            ("a\n\"x\"y", r#"parse error (satisfy) at "y""#),
            ("a\n\"x", r#"parse error (trailing double quote) at """#),
        ] {
            assert_eq!(rows(text), Err(problem.to_owned()), "{text:?}");
        }
        let long = format!("a\n\"\"{}", "x".repeat(101));
        assert_eq!(rows(&long), Err(format!("parse error (satisfy) at {} (truncated)", "x".repeat(100))));
    }
}
