//! Splits, the record of teams, and who counts a game.

use sabermetrics::model::{PlayerId, TeamId};
use sabermetrics::stats::{Batting, Fielding, Hand, Hands, Pitching, SplitBy, Splits, Team, team_lines};

use super::book::{Book, Played};

fn split(played: &Played, hands: &Hands) -> Splits {
    let mut splits = Splits::default();
    splits.add(&played.game, &played.replay, hands);
    splits
}

fn batting(splits: &Splits, player: &str, by: SplitBy, value: &str, counter: Batting) -> Option<u32> {
    let line = splits.batting.get(&(PlayerId::new(player), (by, value.into())))?;
    line.known(counter)
}

fn pitching(splits: &Splits, player: &str, by: SplitBy, value: &str, counter: Pitching) -> Option<u32> {
    splits.pitching.get(&(PlayerId::new(player), (by, value.into())))?.known(counter)
}

#[test]
fn plays_are_divided_by_their_situation() {
    let game = Book::new(&["innings,3"])
        .half(1, 0, &["v1 31 BBBCX S7", "v2 02 CCX D8.1-3", "v3 HR.3-H;2-H"])
        .half(1, 0, &["v4 K", "v5 K", "v6 K"])
        .three_up(1, 1, ["h1", "h2", "h3"])
        .half(2, 0, &["v7 S7", "v8 K", "v9 K", "v1 K"])
        .played();
    let splits = split(&game, &Hands::default());
    assert_eq!(batting(&splits, "v1", SplitBy::Runners, "empty", Batting::Hits), Some(1));
    assert_eq!(batting(&splits, "v2", SplitBy::Runners, "on", Batting::Doubles), Some(1));
    assert_eq!(batting(&splits, "v3", SplitBy::Runners, "scoring", Batting::RunsBattedIn), Some(3));
    assert_eq!(batting(&splits, "v1", SplitBy::Count, "3-1", Batting::AtBats), Some(1));
    assert_eq!(batting(&splits, "v1", SplitBy::Count, "3-1", Batting::Strikeouts), Some(0));
    assert_eq!(batting(&splits, "v1", SplitBy::Outs, "2", Batting::Strikeouts), Some(1));
    assert_eq!(batting(&splits, "v1", SplitBy::Inning, "2", Batting::PlateAppearances), Some(1));
    assert_eq!(batting(&splits, "v1", SplitBy::Venue, "away", Batting::PlateAppearances), Some(2));
    assert_eq!(batting(&splits, "v1", SplitBy::Opponent, "HOM", Batting::Games), Some(1));
    assert_eq!(batting(&splits, "v1", SplitBy::Month, "04", Batting::Hits), Some(1));
    assert_eq!(batting(&splits, "v1", SplitBy::Hand, "R", Batting::Hits), None, "nobody knows the hand");
    assert_eq!(pitching(&splits, "h9", SplitBy::Runners, "scoring", Pitching::EarnedRuns), Some(3));
    assert_eq!(pitching(&splits, "h9", SplitBy::Runners, "empty", Pitching::EarnedRuns), Some(0));
    // Each way of dividing covers all plays.
    for by in [SplitBy::Venue, SplitBy::Runners, SplitBy::Outs, SplitBy::Inning, SplitBy::Opponent, SplitBy::Month] {
        let lines = splits.pitching.iter().filter(|((player, (kind, _)), _)| player.as_str() == "h9" && *kind == by);
        let total: u32 = lines.map(|(_, line)| line.get(Pitching::BattersFaced)).sum();
        assert_eq!(total, game.pitching("h9", Pitching::BattersFaced), "{}", by.name());
    }
}

#[test]
fn a_switch_hitter_takes_the_other_side_and_a_game_corrects_the_roster() {
    let mut hands = Hands::default();
    hands.add_roster("h9,Nine,Hank,R,L,HOM,P\r\nv1,One,Vic,B,R,VIS,C\r\nv2,Two,Vic,L,R,VIS,1B\r\n");
    hands.add(PlayerId::new("v3"), Some(Hand::Right), None);
    let game = Book::new(&[])
        .half(1, 0, &["v1 S7", "v2 D8.1-3"])
        .line("badj,v3,L")
        .half(1, 0, &["v3 HR.3-H;2-H"])
        .line("padj,h9,R,x")
        .half(1, 0, &["v4 K", "v5 K", "v6 K"])
        .played();
    let splits = split(&game, &hands);
    assert_eq!(batting(&splits, "v1", SplitBy::Hand, "L", Batting::Hits), Some(1));
    assert_eq!(pitching(&splits, "h9", SplitBy::Hand, "R", Pitching::Hits), Some(1), "the switch hitter bats right");
    assert_eq!(pitching(&splits, "h9", SplitBy::Hand, "L", Pitching::HomeRuns), Some(1), "corrected by the game");
    assert_eq!(pitching(&splits, "h9", SplitBy::Hand, "L", Pitching::EarnedRuns), Some(3));
    assert_eq!(batting(&splits, "v4", SplitBy::Hand, "R", Batting::Strikeouts), Some(1));
}

