//! Outs, errors that prevent them, and who is credited.

use sabermetrics::model::Origin;
use sabermetrics::replay::Problem;
use sabermetrics::stats::{Batting, Fielding, Pitching};

use super::book::Book;

/// Putouts, assists and errors of the home team's position after these plays.
fn credits(plays: &[&str], position: u8) -> (u32, u32, u32) {
    let game = Book::new(&[]).half(1, 0, plays).replayed();
    let player = if position == 1 { "h9".to_owned() } else { format!("h{}", position - 1) };
    let of = |counter| game.fielding(&player, position, counter);
    (of(Fielding::Putouts), of(Fielding::Assists), of(Fielding::Errors))
}

#[test]
fn the_fielder_of_the_first_out_assists_in_the_second() {
    let plays = ["v1 W", "v2 64(1)3/GDP"];
    assert_eq!((credits(&plays, 6), credits(&plays, 4), credits(&plays, 3)), ((0, 1, 0), (1, 1, 0), (1, 0, 0)));
    assert_eq!(credits(&["v1 W", "v2 3(B)6(1)/GDP"], 3), (1, 1, 0));
    assert_eq!(credits(&["v1 W", "v2 3(B)3(1)/LDP"], 3), (2, 0, 0));
    assert_eq!(credits(&["v1 W", "v2 8(B)83(1)/FDP"], 8), (1, 1, 0));
}

#[test]
fn an_assist_counts_once_per_out_and_also_before_an_error() {
    assert_eq!(credits(&["v1 W", "v2 POCS2(136343)"], 3), (1, 1, 0));
    assert_eq!(credits(&["v1 6E3"], 6), (0, 1, 0));
    assert_eq!(credits(&["v1 6E3"], 3), (0, 0, 1));
}

#[test]
fn an_error_negates_an_out_unless_a_putout_follows() {
    let game =
        Book::new(&[]).half(1, 0, &["v1 S7", "v2 S8.1X3(8E5)", "v3 S9.3XH(92)(E9);1-2", "v4 K", "v5 K"]).played();
    assert!(game.replay.outcomes[1].bases_after[2].is_some());
    assert_eq!(game.replay.outcomes[2].outs, 1);
    assert_eq!((game.fielding("h8", 9, Fielding::Assists), game.fielding("h8", 9, Fielding::Errors)), (1, 1));
}

#[test]
fn unknown_fielders_get_no_credit() {
    let game = Book::new(&[]).half(1, 0, &["v1 99", "v2 99", "v3 K"]).played();
    assert_eq!((game.fielding("h8", 9, Fielding::Putouts), game.pitching("h9", Pitching::Outs)), (0, 3));
}

#[test]
fn a_dropped_third_strike_is_a_strikeout_with_or_without_the_throw() {
    let game = Book::new(&[])
        .half(1, 0, &["v1 K23", "v2 K+WP.B-1", "v3 K+E2.1-2;B-1", "v4 K.BX1(2E3);2-3;1-2", "v5 K", "v6 K"])
        .played();
    assert_eq!(game.pitching("h9", Pitching::Strikeouts), 6);
    assert_eq!(game.pitching("h9", Pitching::Outs), 3);
    assert_eq!((game.fielding("h1", 2, Fielding::Putouts), game.fielding("h1", 2, Fielding::Assists)), (2, 2));
    assert_eq!((game.fielding("h1", 2, Fielding::Errors), game.fielding("h2", 3, Fielding::Errors)), (1, 1));
}

#[test]
fn caught_stealing_counts_even_if_an_error_saves_the_runner() {
    let game =
        Book::new(&[]).half(1, 0, &["v1 W", "v2 CS2(2E4)", "v2 POCS3(1E5).2-H(UR)", "v2 K", "v3 K", "v4 K"]).played();
    assert_eq!((game.batting("v1", Batting::CaughtStealing), game.batting("v1", Batting::Runs)), (2, 1));
    assert_eq!(game.pitching("h9", Pitching::Outs), 3);
}

