//! How games end.

use sabermetrics::model::{End, GameRules, Side};
use sabermetrics::replay::Problem;
use sabermetrics::rules::{is_decided, winner};
use sabermetrics::stats::{Pitching, Team, team_lines};

use super::book::{Book, Played};

fn scoreless(infos: &[&str], innings: u8) -> Book {
    let mut book = Book::new(infos);
    for inning in 1..=innings {
        let first = (inning - 1) * 3 % 9 + 1;
        for (side, letter) in [(0, "v"), (1, "h")] {
            let batters = [0, 1, 2].map(|turn| format!("{letter}{}", first + turn));
            book = book.three_up(inning, side, [&batters[0], &batters[1], &batters[2]]);
        }
    }
    book
}

fn decided(game: &Played) -> bool {
    is_decided(&game.replay.state, &GameRules::of(&game.game), game.game.bats_first())
}

#[test]
fn a_walk_off_ends_the_game() {
    let won = scoreless(&[], 8).three_up(9, 0, ["v7", "v8", "v9"]).half(9, 1, &["h7 HR"]).played();
    assert!(decided(&won));
    assert_eq!(winner(&won.game, &won.replay.state), Some(Side::Home));
    let more = scoreless(&[], 8).three_up(9, 0, ["v7", "v8", "v9"]).half(9, 1, &["h7 HR", "h8 K"]).replayed();
    assert_eq!(more.problem(), Some(&Problem::GameIsOver));
}

#[test]
fn only_the_winning_run_scores_unless_the_ball_leaves_the_field() {
    let last = |plays: &[&str]| scoreless(&[], 8).three_up(9, 0, ["v7", "v8", "v9"]).half(9, 1, plays).replayed();
    let problem = |play: &str| last(&["h7 W", "h8 W.1-2", "h9 W.2-3;1-2", play]).problem().cloned();
    assert_eq!(problem("h1 D8.3-H;2-H;1-3"), Some(Problem::RunsAfterWinning(1)));
    assert_eq!(problem("h1 E8.3-H;2-H;1-H"), Some(Problem::RunsAfterWinning(2)));
    assert_eq!(problem("h1 HR8.3-H;2-H;1-H"), Some(Problem::RunsAfterWinning(3)), "inside the park");
    assert_eq!(problem("h1 HR/F8.3-H;2-H;1-H"), None, "over the fence");
    assert_eq!(problem("h1 S8.3-H;2-3;1-2"), None);
    let text = problem("h1 D8.3-H;2-H;1-3").map(|problem| format!("{problem}; {}", problem.resolution()));
    assert!(text.is_some_and(|text| text.contains("but 1 more score; remove the runs")));
    assert_eq!(last(&["h7 HR8"]).problem(), None, "the batter's own run wins");
    let eighth = scoreless(&[], 7).three_up(8, 0, ["v4", "v5", "v6"]).half(8, 1, &["h4 W", "h5 W.1-2"]);
    assert_eq!(eighth.half(8, 1, &["h6 D8.2-H;1-H"]).replayed().problem(), None, "not the last inning");
}

#[test]
fn the_game_ends_if_the_home_team_leads_after_the_top_of_the_last_inning() {
    let book =
        scoreless(&["innings,3"], 1).three_up(2, 0, ["v4", "v5", "v6"]).half(2, 1, &["h4 HR", "h5 K", "h6 K", "h7 K"]);
    let game = book.three_up(3, 0, ["v7", "v8", "v9"]).played();
    assert!(decided(&game));
}

#[test]
fn games_end_after_their_scheduled_innings() {
    for innings in 3..=9_u8 {
        let last = (innings - 1) * 3 % 9 + 1;
        let homer = format!("v{last} HR");
        let outs = [1, 2, 3].map(|turn| format!("v{} K", (last + turn - 1) % 9 + 1));
        let home = [0, 1, 2].map(|turn| format!("h{}", last + turn));
        let book = scoreless(&[&format!("innings,{innings}")], innings - 1).half(
            innings,
            0,
            &[&homer, &outs[0], &outs[1], &outs[2]],
        );
        let game = book.three_up(innings, 1, [&home[0], &home[1], &home[2]]).played();
        assert!(decided(&game), "{innings}");
        assert_eq!(winner(&game.game, &game.replay.state), Some(Side::Visitor));
    }
    assert!(!decided(&scoreless(&["innings,4"], 3).played()));
    assert!(!decided(&scoreless(&["innings,3"], 3).played()), "tied");
}

#[test]
fn a_remark_ends_a_half_inning_before_the_third_out() {
    for remark in ["com,endhalf", "com,\"endhalf\""] {
        let book = Book::new(&["innings,3"]).half(1, 0, &["v1 HR", "v2 W", "v3 K"]).line(remark);
        let book = book.three_up(1, 1, ["h1", "h2", "h3"]).three_up(2, 0, ["v4", "v5", "v6"]);
        let game = book.three_up(2, 1, ["h4", "h5", "h6"]).three_up(3, 0, ["v7", "v8", "v9"]).played();
        assert!(!decided(&game));
        assert_eq!(game.pitching("h9", Pitching::Outs), 7);
        let left: Vec<u32> =
            team_lines(&game.game, &game.replay).iter().map(|team| team.get(Team::LeftOnBase)).collect();
        assert_eq!(left, [1, 0]);
    }
    let open =
        Book::new(&[]).half(1, 0, &["v1 HR", "v2 W", "v3 K", "com,\"3_outs\""]).three_up(1, 1, ["h1", "h2", "h3"]);
    assert!(matches!(open.replayed().problem(), Some(Problem::HalfTooShort { outs: 1, .. })));
    let twice = Book::new(&[]).three_up(1, 0, ["v1", "v2", "v3"]).line("com,endhalf");
    assert_eq!(twice.replayed().problem(), Some(&Problem::HalfIsOver));
    // The last half-inning, too.
    let last = scoreless(&["innings,3"], 2).half(3, 0, &["v7 HR", "v8 K"]).line("com,endhalf").half(3, 1, &["h7 K"]);
    assert!(decided(&last.line("com,endhalf").played()));
}