#[test]
fn earned_runs_that_the_file_contradicts_are_unknown_in_splits() {
    let plays = ["v1 HR", "v2 K", "v3 K", "v4 K"];
    let game = Book::new(&[]).half(1, 0, &plays).line("data,er,h9,0").played();
    assert_eq!(pitching(&split(&game, &Hands::default()), "h9", SplitBy::Outs, "0", Pitching::EarnedRuns), None);
    assert_eq!(game.pitching("h9", Pitching::EarnedRuns), 0, "without remarks the file's number counts");
    let game = Book::new(&[]).half(1, 0, &["v1 HR.B-H(UR)", "v2 K", "v3 K", "v4 K"]).line("data,er,h9,1").played();
    assert_eq!(game.pitching("h9", Pitching::EarnedRuns), 0, "the remark can be opened");
}

#[test]
fn a_game_counts_from_the_first_pitch() {
    let game = Book::new(&[])
        .half(1, 0, &["v1 10 B NP"])
        .line("sub,r1,\"r 1\",1,9,1")
        .half(1, 0, &["v1 10 B.X 63", "v2 K", "v3 K"])
        .line("sub,c1,\"c 1\",0,9,1")
        .line("sub,c2,\"c 2\",0,9,1")
        .three_up(1, 1, ["h1", "h2", "h3"])
        .played();
    let pitched = |player| (game.pitching(player, Pitching::Games), game.pitching(player, Pitching::Starts));
    assert_eq!(pitched("h9"), (1, 1), "he threw one pitch");
    assert_eq!(pitched("r1"), (1, 0));
    assert_eq!(pitched("c2"), (1, 1), "the announced starters threw none");
    assert_eq!((game.fielding("v9", 1, Fielding::Games), game.fielding("v9", 1, Fielding::Starts)), (0, 1));
    assert_eq!(game.fielding("c1", 1, Fielding::Games), 0);
    assert_eq!(game.fielding("h8", 9, Fielding::Games), 1);
}

#[test]
fn a_triple_play_is_no_double_play() {
    let game = Book::new(&[]).half(1, 0, &["v1 W", "v2 W.1-2", "v3 5(2)4(1)3/GTP"]).played();
    assert_eq!(game.fielding("h4", 5, Fielding::DoublePlays), 0);
    let game = Book::new(&[]).half(1, 0, &["v1 W", "v2 54(1)3/GDP", "v3 K"]).played();
    assert_eq!(game.fielding("h4", 5, Fielding::DoublePlays), 1);
}

#[test]
fn the_splits_of_a_team_are_those_of_its_players() {
    let game = Book::new(&["innings,3"])
        .half(1, 0, &["v1 HR", "v2 S7", "v3 D8.1-3", "v4 K", "v5 K", "v6 K"])
        .three_up(1, 1, ["h1", "h2", "h3"])
        .three_up(2, 0, ["v7", "v8", "v9"])
        .line("sub,r1,\"r 1\",0,9,1")
        .three_up(2, 1, ["h4", "h5", "h6"])
        .three_up(3, 0, ["v1", "v2", "v3"])
        .three_up(3, 1, ["h7", "h8", "h9"])
        .played();
    let mut splits = split(&game, &Hands::default());
    splits.add(&game.game, &game.replay, &Hands::default());
    let of = |team: &str, by, value: &str| splits.teams[&(TeamId::new(team), (by, value.into()))].clone();
    let on_base = of("VIS", SplitBy::Runners, "on");
    // A single, then a double with a runner on first; twice, as the game is counted twice.
    assert_eq!((on_base.batting.get(Batting::Doubles), on_base.batting.get(Batting::PlateAppearances)), (2, 2));
    assert_eq!((on_base.batting.get(Batting::Games), on_base.record.get(Team::Games)), (2, 0));
    let away = of("VIS", SplitBy::Venue, "away");
    assert_eq!((away.batting.get(Batting::Hits), away.batting.get(Batting::Games)), (6, 2));
    assert_eq!((away.pitching.get(Pitching::Outs), away.pitching.get(Pitching::Games)), (18, 2), "of two pitchers");
    assert_eq!((away.record.get(Team::Wins), away.record.get(Team::Runs)), (2, 2));
    let home = of("HOM", SplitBy::Opponent, "VIS");
    assert_eq!((home.record.get(Team::Losses), home.pitching.get(Pitching::HomeRuns)), (2, 2));
    let first = of("HOM", SplitBy::Inning, "1");
    assert_eq!(
        (first.batting.get(Batting::PlateAppearances), first.batting.get(Batting::Hits)),
        (6, 0),
        "only its own"
    );
    assert_eq!(of("VIS", SplitBy::Inning, "1").pitching.get(Pitching::BattersFaced), 6);
}

#[test]
fn teams_have_wins_runs_and_runners_left_on_base() {
    let game = Book::new(&["innings,3"])
        .half(1, 0, &["v1 HR", "v2 S7", "v3 K", "v4 K", "v5 K"])
        .three_up(1, 1, ["h1", "h2", "h3"])
        .three_up(2, 0, ["v6", "v7", "v8"])
        .three_up(2, 1, ["h4", "h5", "h6"])
        .three_up(3, 0, ["v9", "v1", "v2"])
        .three_up(3, 1, ["h7", "h8", "h9"])
        .played();
    let [visitors, home] = team_lines(&game.game, &game.replay);
    assert_eq!((visitors.get(Team::Wins), visitors.get(Team::LeftOnBase), visitors.get(Team::OneRunWins)), (1, 1, 1));
    assert_eq!((home.get(Team::Losses), home.get(Team::RunsAllowed), home.get(Team::HomeGames)), (1, 1, 1));
}