#[test]
fn spellings_of_other_eras_count_like_todays() {
    let plays = ["v1 HBP", "v2 POSB2(13)", "v2 54/SAC/BG.2-3", "v3 oba.3-h(wp)", "v3 8-/F", "v4 6-3/G"];
    let game = Book::new(&[]).half(1, 0, &plays).played();
    let of = |player, counter| game.batting(player, counter);
    assert_eq!([of("v1", Batting::HitByPitch), of("v1", Batting::StolenBases), of("v1", Batting::Runs)], [1; 3]);
    assert_eq!([of("v2", Batting::SacrificeHits), of("v2", Batting::AtBats)], [1, 0]);
    // The throw to first base put nobody out.
    assert_eq!((game.fielding("h2", 3, Fielding::Putouts), game.fielding("h9", 1, Fielding::Assists)), (1, 0));
}

#[test]
fn steals_behind_a_walk_or_strikeout_count() {
    let game = Book::new(&[]).half(1, 0, &["v1 W", "v2 K+SB2", "v3 W+SB3", "v4 K+CS2(24)/DP.3-H(UR)"]).played();
    assert_eq!((game.batting("v1", Batting::StolenBases), game.batting("v3", Batting::CaughtStealing)), (2, 1));
    assert_eq!(game.pitching("h9", Pitching::Outs), 3);
}

#[test]
fn runs_batted_in_follow_the_play_unless_the_scorer_says_otherwise() {
    let bat = |play: &str, outs: &[&str]| {
        let before = ["v1 W", "v2 W.1-2", "v3 W.2-3;1-2"];
        let game = Book::new(&[]).half(1, 0, outs).half(1, 0, &before).half(1, 0, &[&format!("v4 {play}")]).replayed();
        game.batting("v4", Batting::RunsBattedIn)
    };
    assert_eq!(bat("S7.3-H;2-H;1-3", &[]), 2);
    assert_eq!(bat("S7.3-H;2-H(NR)(E7);1-3", &[]), 1);
    assert_eq!(bat("46(1)3/GDP.3-H;2-3", &[]), 0);
    assert_eq!(bat("W.3-H;2-3;1-2", &[]), 1);
    assert_eq!(bat("E6.3-H;2-3;1-2", &[]), 1);
    assert_eq!(bat("E6.3-H(NR);2-3;1-2", &[]), 0);
    assert_eq!(bat("C/E2.3-H;2-3;1-2", &[]), 1);
    assert_eq!(bat("K+WP.3-H;2-3;1-2", &[]), 0);
    assert_eq!(bat("46(1)3/GDP.3-H(RBI);2-3", &[]), 1);
    assert_eq!(bat("S7.3-H(WP);2-3;1-2", &[]), 0);
    assert_eq!(bat("8/F.3-H(PB);2-3(PB)", &[]), 0);
    assert_eq!(bat("8/F.3-H(WP)(RBI)", &[]), 1);
}

#[test]
fn contradictions_are_reported_at_the_first_play() {
    let first = |plays: &[&str]| Book::new(&[]).half(1, 0, plays).replayed().replay.contradictions.remove(0);
    assert!(matches!(first(&["v1 S7.1-3"]).problem, Problem::NobodyThere(_)));
    assert!(matches!(first(&["v1 S7", "v2 S8"]).problem, Problem::BaseTaken(_)));
    assert!(matches!(first(&["v1 D7", "v2 WP.2-1"]).problem, Problem::Backwards(_)));
    assert_eq!(first(&["v1 K", "v2 K", "v3 K", "v4 K"]).problem, Problem::HalfIsOver);
    assert_eq!(first(&["v1 W", "v2 K", "v3 K", "v4 64(1)3/GDP"]).problem, Problem::TooManyOuts(4));
    let short = Book::new(&[]).half(1, 0, &["v1 K"]).half(1, 1, &["h1 K"]).replayed();
    assert!(matches!(short.problem(), Some(Problem::HalfTooShort { outs: 1, .. })));
    let skipped = Book::new(&[]).three_up(1, 0, ["v1", "v2", "v3"]).half(2, 0, &["v4 K"]).replayed();
    assert!(matches!(skipped.problem(), Some(Problem::WrongHalf(_))));
}

