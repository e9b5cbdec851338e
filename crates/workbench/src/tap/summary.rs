//! The report, in the shape of pg_prove (TAP::Harness), which people and CI logs are used to.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use super::psql::Stop;
use super::stream::Stream;

/// What psql exits with when a script stops at an error.
const STOPPED: u32 = 3;

/// What came of one file.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    name: String,
    stream: Stream,
    stop: Option<Stop>,
}

/// What came of all files.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    outcomes: Vec<Outcome>,
    pub(super) took: Duration,
}

impl Summary {
    pub(super) fn add(&mut self, outcome: Outcome) {
        self.outcomes.push(outcome);
    }

    /// Whether at least one test ran, and all that ran passed as planned.
    pub fn passed(&self) -> bool {
        self.tests() > 0 && self.outcomes.iter().all(|outcome| outcome.problems().is_empty())
    }

    /// How many tests ran.
    pub fn tests(&self) -> usize {
        self.outcomes.iter().map(|outcome| outcome.stream.ran).sum()
    }
}

impl Outcome {
    pub(super) fn new(name: String, stream: Stream, stop: Option<Stop>) -> Self {
        Outcome { name, stream, stop }
    }

    /// The file's line, and why it failed.
    pub(super) fn report(&self, width: usize) -> String {
        let dots = ".".repeat(width + 2 - self.name.chars().count());
        let begin = format!("{} {dots} ", self.name);
        if self.problems().is_empty() {
            return match &self.stream.skipped_all {
                Some(reason) => format!("{begin}skipped: {reason}"),
                None => format!("{begin}ok"),
            };
        }
        let mut lines = vec![begin];
        lines.extend(self.stream.comments.iter().cloned());
        if let Some(Stop { file, line, message }) = &self.stop {
            lines.push(format!("psql:{file}:{line}: {message}"));
            lines.push(format!("Dubious, test returned {STOPPED} (wstat {0}, 0x{0:x})", STOPPED << 8));
        }
        if let Some(reason) = &self.stream.bailed_out {
            lines.push(format!("Bail out!  {reason}"));
        }
        let failed = self.failed().len();
        lines.push(match (self.stream.planned, failed) {
            (Some(planned), 0) => format!("All {planned} subtests passed"),
            (Some(planned), _) => format!("Failed {failed}/{planned} subtests"),
            (None, 0) if self.stream.ran == 0 => "No subtests run".to_owned(),
            (None, 0) => "All subtests passed".to_owned(),
            (None, _) => format!("Failed {failed}/{} subtests", self.stream.ran),
        });
        lines.join("\n")
    }

    /// Tests that failed, and those planned that never ran.
    fn failed(&self) -> BTreeSet<usize> {
        let missing = self.stream.planned.map(|planned| self.stream.ran + 1..=planned);
        self.stream.failed.iter().copied().chain(missing.into_iter().flatten()).collect()
    }

    /// Why the file did not pass, as the lines of the summary.
    fn problems(&self) -> Vec<String> {
        let Stream { planned, ran, skipped_all, out_of_order, bailed_out, .. } = &self.stream;
        let mut problems = Vec::new();
        let failed = self.failed();
        if !failed.is_empty() {
            problems.push(format!("Failed {}:  {}", nouns(failed.len(), "test"), ranges(&failed)));
        }
        if self.stop.is_some() {
            problems.push(format!("Non-zero exit status: {STOPPED}"));
        }
        if let Some(reason) = bailed_out {
            problems.push(format!("Bailed out: {reason}"));
        }
        for number in out_of_order {
            problems.push(format!("Parse errors: Tests out of sequence.  Found ({number})"));
        }
        match planned {
            Some(0) if skipped_all.is_some() => {}
            Some(planned) if planned == ran => {}
            Some(planned) => {
                problems.push(format!("Parse errors: Bad plan.  You planned {planned} tests but ran {ran}."));
            }
            None => problems.push("Parse errors: No plan found in TAP output".to_owned()),
        }
        problems
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bad: Vec<_> = self.outcomes.iter().filter(|outcome| !outcome.problems().is_empty()).collect();
        if bad.is_empty() && self.tests() > 0 {
            writeln!(f, "All tests successful.")?;
        }
        if !bad.is_empty() {
            writeln!(f, "\nTest Summary Report\n-------------------")?;
        }
        for outcome in bad {
            let status =
                if outcome.stop.is_some() { format!("{} (exited {STOPPED})", STOPPED << 8) } else { "0".to_owned() };
            let (ran, failed) = (outcome.stream.ran, outcome.stream.failed.len());
            writeln!(f, "{} (Wstat: {status} Tests: {ran} Failed: {failed})", outcome.name)?;
            for problem in outcome.problems() {
                writeln!(f, "  {problem}")?;
            }
        }
        let seconds = self.took.as_secs();
        writeln!(f, "Files={}, Tests={}, {seconds:2} wallclock secs", self.outcomes.len(), self.tests())?;
        let result = match (self.passed(), self.tests()) {
            (true, _) => "PASS",
            (false, 0) if self.outcomes.iter().all(|outcome| outcome.problems().is_empty()) => "NOTESTS",
            (false, _) => "FAIL",
        };
        write!(f, "Result: {result}")
    }
}

