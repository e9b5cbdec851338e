//! Divides the connections of a process among its parts before any is opened.

use std::fmt;

/// How many connections of the pool one part gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// None.
    Nothing,
    /// This number.
    Exactly(usize),
    /// The pool's size divided by this, at least one.
    Divided(usize),
    /// What the other parts leave, at least one. Several such parts share it.
    Remainder,
}

/// The number of connections of each part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    shares: Vec<(&'static str, usize)>,
}

/// The budget exceeds what PostgreSQL allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exceeded {
    /// Connections in the budget.
    pub wanted: usize,
    /// Connections that PostgreSQL allows: `max_connections` less those reserved for superusers.
    pub allowed: usize,
}

impl Budget {
    /// Divides `pool` connections. Every part except [`Part::Nothing`] and `Exactly(0)` gets at least one. So with a small pool
    /// [`Budget::total`] can be more than `pool`.
    pub fn deal(pool: usize, parts: &[(&'static str, Part)]) -> Self {
        let fixed = |part: Part| match part {
            Part::Nothing => Some(0),
            Part::Exactly(connections) => Some(connections),
            Part::Divided(by) => Some((pool / by.max(1)).max(1)),
            Part::Remainder => None,
        };
        let remainders = parts.iter().filter(|(_, part)| *part == Part::Remainder).count();
        let left = pool.saturating_sub(parts.iter().filter_map(|(_, part)| fixed(*part)).sum());
        let mut nth = 0;
        let shares = parts.iter().map(|(name, part)| {
            let connections = fixed(*part).unwrap_or_else(|| {
                nth += 1;
                (left / remainders + usize::from(nth <= left % remainders)).max(1)
            });
            (*name, connections)
        });
        Budget { shares: shares.collect() }
    }

    /// Adds connections that are not part of the pool.
    #[must_use]
    pub fn beside(mut self, name: &'static str, connections: usize) -> Self {
        self.shares.push((name, connections));
        self
    }

    /// The connections of the part `name`.
    pub fn of(&self, name: &str) -> usize {
        self.shares.iter().filter(|(of, _)| *of == name).map(|(_, connections)| connections).sum()
    }

    /// The sum of all parts.
    pub fn total(&self) -> usize {
        self.shares.iter().map(|(_, connections)| connections).sum()
    }

    /// Checks that PostgreSQL allows the budget.
    ///
    /// # Errors
    /// [`Exceeded`] if `allowed` is less than the total.
    pub fn check(&self, allowed: usize) -> Result<(), Exceeded> {
        let wanted = self.total();
        if wanted > allowed { Err(Exceeded { wanted, allowed }) } else { Ok(()) }
    }
}

/// `23: auth 5, rest 12, storage 2, …`
impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shares = self.shares.iter().filter(|(_, connections)| *connections > 0);
        let shares: Vec<String> = shares.map(|(name, connections)| format!("{name} {connections}")).collect();
        write!(f, "{}: {}", self.total(), shares.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARTS: [(&str, Part); 5] = [
        ("auth", Part::Divided(4)),
        ("rest", Part::Remainder),
        ("storage", Part::Divided(8)),
        ("realtime", Part::Nothing),
        ("listener", Part::Exactly(1)),
    ];

    #[test]
    fn the_whole_pool_is_divided() {
        for (pool, auth, rest, storage, total) in
            [(20, 5, 12, 2, 20), (8, 2, 4, 1, 8), (100, 25, 62, 12, 100), (2, 1, 1, 1, 4), (0, 1, 1, 1, 4)]
        {
            let budget = Budget::deal(pool, &PARTS);
            let found = (budget.of("auth"), budget.of("rest"), budget.of("storage"), budget.total());
            assert_eq!(found, (auth, rest, storage, total), "{pool}");
        }
        let shared = Budget::deal(10, &[("a", Part::Remainder), ("b", Part::Exactly(3)), ("c", Part::Remainder)]);
        assert_eq!((shared.of("a"), shared.of("c")), (4, 3));
    }

    #[test]
    fn a_budget_over_the_limit_of_postgresql_is_refused() {
        let budget = Budget::deal(20, &PARTS).beside("health", 1);
        assert_eq!(budget.check(21), Ok(()));
        assert_eq!(budget.check(20), Err(Exceeded { wanted: 21, allowed: 20 }));
        assert_eq!(budget.to_string(), "21: auth 5, rest 12, storage 2, listener 1, health 1");
    }
}
