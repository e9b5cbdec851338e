//! Rates without the opponents and without the luck of few tries.
//!
//! A line's rate is the mean plus an effect of the player plus one of the opponent; both effects are ridge estimates by weighted
//! least squares. The ridge is in tries: a player with as many tries as the ridge is half way between the mean and the own rate.

/// What a player did in one game against one opponent.
#[derive(Clone, Copy, Debug)]
pub struct RateLine {
    /// The player, from 0 on.
    pub player: usize,
    /// The opponent, from 0 on.
    pub opponent: usize,
    /// Tries: plate appearances, batters faced, pitches.
    pub tries: f64,
    /// The rate in these tries.
    pub rate: f64,
}

/// A player's rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdjustedRate {
    /// Against average opponents, drawn to the mean.
    pub rate: f64,
    /// As it was.
    pub raw: f64,
    /// All tries.
    pub tries: f64,
    /// What is left of the spread between players as doubt, from 1 (nothing known) to 0.
    pub doubt: f64,
}

const MOST_ROUNDS: usize = 500;
const PRECISE_ENOUGH: f64 = 1e-10;

/// By player; none without tries. Lines with a player or an opponent beyond the numbers, or without tries, are left out. Both
/// ridges are positive numbers of tries.
pub fn adjusted_rates(
    lines: &[RateLine],
    players: usize,
    opponents: usize,
    player_ridge: f64,
    opponent_ridge: f64,
) -> Vec<Option<AdjustedRate>> {
    let sound = |line: &&RateLine| line.player < players && line.opponent < opponents && line.tries > 0.0;
    let lines: Vec<RateLine> = lines.iter().filter(sound).copied().collect();
    let mut tries = vec![0.0; players];
    let mut raw = vec![0.0; players];
    let mut against = vec![0.0; opponents];
    for line in &lines {
        tries[line.player] += line.tries;
        raw[line.player] += line.tries * line.rate;
        against[line.opponent] += line.tries;
    }
    let all: f64 = tries.iter().sum();
    if all <= 0.0 {
        return vec![None; players];
    }
    let mean = raw.iter().sum::<f64>() / all;
    let (mut own, mut theirs) = (vec![0.0; players], vec![0.0; opponents]);
    for _ in 0..MOST_ROUNDS {
        let mut sums = vec![0.0; players];
        for line in &lines {
            sums[line.player] += line.tries * (line.rate - mean - theirs[line.opponent]);
        }
        let moved = settle(&mut own, &sums, &tries, player_ridge);
        let mut sums = vec![0.0; opponents];
        for line in &lines {
            sums[line.opponent] += line.tries * (line.rate - mean - own[line.player]);
        }
        if moved.max(settle(&mut theirs, &sums, &against, opponent_ridge)) < PRECISE_ENOUGH {
            break;
        }
    }
    (0..players)
        .map(|player| {
            (tries[player] > 0.0).then(|| AdjustedRate {
                rate: mean + own[player],
                raw: raw[player] / tries[player],
                tries: tries[player],
                doubt: (player_ridge / (tries[player] + player_ridge)).sqrt(),
            })
        })
        .collect()
}

/// Sets the effects to their ridge estimates; how far the one that moved most has moved.
fn settle(effects: &mut [f64], sums: &[f64], tries: &[f64], ridge: f64) -> f64 {
    let mut most = 0.0_f64;
    for ((effect, sum), tries) in effects.iter_mut().zip(sums).zip(tries) {
        let next = sum / (tries + ridge);
        most = most.max((next - *effect).abs());
        *effect = next;
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(player: usize, opponent: usize, tries: f64, rate: f64) -> RateLine {
        RateLine { player, opponent, tries, rate }
    }

    #[test]
    fn few_tries_stay_near_the_mean() {
        let lines = [line(0, 0, 10.0, 0.6), line(1, 0, 400.0, 0.4), line(2, 0, 400.0, 0.3)];
        let found = adjusted_rates(&lines, 4, 1, 100.0, 1e12);
        let [few, many] = [found[0].unwrap(), found[1].unwrap()];
        // The mean is 286/810; the first moves by 10/110 of the way.
        let mean = 286.0 / 810.0;
        assert!((few.rate - (mean + (0.6 - mean) / 11.0)).abs() < 1e-9);
        assert!(few.doubt > many.doubt && few.raw == 0.6 && found[3].is_none());
    }

    #[test]
    fn the_same_rate_counts_more_against_the_stronger() {
        // Opponent 0 lets everybody hit less than opponent 1 does; players 0 and 1 have the same rate against one each.
        let mut lines = vec![line(0, 0, 200.0, 0.35), line(1, 1, 200.0, 0.35)];
        for player in 2..12 {
            lines.push(line(player, 0, 100.0, 0.30));
            lines.push(line(player, 1, 100.0, 0.40));
        }
        let found = adjusted_rates(&lines, 12, 2, 100.0, 300.0);
        assert!(found[0].unwrap().rate > found[1].unwrap().rate + 0.01, "{:?}", &found[..2]);
        let bad = adjusted_rates(&[line(5, 0, 1.0, 1.0), line(0, 0, 0.0, 1.0)], 1, 1, 100.0, 100.0);
        assert_eq!(bad, [None]);
    }
}
