//! `dugout stats`: tables from event files.

mod teams;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use sabermetrics::expectancy::{RunMatrix, Tally};
use sabermetrics::notation::parse_file;
use sabermetrics::replay::replay;
use sabermetrics::stats::{Decisions, EarnedRuns, game_lines};

use crate::architecture::root;
use crate::kit::skip;

/// The head of a game's event file; [`season`] adds the starters and the plays.
const GAME: &str = "id,HOM202604010\r\nversion,2\r\ninfo,visteam,VIS\r\ninfo,hometeam,HOM\r\ninfo,date,2026/04/01\r\n";

fn dugout(args: &[&std::ffi::OsStr]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dugout")).arg("stats").args(args).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.as_slice(), &output.stderr].concat()).into_owned()
}

/// A folder with one event file.
fn season(plays: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut text = GAME.to_owned();
    for (side, letter) in ["v", "h"].iter().enumerate() {
        for order in 1..=9 {
            let position = if order == 9 { 1 } else { order + 1 };
            text.push_str(&format!("start,{letter}{order},\"{letter} {order}\",{side},{order},{position}\r\n"));
        }
    }
    for play in plays {
        text.push_str(&format!("{play}\r\n"));
    }
    std::fs::write(folder.path().join("2026HOM.EVN"), text).unwrap();
    folder
}

fn read(folder: &Path, table: &str) -> String {
    std::fs::read_to_string(folder.join(table)).unwrap()
}

#[test]
fn replay_writes_the_tables_with_lahmans_columns() {
    let season = season(&["play,1,0,v1,00,X,HR", "play,1,0,v2,??,,K", "play,1,0,v3,??,,63", "play,1,0,v4,??,,8"]);
    let out = season.path().join("out");
    let done = dugout(&["replay".as_ref(), season.path().as_ref(), "--out".as_ref(), out.as_ref()]);
    assert!(done.status.success(), "{}", said(&done));
    let games = "game_id,date,visitor,home,visitor_runs,home_runs,innings\nHOM202604010,2026-04-01,VIS,HOM,1,0,1\n";
    assert_eq!(read(&out, "games.csv"), games);
    let batting = read(&out, "batting.csv");
    let header = "player_id,season,G,PA,AB,R,H,2B,3B,HR,RBI,SB,CS,BB,SO,IBB,HBP,SH,SF,GIDP\n";
    assert!(
        batting.starts_with(header) && batting.contains("\nv1,2026,1,1,1,1,1,0,0,1,1,0,0,0,0,0,0,0,0,0\n"),
        "{batting}"
    );
    assert!(
        read(&out, "pitching.csv").contains("\nh9,2026,0,1,1,1,1,0,0,3,1,1,1,0,1,0,0,0,0,4,1\n"),
        "{}",
        read(&out, "pitching.csv")
    );
    assert!(read(&out, "fielding.csv").contains("\nh7,2026,OF,1,0,0,0\n"), "{}", read(&out, "fielding.csv"));
}

#[test]
fn a_bad_line_is_named_and_causes_a_failure() {
    let season = season(&["play,1,0,v1,00,X,S7.1+2"]);
    let out = season.path().join("out");
    let done = dugout(&["replay".as_ref(), season.path().as_ref(), "--out".as_ref(), out.as_ref()]);
    assert!(!done.status.success() && said(&done).contains("line 24, at character 22"), "{}", said(&done));
}

#[test]
fn files_of_deduced_plays_are_named_and_skipped() {
    let season = season(&["play,1,0,v1,??,,HR"]);
    for name in ["1911HOM.EDA", "1911HOM.EBN"] {
        std::fs::copy(season.path().join("2026HOM.EVN"), season.path().join(name)).unwrap();
    }
    let out = season.path().join("out");
    let done = dugout(&["replay".as_ref(), season.path().as_ref(), "--out".as_ref(), out.as_ref()]);
    let said = said(&done);
    assert!(done.status.success() && said.contains("1 games, 1 plays"), "{said}");
    for name in ["1911HOM.EDA is skipped", "1911HOM.EBN is skipped"] {
        assert!(said.contains(name), "{said}");
    }
}

