//! `dugout stats team` and `dugout stats parks`.

use std::collections::BTreeMap;
use std::path::Path;

use super::{dugout, game_logs, read, said, season, season_of_2016};

/// Adds a game like that of [`season`], with these replacements in its text.
fn another(folder: &Path, file: &str, plays: &[&str], replaced: &[(&str, &str)]) {
    let text = std::fs::read_to_string(season(plays).path().join("2026HOM.EVN")).unwrap();
    let text = replaced.iter().fold(text, |text, (from, to)| text.replace(from, to));
    std::fs::write(folder.join(file), text).unwrap();
}

#[test]
fn team_prints_the_record_the_statistics_and_the_splits_of_a_team() {
    let season =
        season(&["play,1,0,v1,32,BBBCCX,HR", "play,1,0,v2,??,,S8", "play,1,0,v3,??,,D7.1-3", "play,1,0,v4,??,,K"]);
    let swapped = [("visteam,VIS", "visteam,x"), ("hometeam,HOM", "hometeam,VIS"), ("visteam,x", "visteam,HOM")];
    another(season.path(), "2026VIS.EVN", &["play,1,0,v1,??,,HR", "play,1,0,v2,??,,K"], &swapped);
    let team = |rest: &[&str]| {
        let mut args: Vec<&std::ffi::OsStr> = vec!["team".as_ref()];
        args.extend(rest.iter().map(|arg| std::ffi::OsStr::new(*arg)));
        args.extend([std::ffi::OsStr::new("--from"), season.path().as_ref()]);
        said(&dugout(&args))
    };
    let all = team(&["VIS"]);
    assert!(all.starts_with("VIS: 2 games\n\nRecord\n  G 2  W 1  L 1  RS 1  RA 1  HG 1  W1 1  G1 2"), "{all}");
    assert!(all.contains("\nBatting\n  G 2  PA 4  AB 4  R 1  H 3"), "{all}");
    assert!(all.contains("\nPitching\n  L 1  G 2  GS 1") && all.contains("\nFielding, SS\n  G 2  GS 2"), "{all}");
    assert!(
        all.contains("Park factor: 1.000 over a season, 1.000 in the park (before it is drawn towards 1: 1.000; home games 1, road games 1)"),
        "{all}"
    );
    let runners = team(&["VIS", "--by", "runners"]);
    assert!(runners.contains("Batting, runners on\n  G 1  PA 1  AB 1  H 1  2B 1"), "{runners}");
    assert!(!runners.contains("Record"), "a game has no runners: {runners}");
    let venue = team(&["VIS", "--by", "venue"]);
    assert!(venue.contains("Record, venue home\n  G 1  L 1  RA 1  HG 1"), "{venue}");
    assert!(venue.contains("Pitching, venue home\n  G 1  IPouts 1  H 1"), "{venue}");
    assert!(team(&["NOBODY"]).contains("NOBODY plays in no game of"));
}

#[test]
fn parks_compares_the_runs_at_home_with_those_on_the_road() {
    let homers = ["play,1,0,v1,??,,HR", "play,1,0,v2,??,,HR", "play,1,0,v3,??,,HR"];
    let usual = [("info,date,", "info,site,A\r\ninfo,date,")];
    let elsewhere = [("info,date,", "info,site,B\r\ninfo,date,")];
    let folder = tempfile::tempdir().unwrap();
    another(folder.path(), "1.EVN", &homers, &usual);
    another(folder.path(), "2.EVN", &homers, &usual);
    // Not in the home team's park.
    another(folder.path(), "3.EVN", &homers[..1], &elsewhere);
    let swapped = [("visteam,VIS", "visteam,x"), ("hometeam,HOM", "hometeam,VIS"), ("visteam,x", "visteam,HOM")];
    another(folder.path(), "4.EVN", &homers[..2], &swapped);
    let out = folder.path().join("parks.csv");
    let printed = said(&dugout(&["parks".as_ref(), folder.path().as_ref(), "--out".as_ref(), out.as_ref()]));
    assert!(
        printed
            .contains("3 games in the home teams' usual parks\n  HOM 1.003 over a season, 1.006 in the park (before"),
        "{printed}"
    );
    let table =
        "team,home_games,road_games,raw,regressed,season\nHOM,2,1,1.5000,1.0061,1.0030\nVIS,1,2,0.6667,0.9959,0.9980\n";
    assert_eq!(read(folder.path(), "parks.csv"), table);
    another(folder.path(), "5.EVN", &["play,1,0,v1,??,,S7.1+2"], &[]);
    assert!(said(&dugout(&["parks".as_ref(), folder.path().as_ref()])).contains("no factor is computed"));
}

