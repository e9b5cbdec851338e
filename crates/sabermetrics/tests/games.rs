//! Hand-made games: one file of tests per family of rules.
#![expect(clippy::panic, reason = "clippy's exceptions for tests do not apply to helper functions")]

mod games {
    mod batting_order;
    mod book;
    mod charged_runners;
    mod context;
    mod decisions;
    mod earned_runs;
    mod editing;
    mod endings;
    mod interference;
    mod outs;
    mod pitch_counts;
    mod plays;
    mod splits;
    mod substitutions;
}
