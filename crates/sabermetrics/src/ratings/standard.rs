//! Standard scores and percentiles of numbers within class and position.

use std::collections::HashMap;

use smol_str::SmolStr;

/// The fewest players that a number is compared with; below, the group widens.
pub const LEAST_GROUP: usize = 20;
/// Scores beyond this are cut: typing errors must not decide a list.
const GREATEST: f64 = 3.0;

/// A number of a player.
#[derive(Clone, Debug)]
pub struct Reading {
    /// What was measured: only equal metrics are compared.
    pub metric: SmolStr,
    /// The player's group of positions.
    pub position: SmolStr,
    /// The year of graduation.
    pub class: Option<i32>,
    /// The number.
    pub value: f64,
    /// Whether less is better.
    pub lower_is_better: bool,
}

/// Among whom a number was compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// The class at the position.
    Class,
    /// All classes at the position.
    Position,
    /// Everybody with this number.
    All,
}

/// Where a number stands in its group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// Deviations above the mean, better is higher; from -3 to 3.
    pub score: f64,
    /// The middle rank of equals, from 1 to 99.
    pub percentile: u8,
    /// The size of the group.
    pub n: usize,
    /// The group: the narrowest of at least [`LEAST_GROUP`].
    pub group: Group,
}

type Key = (SmolStr, Option<SmolStr>, Option<i32>);

/// By reading; none where even the widest group is too small, or all in it are equal.
pub fn standardize(readings: &[Reading]) -> Vec<Option<Standing>> {
    let mut groups: HashMap<Key, Vec<f64>> = HashMap::new();
    for reading in readings {
        for (_, key) in keys(reading) {
            groups.entry(key).or_default().push(upward(reading));
        }
    }
    let mut spreads: HashMap<Key, (f64, f64)> = HashMap::new();
    for (key, values) in &mut groups {
        values.sort_by(f64::total_cmp);
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
        spreads.insert(key.clone(), (mean, variance.sqrt()));
    }
    readings
        .iter()
        .map(|reading| {
            let (group, key) = keys(reading)
                .into_iter()
                .find(|(_, key)| groups.get(key).is_some_and(|all| all.len() >= LEAST_GROUP))?;
            let (values, (mean, deviation)) = (groups.get(&key)?, *spreads.get(&key)?);
            let value = upward(reading);
            if deviation <= 1e-9 * mean.abs().max(1.0) {
                return None;
            }
            let below = values.partition_point(|other| *other < value);
            let equal = values.partition_point(|other| *other <= value) - below;
            let middle = 100.0 * (below as f64 + 0.5 * equal as f64) / values.len() as f64;
            Some(Standing {
                score: ((value - mean) / deviation).clamp(-GREATEST, GREATEST),
                percentile: middle.round().clamp(1.0, 99.0) as u8,
                n: values.len(),
                group,
            })
        })
        .collect()
}

fn upward(reading: &Reading) -> f64 {
    if reading.lower_is_better { -reading.value } else { reading.value }
}

/// The groups of a reading, the narrowest first.
fn keys(reading: &Reading) -> Vec<(Group, Key)> {
    let (metric, position) = (reading.metric.clone(), Some(reading.position.clone()));
    let mut keys = Vec::new();
    if reading.class.is_some() {
        keys.push((Group::Class, (metric.clone(), position.clone(), reading.class)));
    }
    keys.push((Group::Position, (metric.clone(), position, None)));
    keys.push((Group::All, (metric, None, None)));
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(position: &str, class: i32, value: f64) -> Reading {
        let metric = "sixty_yard_dash".into();
        Reading { metric, position: position.into(), class: Some(class), value, lower_is_better: true }
    }

    #[test]
    fn the_narrowest_group_of_twenty_counts_and_lower_is_better() {
        let mut readings: Vec<Reading> = (0..20).map(|n| reading("IF", 2027, 6.5 + 0.1 * f64::from(n))).collect();
        readings.extend((0..19).map(|n| reading("OF", 2027, 6.6 + 0.1 * f64::from(n))));
        let found = standardize(&readings);
        let first = found[0].unwrap();
        assert_eq!((first.group, first.n, first.percentile), (Group::Class, 20, 98));
        // 9.5 steps above the mean of twenty; the deviation of 0..19 is the square root of 35.
        assert!((first.score - 9.5 / 35_f64.sqrt()).abs() < 1e-9, "{first:?}");
        let other = found[20].unwrap();
        assert_eq!((other.group, other.n), (Group::All, 39));
        readings.push(reading("OF", 2028, 7.0));
        assert_eq!(standardize(&readings)[20].unwrap().group, Group::Position);
    }

    #[test]
    fn too_few_or_all_equal_have_no_standing() {
        let few: Vec<Reading> = (0..19).map(|n| reading("IF", 2027, f64::from(n))).collect();
        assert!(standardize(&few).iter().all(Option::is_none));
        assert!(standardize(&vec![reading("IF", 2027, 7.1); 30]).iter().all(Option::is_none));
    }

    #[test]
    fn a_typing_error_is_cut() {
        let mut readings: Vec<Reading> = (0..40).map(|n| reading("IF", 2027, 7.0 + 0.01 * f64::from(n))).collect();
        readings.push(reading("IF", 2027, 70.0));
        assert_eq!(standardize(&readings)[40].unwrap().score, -GREATEST);
    }
}
