//! How long tests of chance run.

/// The number in the environment variable `name`, or `short`. `make soak` sets these variables.
pub fn long(name: &str, short: u64) -> u64 {
    std::env::var(name).map_or(short, |number| number.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}