/// The value of a statistic under a heading.
fn value(text: &str, heading: &str, key: &str) -> f64 {
    let (_, group) = text.split_once(heading).unwrap_or_else(|| panic!("{heading} in {text}"));
    let row = group.lines().find_map(|line| line.trim_start().strip_prefix(key)).unwrap();
    row.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn the_park_counts_in_full_at_home_and_not_on_the_road() {
    let plays = ["play,1,0,v1,??,,HR", "play,1,0,v2,??,,HR", "play,1,0,v3,??,,HR", "play,1,1,h1,??,,HR"];
    let folder = season(&plays);
    let swapped = [("visteam,VIS", "visteam,x"), ("hometeam,HOM", "hometeam,VIS"), ("visteam,x", "visteam,HOM")];
    another(folder.path(), "2026VIS.EVN", &plays[..1], &swapped);
    let team = |rest: &[&str]| {
        let mut args: Vec<&std::ffi::OsStr> =
            vec!["team".as_ref(), "HOM".as_ref(), "--from".as_ref(), folder.path().as_ref()];
        args.extend(rest.iter().map(|arg| std::ffi::OsStr::new(*arg)));
        said(&dugout(&args))
    };
    let (season, venue) = (team(&[]), team(&["--by", "venue"]));
    // Four runs to one: 4 is drawn to 1 + 3 * 2 / 245. Every at bat was a home run.
    assert!(season.contains("Park factor: 1.012 over a season, 1.024 in the park"), "{season}");
    let road = value(&venue, "Batting, venue away", "OPS+");
    assert_eq!(value(&venue, "Batting, venue home", "OPS+"), (road / (1.0 + 6.0 / 245.0)).round());
    assert_eq!(value(&season, "\nBatting", "OPS+"), (road / (1.0 + 3.0 / 245.0)).round());
}

#[test]
fn park_factors_of_2016_follow_from_the_game_logs() {
    let Some(archive) = season_of_2016() else { return };
    let out = tempfile::tempdir().unwrap();
    let csv = out.path().join("parks.csv");
    let printed = said(&dugout(&["parks".as_ref(), archive.as_ref(), "--out".as_ref(), csv.as_ref()]));
    assert!(printed.contains("2427 games in the home teams' usual parks"), "{printed}");
    let mut sums: BTreeMap<&str, [f64; 4]> = BTreeMap::new();
    let logs = game_logs(&archive);
    // One game was played at Fort Bragg.
    for row in logs.iter().filter(|row| row["season"] == "2016" && !(row["date"] == "20160703" && row["home"] == "ATL"))
    {
        let runs: f64 = row["away_runs"].parse::<f64>().unwrap() + row["home_runs"].parse::<f64>().unwrap();
        for (team, at) in [("home", 0), ("away", 2)] {
            let sum = sums.entry(row[team].as_str()).or_default();
            sum[at] += 1.0;
            sum[at + 1] += runs;
        }
    }
    let table = read(out.path(), "parks.csv");
    let raw = |[home, home_runs, road, road_runs]: [f64; 4]| home_runs / home / (road_runs / road);
    let expected: Vec<String> =
        sums.iter().map(|(team, sum)| format!("{team},{},{},{:.4},", sum[0], sum[2], raw(*sum))).collect();
    assert_eq!(expected.len(), 30);
    for (row, start) in table.lines().skip(1).zip(&expected) {
        assert!(row.starts_with(start), "{row}, expected {start}");
    }
}