#[test]
fn export_returns_the_same_bytes_and_box_prints_the_line_score() {
    let season = season(&["play,1,0,v1,01,CX,D7/L7#", "play,1,0,v2,??,,HR.2-H"]);
    let text = std::fs::read(season.path().join("2026HOM.EVN")).unwrap();
    let export =
        |format: &str| dugout(&["export".as_ref(), season.path().as_ref(), "--format".as_ref(), format.as_ref()]);
    assert_eq!(export("retrosheet").stdout, text);
    assert!(said(&export("csv")).contains(",v2,h9,??,,HR.2-H,2,0"), "{}", said(&export("csv")));
    let json: serde_json::Value = serde_json::from_slice(&export("json").stdout).unwrap();
    assert_eq!(json["plays"][1]["second"], "v1");
    let printed = dugout(&["box".as_ref(), "HOM202604010".as_ref(), "--from".as_ref(), season.path().as_ref()]);
    assert!(said(&printed).contains("VIS   2  |  2   2  0"), "{}", said(&printed));
}

/// The 2016 season in Retrosheet's files, if it is there.
fn season_of_2016() -> Option<PathBuf> {
    let archive = root().join("../shared/data/retrosheet/2016eve.zip");
    if archive.exists() {
        return Some(archive);
    }
    skip("../shared is absent");
    None
}

/// Sums of Lahman's rows of 2016 by Retrosheet's id of the player (and `POS`).
fn lahman(table: &str, columns: &[(&str, &str)], by_position: bool) -> BTreeMap<String, BTreeMap<String, i64>> {
    let rows = |name: &str| {
        let path = root().join(format!("../shared/data/lahman/{name}.csv.gz"));
        let unpacked = Command::new("gzip").arg("-dc").arg(path).output().unwrap();
        assert!(unpacked.status.success(), "{name}");
        let mut reader = csv::Reader::from_reader(unpacked.stdout.as_slice());
        reader.deserialize().map(Result::unwrap).collect::<Vec<BTreeMap<String, String>>>()
    };
    let people: BTreeMap<String, String> =
        rows("People").into_iter().map(|row| (row["playerID"].clone(), row["retroID"].clone())).collect();
    let mut sums: BTreeMap<String, BTreeMap<String, i64>> = BTreeMap::new();
    for row in rows(table).iter().filter(|row| row["yearID"] == "2016") {
        let mut key = people[&row["playerID"]].clone();
        if by_position {
            key = format!("{key} {}", row["POS"]);
        }
        let sum = sums.entry(key).or_default();
        for (theirs, ours) in columns {
            *sum.entry((*ours).to_owned()).or_default() += row[*theirs].parse::<i64>().unwrap_or(0);
        }
    }
    sums
}

/// The cells of our table that differ from Lahman's, as `player column: theirs, ours`.
fn differing(folder: &Path, table: &str, theirs: &BTreeMap<String, BTreeMap<String, i64>>) -> Vec<String> {
    let text = read(folder, &format!("{table}.csv"));
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let mut ours: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for row in reader.deserialize::<BTreeMap<String, String>>().map(Result::unwrap) {
        let position = row.get("POS").map(|position| format!(" {position}")).unwrap_or_default();
        ours.insert(format!("{}{position}", row["player_id"]), row);
    }
    let mut wrong = Vec::new();
    let keys: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
    for key in keys.into_iter().filter(|key| !key.ends_with(" OF")) {
        for (column, value) in theirs.get(key).unwrap_or_else(|| panic!("{key} is not in Lahman's table")) {
            let own = &ours.get(key).unwrap_or_else(|| panic!("{key} is not in our table"))[column];
            if *own != value.to_string() {
                wrong.push(format!("{key} {column}: {value}, {own}"));
            }
        }
    }
    wrong
}