#[test]
fn the_run_rule_ends_a_game_early() {
    let book = |rule| {
        let rally = ["v1 HR", "v2 HR", "v3 HR", "v4 K", "v5 K", "v6 K"];
        let book = Book::new(&[rule]).half(1, 0, &rally).three_up(1, 1, ["h1", "h2", "h3"]);
        book.three_up(2, 0, ["v7", "v8", "v9"]).three_up(2, 1, ["h4", "h5", "h6"]).played()
    };
    assert!(decided(&book("runrule,3/2")));
    assert!(!decided(&book("runrule,4/2")) && !decided(&book("runrule,3/3")));
    assert!(decided(&book("runrule,10/3;3/2")), "any of several");
}

#[test]
fn time_limits_rain_and_forfeits_end_a_game() {
    let ended = |info: &str| scoreless(&[info], 2).half(3, 0, &["v7 HR", "v8 K"]).played();
    let early = ended("ended,timelimit");
    assert_eq!((End::of(&early.game), winner(&early.game, &early.replay.state)), (End::TimeLimit, Some(Side::Visitor)));
    assert_eq!(End::of(&ended("ended,called").game), End::Called);
    let forfeit = ended("forfeit,H");
    assert_eq!(winner(&forfeit.game, &forfeit.replay.state), Some(Side::Home));
    let suspended = ended("ended,suspended");
    assert_eq!(winner(&suspended.game, &suspended.replay.state), None);
    assert_eq!(GameRules::of(&ended("timelimit,105").game).time_limit, Some(105));
}

#[test]
fn an_extra_inning_begins_with_a_runner_on_second() {
    let book = scoreless(&["innings,3", "tiebreaker,2"], 3).line("radj,v9,2").half(
        4,
        0,
        &["v1 S7.2-H", "v2 K", "v3 K", "v4 K"],
    );
    let game = book.line("radj,h9,2").half(4, 1, &["h1 D7.2-H", "h2 S7.2-H"]).played();
    assert_eq!(game.replay.state.score, [1, 2]);
    assert!(decided(&game));
}

#[test]
fn the_home_team_may_bat_first() {
    let book =
        Book::new(&["htbf,true", "innings,3"]).three_up(1, 1, ["h1", "h2", "h3"]).three_up(1, 0, ["v1", "v2", "v3"]);
    let book = book.three_up(2, 1, ["h4", "h5", "h6"]).three_up(2, 0, ["v4", "v5", "v6"]);
    let game = book.three_up(3, 1, ["h7", "h8", "h9"]).half(3, 0, &["v7 HR"]).played();
    assert!(decided(&game));
}

#[test]
fn a_forfeit_has_a_winner_but_no_winning_pitcher_unless_he_was_ahead() {
    // The home team led 1-0 and is behind.
    let game = |forfeit: &str| {
        let book = scoreless(&[forfeit], 1).three_up(2, 0, ["v4", "v5", "v6"]);
        book.half(2, 1, &["h4 HR", "h5 K", "h6 K", "h7 K"]).half(3, 0, &["v7 HR", "v8 HR", "v9 K"]).played()
    };
    let pitchers = |game: &Played| {
        let of = |pitcher, counter| game.pitching(pitcher, counter);
        [of("v9", Pitching::Wins), of("h9", Pitching::Wins), of("v9", Pitching::Losses), of("h9", Pitching::Losses)]
    };
    let behind = game("forfeit,H");
    assert_eq!(pitchers(&behind), [0; 4]);
    let [visitors, home] = team_lines(&behind.game, &behind.replay);
    assert_eq!([visitors.get(Team::Losses), home.get(Team::Wins)], [1, 1]);
    assert_eq!(pitchers(&game("forfeit,V")), [1, 0, 0, 1], "rule 9.03(e)(1)");
}

#[test]
fn a_suspended_game_goes_on_where_it_stopped() {
    let until = || scoreless(&["innings,3", "ended,suspended"], 2).half(3, 0, &["v7 W", "v8 K"]);
    let stopped = until().played();
    assert_eq!((winner(&stopped.game, &stopped.replay.state), decided(&stopped)), (None, false));
    assert_eq!(stopped.pitching("h9", Pitching::Losses), 0);
    let again = ["sub,r1,\"r~1\",1,9,1", "v9 D7.1-H", "v1 K", "v2 K"];
    let resumed = until().line("info,ended,").half(3, 0, &again).half(3, 1, &["h7 K", "h8 K", "r1 K"]).played();
    assert_eq!((winner(&resumed.game, &resumed.replay.state), decided(&resumed)), (Some(Side::Visitor), true));
    // The runner whom the pitcher of the first day left decides.
    assert_eq!([resumed.pitching("h9", Pitching::Losses), resumed.pitching("h9", Pitching::Runs)], [1, 1]);
}

#[test]
fn runners_behind_the_winning_run_stay_on_base() {
    let last = ["h7 W", "h8 W.1-2", "h9 W.2-3;1-2", "h1 S8.3-H;2-3;1-2"];
    let game = scoreless(&[], 8).three_up(9, 0, ["v7", "v8", "v9"]).half(9, 1, &last).played();
    assert_eq!((game.replay.state.score, decided(&game)), ([0, 1], true));
    let left: Vec<u32> = team_lines(&game.game, &game.replay).iter().map(|team| team.get(Team::LeftOnBase)).collect();
    assert_eq!(left, [0, 3]);
}
