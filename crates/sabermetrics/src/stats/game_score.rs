//! Bill James's game score of a start.

use super::{Line, Pitching};

/// 50, plus 1 for each out, 2 for each inning completed after the fourth and 1 for each strikeout, minus 2 for each hit, 4
/// for each earned and 2 for each unearned run, 1 for each walk. `None` for the line of a game that the pitcher did not
/// start.
#[must_use]
pub fn game_score(line: &Line<Pitching>) -> Option<i64> {
    if line.get(Pitching::Starts) != 1 {
        return None;
    }
    let of = |counter| line.known(counter).map(i64::from);
    let [outs, earned] = [of(Pitching::Outs)?, of(Pitching::EarnedRuns)?];
    let late = (outs / 3 - 4).max(0);
    Some(
        50 + outs + 2 * late + of(Pitching::Strikeouts)?
            - 2 * of(Pitching::Hits)?
            - 4 * earned
            - 2 * (of(Pitching::Runs)? - earned)
            - of(Pitching::Walks)?,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_nine_inning_game_has_105() {
        // Kerry Wood, 6 May 1998: nine innings, a hit, no walk, 20 strikeouts.
        let mut line = Line::default();
        for (counter, amount) in
            [(Pitching::Starts, 1), (Pitching::Outs, 27), (Pitching::Hits, 1), (Pitching::Strikeouts, 20)]
        {
            line.add(counter, amount);
        }
        assert_eq!(game_score(&line), Some(105));
        line.set(Pitching::Starts, 0);
        assert_eq!(game_score(&line), None);
    }
}