#[test]
fn the_season_of_2016_matches_the_record() {
    let Some(archive) = season_of_2016() else { return };
    let out = tempfile::tempdir().unwrap();
    let done =
        dugout(&["replay".as_ref(), archive.as_ref(), "--out".as_ref(), out.path().as_ref(), "--compare".as_ref()]);
    let said = said(&done);
    assert!(done.status.success(), "{said}");
    assert!(said.contains("2428 games, 190715 plays"), "{said}");
    assert!(!said.contains("Read as well as it can be"), "{said}");
    // W: 2,417 of 2,428 games agree, SV: 2,427; L and, of 20,163 pitchers' games, all earned runs but one.
    assert!(said.contains("  ER: 1\n") && said.contains("  SV: 1\n") && said.contains("  W: 11\n"), "{said}");
    assert!(!said.contains("  L: "), "{said}");

    let same = |names: &'static str| names.split(' ').map(|name| (name, name)).collect::<Vec<_>>();
    let batting = same("G AB R H 2B 3B HR RBI SB CS BB SO IBB HBP SH SF GIDP");
    assert_eq!(differing(out.path(), "batting", &lahman("Batting", &batting, false)), [""; 0]);
    let mut pitching = same("W L G GS CG SHO SV H ER HR BB SO IBB WP HBP BK BFP R");
    pitching.push(("IPOuts", "IPouts"));
    assert_eq!(differing(out.path(), "pitching", &lahman("Pitching", &pitching, false)), [""; 0]);
    let fielding = same("PO A E DP");
    // Retrosheet's plays have one assist more than Lahman's table.
    assert_eq!(differing(out.path(), "fielding", &lahman("Fielding", &fielding, true)), ["belta001 3B A: 301, 302"]);
}

/// The rows of the game logs beside the archive.
fn game_logs(archive: &Path) -> Vec<BTreeMap<String, String>> {
    let unpacked =
        Command::new("gzip").arg("-dc").arg(archive.with_file_name("games_2015_2016.csv.gz")).output().unwrap();
    let mut reader = csv::Reader::from_reader(unpacked.stdout.as_slice());
    reader.deserialize().map(Result::unwrap).collect()
}