#[test]
fn no_run_scores_on_a_third_out_by_force_or_before_first_base() {
    let problem = |outs: &[&str], play: &str| {
        let loaded = ["v4 W", "v5 W.1-2", "v6 W.2-3;1-2"];
        let before = ["v1 K", "v2 K", "v3 K"];
        let skipped = 3 - outs.len();
        let game = Book::new(&[]).line(&format!("ladj,0,{}", skipped + 1)).half(1, 0, &before[skipped..]);
        let game = game.half(1, 0, &loaded).half(1, 0, &[&format!("v7 {play}")]).replayed();
        game.problem().cloned()
    };
    let third = Some(Problem::RunOnThirdOut(Origin::Third));
    let two = ["out"; 2];
    for play in ["63/G.3-H", "8/F8.3-H", "54(1)/FO.3-H", "K.3-H", "K.BX1(23);3-H", "FC6.3-H;1X2(64)", "5(2)/FO.3-H;1-2"]
    {
        assert_eq!(problem(&two, play), third, "{play}");
    }
    assert_eq!(problem(&["out"], "64(1)3/GDP.3-H"), third, "the batter is the third out");
    let text = problem(&two, "63/G.3-H").map(|problem| format!("{problem}; {}", problem.resolution()));
    assert!(text.is_some_and(|text| text.contains("on third base scores") && text.contains("remove the run")));
    // Not a force: the batter is out first, or the runner ran farther than forced, or hit safely.
    for (outs, play) in [
        (1, "8/F8/DP.3-H;2X3(85)"),
        (1, "3(B)6(1)/GDP.3-H"),
        (2, "S8.3-H;2X3(85);1-2"),
        (2, "S8.3-H;2-H;BX2(84)"),
        (2, "K+WP.3-H;2-3;1-2;B-1"),
        (1, "K+CS3(25)/DP.3-H"),
        (2, "FC6.3-H;1X3(65);2-H"),
        (2, "E6.3-H;2-H;1X3(65)"),
        (0, "64(1)3/GDP.3-H"),
    ] {
        assert_eq!(problem(&["out"; 2][..outs], play), None, "{play}");
    }
}

#[test]
fn a_pick_off_with_an_error_is_a_time_caught_stealing_without_an_out() {
    let game = Book::new(&[]).half(1, 0, &["v1 S7", "v2 POCS2(1E3).1-3", "v2 K", "v3 K", "v4 K"]).played();
    assert_eq!((game.batting("v1", Batting::CaughtStealing), game.batting("v1", Batting::PickedOff)), (1, 0));
    let of = |player, position, counter| game.fielding(player, position, counter);
    assert_eq!(
        (of("h9", 1, Fielding::Assists), of("h2", 3, Fielding::Errors), of("h2", 3, Fielding::Putouts)),
        (1, 1, 0)
    );
    assert!(game.replay.outcomes[1].bases_after[2].is_some());
}

#[test]
fn after_a_dropped_foul_fly_the_turn_continues() {
    let game = Book::new(&[]).half(1, 0, &["v1 FLE5/P5F", "v1 S7", "v2 FLE2/P2F", "v2 K", "v3 K", "v4 K"]).played();
    assert_eq!((game.fielding("h4", 5, Fielding::Errors), game.fielding("h1", 2, Fielding::Errors)), (1, 1));
    assert_eq!([game.batting("v1", Batting::PlateAppearances), game.batting("v1", Batting::OnError)], [1, 0]);
    assert_eq!(game.pitching("h9", Pitching::BattersFaced), 4);
}
