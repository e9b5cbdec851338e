//! The plays behind the numbers of a pitcher that need more than one play.

use sabermetrics::stats::{Pitching, pitching_plays};

use super::book::{Book, Played};

/// The plays behind a counter, as texts.
fn behind(game: &Played, pitcher: &str, counter: Pitching) -> Vec<String> {
    let pitcher = sabermetrics::model::PlayerId::new(pitcher);
    let records = pitching_plays(&game.game, &game.replay, &pitcher, &[counter]);
    let text = |record: usize| sabermetrics::notation::print_record(&game.game.records[record]);
    records.into_iter().map(text).filter_map(|line| Some(line.rsplit_once(',')?.1.to_owned())).collect()
}

#[test]
fn earned_and_inherited_runs_have_their_plays() {
    let plays =
        ["v1 W", "v2 E6.1-2", "sub,r1,\"r~1\",1,9,1", "v3 D7.2-H;1-3", "v4 9/SF.3-H(UR)", "v5 HR.2-H", "v6 K", "v7 K"];
    let game = Book::new(&[]).half(1, 0, &plays).played();
    assert_eq!(behind(&game, "h9", Pitching::EarnedRuns), ["D7.2-H;1-3"]);
    assert_eq!(behind(&game, "r1", Pitching::EarnedRuns), ["HR.2-H"]);
    assert_eq!(behind(&game, "r1", Pitching::Inherited), ["D7.2-H;1-3"]);
    assert_eq!(behind(&game, "r1", Pitching::InheritedScored), ["D7.2-H;1-3", "9/SF.3-H(UR)"]);
    assert_eq!(game.pitching("r1", Pitching::InheritedScored), 2);
    assert!(behind(&game, "h9", Pitching::Inherited).is_empty());
}

#[test]
fn a_quality_start_has_its_outs_and_earned_runs() {
    let mut book = Book::new(&[]).half(1, 0, &["v1 HR", "v2 K", "v3 K", "v4 K"]).three_up(1, 1, ["h1", "h2", "h3"]);
    for inning in 2..=6_u8 {
        for (side, letter, first) in [(0, "v", usize::from(inning) * 3 - 2), (1, "h", usize::from(inning) * 3 - 3)] {
            let batters = [0, 1, 2].map(|turn| format!("{letter}{}", (first + turn) % 9 + 1));
            book = book.three_up(inning, side, [&batters[0], &batters[1], &batters[2]]);
        }
    }
    let game = book.played();
    assert_eq!(game.pitching("h9", Pitching::QualityStarts), 1);
    assert_eq!(behind(&game, "h9", Pitching::QualityStarts).len(), 19);
    let short = Book::new(&[]).three_up(1, 0, ["v1", "v2", "v3"]).played();
    assert!(behind(&short, "h9", Pitching::QualityStarts).is_empty());
}