#[test]
fn final_scores_of_2016_match_the_game_logs() {
    let Some(archive) = season_of_2016() else { return };
    let out = tempfile::tempdir().unwrap();
    let done = dugout(&["replay".as_ref(), archive.as_ref(), "--out".as_ref(), out.path().as_ref()]);
    assert!(done.status.success(), "{}", said(&done));
    let rows = game_logs(&archive).into_iter();
    let official: BTreeMap<String, [String; 2]> = rows
        .filter(|row| row["season"] == "2016")
        .map(|row| {
            let id = format!("{}{}{}", row["home"], row["date"].replace('-', ""), row["gameno"]);
            (id, [row["away_runs"].clone(), row["home_runs"].clone()])
        })
        .collect();
    let text = read(out.path(), "games.csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows = reader.deserialize::<BTreeMap<String, String>>().map(Result::unwrap);
    let computed: BTreeMap<String, [String; 2]> =
        rows.map(|row| (row["game_id"].clone(), [row["visitor_runs"].clone(), row["home_runs"].clone()])).collect();
    assert_eq!(computed.len(), 2428);
    assert_eq!(computed, official);
}

/// The run expectancy of 2015 and 2016, outs 0 to 2, and the weights of 2016 by it, from an independent replay.
#[test]
fn linear_weights_match_an_independent_replay() {
    let Some(archive) = season_of_2016() else { return };
    let published = [
        ("---", [0.497, 0.265, 0.104]),
        ("1--", [0.874, 0.519, 0.229]),
        ("-2-", [1.143, 0.682, 0.310]),
        ("12-", [1.473, 0.917, 0.426]),
        ("--3", [1.394, 0.967, 0.378]),
        ("1-3", [1.750, 1.171, 0.474]),
        ("-23", [2.004, 1.372, 0.570]),
        ("123", [2.241, 1.583, 0.755]),
    ];
    let matrix = RunMatrix::new(|situation| {
        let row = published.iter().find(|(bases, _)| *bases == situation.bases());
        row.map(|(_, runs)| runs[usize::from(situation.outs)])
    });
    let mut tally = Tally::default();
    let mut zip = zip::ZipArchive::new(std::fs::File::open(archive).unwrap()).unwrap();
    for index in 0..zip.len() {
        let mut file = zip.by_index(index).unwrap();
        if !file.name().contains(".EV") {
            continue;
        }
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        for game in parse_file(&text).into_iter().map(Result::unwrap) {
            let replayed = replay(&game);
            tally.add(&game, &replayed.outcomes);
            let lines = game_lines(&game, &replayed, EarnedRuns::Official, Decisions::Official);
            lines.sides.iter().flat_map(|side| side.values()).for_each(|player| tally.add_batting(&player.batting));
        }
    }
    let weights = tally.linear_weights(&matrix).unwrap();
    for (computed, expected) in [
        (weights.walk, 0.711),
        (weights.hit_by_pitch, 0.740),
        (weights.single, 0.882),
        (weights.double, 1.254),
        (weights.triple, 1.613),
        (weights.home_run, 2.030),
        (weights.scale, 1.237),
    ] {
        assert!((computed - expected).abs() <= 0.002, "{computed:.4}, expected {expected}");
    }
}

#[test]
fn show_prints_values_with_their_formula_splits_and_plays() {
    let season = season(&[
        "play,1,0,v1,32,BBBCCX,HR",
        "play,1,0,v2,12,CCBS,K",
        "play,1,0,v3,??,,S8",
        "play,1,0,v4,??,,HR.1-H",
        "play,1,0,v5,??,,W",
    ]);
    std::fs::write(season.path().join("HOM2026.ROS"), "h9,Nine,Hank,R,L,HOM,P\r\nv1,One,Vic,L,R,VIS,C\r\n").unwrap();
    let show = |rest: &[&str]| {
        let mut args: Vec<&std::ffi::OsStr> = vec!["show".as_ref()];
        args.extend(rest.iter().map(|arg| std::ffi::OsStr::new(*arg)));
        args.extend([std::ffi::OsStr::new("--from"), season.path().as_ref()]);
        said(&dugout(&args))
    };
    let batter = show(&["v1"]);
    assert!(batter.contains("SLG          4.000  Slugging percentage = TB / AB (1 AB)"), "{batter}");
    assert!(batter.contains("P/PA          6.00") && batter.contains("RE24           1.0"), "{batter}");
    assert!(!batter.contains("SB% "), "unknown values are left out: {batter}");
    assert!(
        show(&["v1", "--by", "hand"]).contains("Batting, hand L\n  G 1  PA 1  AB 1"),
        "{}",
        show(&["v1", "--by", "hand"])
    );
    assert!(show(&["h9", "--by", "runners"]).contains("Pitching, runners on\n"));
    let plays = show(&["h9", "--plays", "HR"]);
    assert_eq!(plays.lines().count(), 2, "{plays}");
    assert!(plays.contains("HOM202604010  play,1,0,v4,??,,HR.1-H"), "{plays}");
    assert!(show(&["v1", "--plays", "nothing"]).contains("there is no statistic nothing"));
    assert!(show(&["nobody"]).contains("nobody appears in no game"));
}

#[test]
fn expectancy_writes_the_table_and_the_constants() {
    let season = season(&["play,1,0,v1,??,,HR", "play,1,0,v2,??,,K", "play,1,0,v3,??,,K", "play,1,0,v4,??,,K"]);
    let [table, constants] = ["table.csv", "constants.csv"].map(|name| season.path().join(name));
    let mut args: Vec<&std::ffi::OsStr> = vec!["expectancy".as_ref(), season.path().as_ref(), "--out".as_ref()];
    args.push(table.as_ref());
    assert!(said(&dugout(&args)).contains("1 games counted"));
    let text = read(season.path(), "table.csv");
    assert!(text.starts_with("# Computed from 1 games of 2026."), "{text}");
    assert!(text.contains("\n---,0,0,1 1 0") && text.contains("\n---,0,---,0,1,1\n"), "{text}");
    args.extend([std::ffi::OsStr::new("--constants"), constants.as_ref()]);
    let said = said(&dugout(&args));
    assert!(said.contains("too few for constants") && !constants.exists(), "{said}");
}