fn nouns(count: usize, noun: &str) -> String {
    if count == 1 { noun.to_owned() } else { format!("{noun}s") }
}

/// `1-3, 5`.
fn ranges(numbers: &BTreeSet<usize>) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let text = |&(first, last): &(usize, usize)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    runs.iter().map(text).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(name: &str, lines: &[&str], stop: Option<&str>) -> Outcome {
        let mut stream = Stream::default();
        lines.iter().for_each(|line| stream.line(line));
        let stop = stop.map(|message| Stop { file: name.to_owned(), line: 4, message: message.to_owned() });
        Outcome::new(name.to_owned(), stream, stop)
    }

    #[test]
    fn passing_files_take_a_line_each() {
        let mut summary = Summary::default();
        let (a, b) = (outcome("a.sql", &["1..1", "ok 1"], None), outcome("long.sql", &["1..0 # skip no"], None));
        assert_eq!(a.report(8), "a.sql ..... ok");
        assert_eq!(b.report(8), "long.sql .. skipped: no");
        summary.add(a);
        summary.add(b);
        assert!(summary.passed());
        assert_eq!(summary.to_string(), "All tests successful.\nFiles=2, Tests=1,  0 wallclock secs\nResult: PASS");
    }

    #[test]
    fn every_way_to_fail_is_seen() {
        for (lines, stop, problem) in [
            (&["1..2", "ok 1", "not ok 2 - b"][..], None, "  Failed test:  2\n"),
            (&["1..4", "ok 1"], None, "  Failed tests:  2-4\n"),
            (&["1..1", "ok 1", "ok 2"], None, "You planned 1 tests but ran 2."),
            (&["ok 1"], None, "No plan found"),
            (&["1..1", "ok 1"], Some("ERROR:  no"), "Non-zero exit status: 3"),
            (&["1..1", "ok 1", "Bail out! x"], None, "Bailed out: x"),
            (&["1..2", "ok 1", "ok 3"], None, "Tests out of sequence"),
        ] {
            let mut summary = Summary::default();
            summary.add(outcome("a.sql", lines, stop));
            assert!(!summary.passed(), "{lines:?}");
            let text = summary.to_string();
            assert!(text.contains(problem) && text.ends_with("Result: FAIL"), "{text}");
        }
        let mut todo = Summary::default();
        todo.add(outcome("a.sql", &["1..2", "not ok 1 # todo x", "ok 2 # todo y"], None));
        assert!(todo.passed(), "{todo}");
        assert!(!Summary::default().passed());
        assert!(Summary::default().to_string().ends_with("Result: NOTESTS"));
    }

    #[test]
    fn a_failing_file_shows_its_comments_and_where_it_stopped() {
        let bad = outcome("a.sql", &["1..2", "not ok 1 - x", "# Failed test 1"], Some("ERROR:  no such table"));
        assert_eq!(
            bad.report(5),
            "a.sql .. \n# Failed test 1\npsql:a.sql:4: ERROR:  no such table\n\
             Dubious, test returned 3 (wstat 768, 0x300)\nFailed 2/2 subtests"
        );
    }
}
