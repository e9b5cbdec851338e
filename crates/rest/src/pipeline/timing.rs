//! Measures the stages of a request for the `Server-Timing` header.

use std::time::{Duration, Instant};

/// A stage of the pipeline.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stage {
    Parse,
    Plan,
    Transaction,
    Response,
}

/// A stopwatch for the stages.
pub(crate) struct Timing {
    token: Duration,
    last: Instant,
    stages: [Duration; 4],
}

impl Timing {
    /// Starts the stopwatch. Verifying the token took `token`.
    pub(crate) fn start(token: Duration) -> Self {
        Timing { token, last: Instant::now(), stages: [Duration::ZERO; 4] }
    }

    /// Ends a stage and begins the next.
    pub(crate) fn done(&mut self, stage: Stage) {
        let now = Instant::now();
        self.stages[stage as usize] = now - self.last;
        self.last = now;
    }

    /// The header's value: milliseconds with one decimal.
    pub(crate) fn header(&self) -> String {
        let jwt = self.token.as_secs_f64() * 1000.0;
        let [parse, plan, transaction, response] = self.stages.map(|stage| stage.as_secs_f64() * 1000.0);
        format!(
            "jwt;dur={jwt:.1}, parse;dur={parse:.1}, plan;dur={plan:.1}, transaction;dur={transaction:.1}, \
             response;dur={response:.1}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_stages_are_named_in_order() {
        let mut timing = Timing::start(Duration::from_micros(1_260));
        timing.done(Stage::Plan);
        let header = timing.header();
        assert!(header.starts_with("jwt;dur=1.3, "), "{header}");
        let names: Vec<&str> = header.split(", ").filter_map(|part| part.split(';').next()).collect();
        assert_eq!(names, ["jwt", "parse", "plan", "transaction", "response"]);
    }
}
