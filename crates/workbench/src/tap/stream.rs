//! Test Anything Protocol, as far as pgTAP writes it (<https://testanything.org/tap-specification.html>).

use std::collections::BTreeSet;

/// What a file has said so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stream {
    /// From `1..N`.
    pub(super) planned: Option<usize>,
    /// `1..0 # SKIP why`.
    pub(super) skipped_all: Option<String>,
    pub(super) ran: usize,
    /// Numbers of the tests that failed and may not.
    pub(super) failed: BTreeSet<usize>,
    /// Tests with a number that is not the next one.
    pub(super) out_of_order: BTreeSet<usize>,
    pub(super) bailed_out: Option<String>,
    /// Comments, which explain failures.
    pub(super) comments: Vec<String>,
}

impl Stream {
    /// Reads the next line; what is no TAP is ignored, as the protocol wants.
    pub(super) fn line(&mut self, line: &str) {
        if let Some(reason) = line.strip_prefix("Bail out!") {
            self.bailed_out = Some(reason.trim().to_owned());
        } else if let Some(passed) = line.strip_prefix("ok").and_then(is_test) {
            self.test(passed, true);
        } else if let Some(failed) = line.strip_prefix("not ok").and_then(is_test) {
            self.test(failed, false);
        } else if let Some(plan) = line.strip_prefix("1..") {
            self.plan(plan);
        } else if line.starts_with('#') {
            self.comments.push(line.to_owned());
        }
    }

    fn test(&mut self, rest: &str, passed: bool) {
        let rest = rest.trim_start();
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        self.ran += 1;
        let number = rest[..digits].parse().unwrap_or(self.ran);
        if number != self.ran {
            self.out_of_order.insert(number);
        }
        let directive = rest.rsplit_once('#').map(|(_, text)| text.trim_start().to_ascii_lowercase());
        let is = |word: &str| directive.as_deref().is_some_and(|text| text.starts_with(word));
        // A test that is to do may fail.
        if !passed && !is("todo") && !is("skip") {
            self.failed.insert(number);
        }
    }

    fn plan(&mut self, plan: &str) {
        let (count, directive) = plan.split_once('#').unwrap_or((plan, ""));
        self.planned = count.trim().parse().ok();
        let directive = directive.trim();
        if self.planned == Some(0) && directive.to_ascii_lowercase().starts_with("skip") {
            self.skipped_all = Some(directive[4..].trim().to_owned());
        }
    }
}

/// `ok` alone, or before a blank: not `okay`.
fn is_test(rest: &str) -> Option<&str> {
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_told_apart() {
        let mut stream = Stream::default();
        for line in [
            "1..6",
            "ok 1 - a",
            "not ok 2 - b # not a directive",
            "# Failed test 2",
            "not ok 3 - c # todo later",
            "ok 4 # SKIP no time",
            "ok 5 - d # todo works now",
            "okay is no test",
            "ok 7 - e",
        ] {
            stream.line(line);
        }
        assert_eq!((stream.planned, stream.ran), (Some(6), 6));
        assert_eq!(stream.failed, BTreeSet::from([2]));
        assert_eq!(stream.out_of_order, BTreeSet::from([7]));
        assert_eq!(stream.comments, ["# Failed test 2"]);
        stream.line("Bail out! enough");
        assert_eq!(stream.bailed_out.as_deref(), Some("enough"));
    }

    #[test]
    fn a_file_may_be_skipped_as_a_whole() {
        let mut stream = Stream::default();
        stream.line("1..0 # SKIP not here");
        assert_eq!((stream.planned, stream.skipped_all.as_deref()), (Some(0), Some("not here")));
    }
}
