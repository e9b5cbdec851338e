//! `dugout stats import`: archives in the app's tables.

use std::path::Path;
use std::process::Command;

use crate::kit::Database;

/// Season lines of two players: one with two stints, both of times when much was not counted.
const BATTING: &str = "playerID,yearID,stint,teamID,lgID,G,AB,R,H,2B,3B,HR,RBI,SB,CS,BB,SO,IBB,HBP,SH,SF,GIDP\n\
     ruthba01,1920,1,NYA,AL,142,458,158,172,36,9,54,135,14,14,150,80,,3,5,,\n\
     ansonca01,1880,1,CHN,NL,86,356,54,120,24,1,1,74,,,14,12,,,,,\n\
     ansonca01,1880,2,NYA,AL,1,4,0,1,0,0,0,0,0,0,1,0,0,0,0,0,0\n\
     nobody99,18x0,1,NYA,AL,1,4,0,1,0,0,0,0,0,0,1,0,0,0,0,0,0\n\
     ruthba01,1920,1,NYA,AL,1,1,1,1,0,0,0,0,0,0,0,0,0,0,0,0,0\n";
const FIELDING: &str = "playerID,yearID,stint,teamID,lgID,POS,G,GS,InnOuts,PO,A,E,DP,PB,WP,SB,CS\n\
     ruthba01,1920,1,NYA,AL,OF,141,,,259,21,19,3,,,,\n\
     ruthba01,1920,1,NYA,AL,DH,1,,,0,0,0,0,,,,\n";
const PEOPLE: &str = "playerID,nameFirst,nameLast,bats,throws\n\
     ruthba01,Babe,Ruth,L,L\n\
     ansonca01,Cap,Anson,B,R\n";
const TEAMS: &str = "yearID,lgID,teamID,name\n1912,AL,NYA,New York Highlanders\n1920,AL,NYA,New York Yankees\n";

fn lahman() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("Batting", BATTING), ("Fielding", FIELDING), ("People", PEOPLE), ("Teams", TEAMS)] {
        std::fs::write(folder.path().join(format!("{name}.csv")), text).unwrap();
    }
    folder
}

/// Runs the import. Returns whether it succeeded, and its output.
fn import(database: &Database, kind: &str, folder: &Path, more: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dugout"));
    command.args(["stats", "import", kind]).arg(folder).args(["--league", "Big league", "--db-url"]);
    let output = command.arg(database.target().url()).args(more).current_dir(folder).output().unwrap();
    (output.status.success(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

async fn one(database: &Database, sql: &str) -> String {
    database.connect().await.query_one(sql, &[]).await.unwrap().get(0)
}

/// All season lines as text, with the player's name.
async fn batting(database: &Database) -> String {
    let sql = "select coalesce(string_agg(concat_ws(' ', i.full_name, i.bats, s.year, t.name, b.stint, b.ab, b.h, b.hr, b.pa, \
         b.unknown), e'\\n' order by i.full_name, b.stint), '') \
         from public.player_season_batting as b join public.athlete_identities as i using (athlete_id) \
         join public.seasons as s on s.id = b.season_id left join public.teams as t on t.id = b.team_id";
    one(database, sql).await
}

#[tokio::test]
async fn lahmans_tables_become_season_lines() {
    let (database, folder) = (Database::cloned().await, lahman());
    let (done, said) = import(&database, "lahman", folder.path(), &[]);
    assert!(done, "{said}");
    assert!(said.contains("Big league: 2 seasons, 2 teams, 2 players.\n3 batting lines: 3 new"), "{said}");
    for reason in [
        "without a season from 1850 to 2100: Batting.csv line 5",
        "the same player, season, team, stint and position again: Batting.csv line 6",
        "as the position is none in the field (DH): Fielding.csv line 3",
    ] {
        assert!(said.contains(reason), "{said}");
    }
    // Plate appearances follow from their parts, unless one is unknown; an unknown count is not 0.
    assert_eq!(
        batting(&database).await,
        "Babe Ruth L 1920 New York Yankees 1 458 172 54 0 {pa,ibb,sf,gidp}\n\
         Cap Anson S 1880 CHN 1 356 120 1 0 {pa,sb,cs,ibb,hbp,sh,sf,gidp}\n\
         Cap Anson S 1880 New York Yankees 2 4 1 0 5 {}"
    );
    let fielding = "select concat_ws(' ', position, po, a, outs, unknown) from public.player_season_fielding";
    assert_eq!(one(&database, fielding).await, "10 259 21 0 {gs,outs,pb,wp,sb,cs}");
}

#[tokio::test]
async fn an_import_is_repeated_without_harm_and_updates_what_changed() {
    let (database, folder) = (Database::cloned().await, lahman());
    assert!(import(&database, "lahman", folder.path(), &["--seasons", "1920"]).0);
    assert!(!batting(&database).await.contains("Anson"), "{}", batting(&database).await);
    let (_, said) = import(&database, "lahman", folder.path(), &[]);
    assert!(said.contains("3 batting lines: 2 new, 0 changed, 1 as they were."), "{said}");
    std::fs::write(folder.path().join("Batting.csv"), BATTING.replace(",172,", ",173,")).unwrap();
    let (_, said) = import(&database, "lahman", folder.path(), &[]);
    assert!(said.contains("3 batting lines: 0 new, 1 changed, 2 as they were."), "{said}");
    assert!(batting(&database).await.contains(" 458 173 54 "), "{}", batting(&database).await);
    assert_eq!(one(&database, "select count(*)::text from public.athletes where league_id is not null").await, "2");
    assert_eq!(one(&database, "select count(*)::text from public.teams as t join public.leagues as l on l.id = t.league_id where l.name = 'Big league'").await, "2");
}

#[tokio::test]
async fn names_of_other_tables_are_not_public() {
    let database = Database::cloned().await;
    let folder = tempfile::tempdir().unwrap();
    let lines = "player_id,season,G,PA,AB,H\nkid1,2026,3,10,9,4\nkid2,2026,1,x,1,1\n";
    std::fs::write(folder.path().join("batting.csv"), lines).unwrap();
    std::fs::write(folder.path().join("players.csv"), "player_id,name,bats,throws\nkid1,Ana Little,R,R\n").unwrap();
    let (done, said) = import(&database, "csv", folder.path(), &["--level", "12U"]);
    assert!(done && said.contains("with a count that is no number: batting.csv line 3"), "{said}");
    let client = database.connect().await;
    client.batch_execute("set role anon").await.unwrap();
    let seen = "select (select count(*) from public.athlete_identities where full_name is not null)::text || ' ' || \
         (select count(*) from public.player_season_batting)::text";
    assert_eq!(client.query_one(seen, &[]).await.unwrap().get::<_, String>(0), "0 1", "a line without a name");
    client.batch_execute("reset role").await.unwrap();
    assert!(import(&database, "csv", folder.path(), &["--public"]).0);
    client.batch_execute("set role anon").await.unwrap();
    assert_eq!(client.query_one(seen, &[]).await.unwrap().get::<_, String>(0), "1 1");
}

/// A game of three innings in Retrosheet's form, won by the home team, with a roster and the names of the teams.
fn event_files(last: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut text = "id,HOM202604010\r\nversion,2\r\ninfo,visteam,VIS\r\ninfo,hometeam,HOM\r\ninfo,date,2026/04/01\r\n\
         info,innings,3\r\ninfo,umphome,(none)\r\ninfo,wp,h8\r\ninfo,lp,v9\r\n"
        .to_owned();
    for (side, letter) in ["v", "h"].iter().enumerate() {
        for order in 1..=9 {
            let position = if order == 9 { 1 } else { order + 1 };
            text.push_str(&format!("start,{letter}{order},\"{letter} {order}\",{side},{order},{position}\r\n"));
        }
    }
    text.push_str("play,1,0,v1,??,,S7\r\nplay,1,0,v2,??,,SB2\r\ncom,\"Rain\"\r\nplay,1,0,v2,??,,S8.2-H(UR)\r\n");
    for (inning, side, batters) in
        [(1, 0, "v3 v4 v5"), (1, 1, "h1 h2 h3"), (2, 0, "v6 v7 v8"), (2, 1, "h4 h5 h6"), (3, 0, "v9 v1 v2")]
    {
        for batter in batters.split(' ') {
            text.push_str(&format!("play,{inning},{side},{batter},12,CBSS,K\r\n"));
        }
    }
    text.push_str("sub,h10,\"h ten\",1,7,11\r\nplay,3,1,h10,??,,W\r\n");
    text.push_str(&format!("play,3,1,h8,??,,{last}\r\ndata,er,v9,2\r\ndata,er,h9,0\r\n"));
    std::fs::write(folder.path().join("2026HOM.EVN"), text).unwrap();
    std::fs::write(folder.path().join("HOM2026.ROS"), "h8,Eight,Hank,L,R,HOM,RF\r\n").unwrap();
    std::fs::write(folder.path().join("TEAM2026"), "HOM,N,Home,Homers\r\nVIS,N,Far,Visitors\r\n").unwrap();
    folder
}

fn verify(database: &Database) -> (bool, String) {
    verify_with(database, &[])
}

fn verify_with(database: &Database, options: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dugout"));
    command
        .args(["stats", "verify", "--league", "Big league"])
        .args(options)
        .arg("--db-url")
        .arg(database.target().url());
    let output = command.current_dir(std::env::temp_dir()).output().unwrap();
    (output.status.success(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

#[tokio::test]
async fn event_files_become_games_whose_numbers_follow_from_their_plays() {
    let (database, folder) = (Database::cloned().await, event_files("HR.1-H"));
    let (done, said) = import(&database, "retrosheet", folder.path(), &[]);
    assert!(done && said.contains("1 games, 1 new, 0 changed, 0 as they were"), "{said}");
    let game = "select concat_ws(' ', visitor_name, visitor_runs, home_name, home_runs, status, inning, batting, ended, \
         info ->> 'umphome') from public.games where external_id = 'HOM202604010'";
    assert_eq!(one(&database, game).await, "Far Visitors 1 Home Homers 2 final 3 1 (none)");
    // The official scorer's decision counts, and the earned run is one by the plays' remark only.
    let pitching = "select string_agg(concat_ws(' ', a.external_id, p.outs, p.r, p.er, p.w, p.l, p.so), e'\\n' order by p.side) \
         from public.player_game_pitching as p join public.athletes as a on a.id = p.athlete_id";
    assert_eq!(one(&database, pitching).await, "v9 6 2 2 0 1 6\nh9 9 1 0 0 0 9");
    let season = "select concat_ws(' ', i.full_name, i.bats, b.g, b.h, b.hr, b.rbi, t.name) from public.player_season_batting as b \
         join public.athlete_identities as i using (athlete_id) join public.teams as t on t.id = b.team_id where b.hr > 0";
    assert_eq!(one(&database, season).await, "Hank Eight L 1 1 1 2 Home Homers");
    let (fine, said) = verify(&database);
    assert!(fine && said.contains("1 games and 2 seasons of teams verified"), "{said}");

    // As if the import had been killed before the sums.
    database.connect().await.batch_execute("delete from public.player_season_batting").await.unwrap();
    let (_, said) = import(&database, "retrosheet", folder.path(), &[]);
    assert!(said.contains("0 new, 0 changed, 1 as they were"), "{said}");
    assert_eq!(one(&database, season).await, "Hank Eight L 1 1 1 2 Home Homers");
    let (_, said) = import(&database, "retrosheet", event_files("T9.1-H;B-H(E9)").path(), &[]);
    assert!(said.contains("0 new, 1 changed, 0 as they were"), "{said}");
    assert_eq!(one(&database, "select count(*)::text from public.games where owner_team_id is null").await, "1");
    assert!(verify(&database).0, "{}", verify(&database).1);
}

/// Runs a command on the app's games.
fn stats(database: &Database, arguments: &[&str]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dugout"));
    let command = command.arg("stats").args(arguments).arg("--db-url").arg(database.target().url());
    let output = command.current_dir(std::env::temp_dir()).output().unwrap();
    (output.status.success(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

#[tokio::test]
async fn games_of_the_app_are_printed_and_exported() {
    let (database, folder) = (Database::cloned().await, event_files("HR.1-H"));
    assert!(import(&database, "retrosheet", folder.path(), &[]).0);
    let (_, said) = stats(&database, &["box", "HOM202604010"]);
    for part in ["Far Visitors", "Home Homers", "Hank Eight"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let id = one(&database, "select id::text from public.games").await;
    assert_eq!(stats(&database, &["box", &id]).1, said, "the id in the app's addresses");
    let (done, said) = stats(&database, &["box", "HOM202604019"]);
    assert!(!done && said.contains("there is no game HOM202604019 in the app's tables"), "{said}");
    // What is exported is a game again, with the same numbers.
    let file = folder.path().join("2026HOM.EVN");
    let exported = stats(&database, &["export", "--format", "retrosheet", "--out", file.to_str().unwrap()]);
    assert!(exported.0, "{}", exported.1);
    let (done, again) = stats(&database, &["box", &id, "--from", file.to_str().unwrap()]);
    assert!(done, "{again}");
    assert_eq!(again, stats(&database, &["box", &id]).1);
    let (_, rows) = stats(&database, &["export", "--format", "csv", "--league", "Big league"]);
    assert!(rows.lines().count() > 10 && rows.contains("HR"), "{rows}");
    let (_, none) = stats(&database, &["export", "--format", "csv", "--league", "Small league"]);
    assert_eq!(none.lines().count(), 1, "{none}");
}

#[tokio::test]
async fn verify_reports_what_does_not_follow_from_the_plays() {
    let (database, folder) = (Database::cloned().await, event_files("HR.1-H"));
    assert!(import(&database, "retrosheet", folder.path(), &[]).0);
    let client = database.connect().await;
    for (change, reported) in [
        ("update public.player_game_batting set hr = 3 where hr = 1", "hr: 3, 1"),
        ("update public.line_scores set runs = 7 where side = 1", "score 1 runs: 7, 2"),
        ("update public.games set home_runs = 9 where owner_team_id is null", "home_runs: 9, 2"),
        ("delete from public.player_game_fielding where po > 5", "fielding "),
    ] {
        client.batch_execute(change).await.unwrap();
        let (fine, said) = verify(&database);
        assert!(!fine && said.contains(reported), "{change}: {said}");
    }
    assert!(verify(&database).1.contains("season "), "the sums of the season differ, too: {}", verify(&database).1);
    // --repair, as after an update of the engine: the stored numbers follow from the plays again.
    let (fine, said) = verify_with(&database, &["--repair"]);
    assert!(fine && said.contains("games and seasons of teams repaired."), "{said}");
    let (fine, said) = verify(&database);
    assert!(fine && !said.contains("repaired"), "{said}");
    assert_eq!(one(&database, "select sum(hr)::text from public.player_season_batting").await, "1");
}

#[tokio::test]
async fn a_game_that_cannot_be_right_is_skipped_with_the_reason() {
    let (database, folder) = (Database::cloned().await, event_files("S9.3-H"));
    let (done, said) = import(&database, "retrosheet", folder.path(), &[]);
    assert!(done && said.contains("a game whose plays contradict each other"), "{said}");
    let (_, said) = import(&database, "retrosheet", event_files("HR.1-Q").path(), &[]);
    assert!(said.contains("a game that cannot be read") && said.contains("line "), "{said}");
    assert_eq!(one(&database, "select count(*)::text from public.games where owner_team_id is null").await, "0");
}

/// The text of the event file in a folder.
fn text(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("2026HOM.EVN")).unwrap()
}

#[tokio::test]
async fn a_bad_game_does_not_keep_the_others_from_being_imported() {
    let (database, folder) = (Database::cloned().await, event_files("HR.1-H"));
    let good = text(folder.path());
    let other = |id: &str, from: &str, to: &str| good.replace("HOM202604010", id).replace(from, to);
    let games = [
        other("HOM220104010", "2026/04/01", "2201/04/01"),
        other("HOM202604310", "2026/04/01", "2026/04/31"),
        other("HOM202604020", "info,umphome,(none)", "info,umphome,a\u{0}b"),
        good.clone(),
        // A player and a team whose names nobody knows, or that are too long.
        other("HOM202604030", "start,v3,\"v 3\"", "start,v3x,\"\"").replace(",v3,", ",v3x,"),
        other("HOM202604040", "start,v4,\"v 4\"", &format!("start,v4x,\"{}\"", "Long ".repeat(40)))
            .replace(",v4,", ",v4x,")
            .replace("visteam,VIS", "visteam,LONG"),
    ];
    std::fs::write(folder.path().join("2026HOM.EVN"), games.concat()).unwrap();
    let teams = format!("HOM,N,Home,Homers\r\nLONG,N,Far,{}\r\n", "y".repeat(200));
    std::fs::write(folder.path().join("TEAM2026"), teams).unwrap();
    let (done, said) = import(&database, "retrosheet", folder.path(), &[]);
    assert!(done && said.contains("3 games, 3 new"), "{said}");
    for reason in [
        "a game without a season from 1850 to 2100: HOM220104010",
        "a game that the tables cannot hold (date/time field value out of range: \"2026-04-31\"): HOM202604310",
        "HOM202604020",
    ] {
        assert!(said.contains(reason), "{reason} in {said}");
    }
    let names = "select string_agg(i.full_name, ';' order by a.external_id) from public.athlete_identities as i \
         join public.athletes as a on a.id = i.athlete_id where a.external_id in ('v3x', 'v4x')";
    let long = "Long ".repeat(40).chars().take(120).collect::<String>();
    assert_eq!(one(&database, names).await, format!("v3x;{}", long.trim_end()));
    assert_eq!(one(&database, "select max(char_length(visitor_name))::text from public.games").await, "100");
    // A game that became bad keeps what the database has of it.
    let worse = games.concat().replace("info,umphome,(none)\r\n", "info,umphome,\u{0}\r\n");
    std::fs::write(folder.path().join("2026HOM.EVN"), worse).unwrap();
    let (done, said) = import(&database, "retrosheet", folder.path(), &[]);
    assert!(done && said.contains("0 games"), "{said}");
    assert_eq!(one(&database, "select count(*)::text from public.games where owner_team_id is null").await, "3");
    assert_eq!(one(&database, "select count(distinct game_id)::text from public.line_scores").await, "3");
}

#[tokio::test]
async fn a_bad_row_does_not_keep_the_others_from_being_imported() {
    let database = Database::cloned().await;
    let folder = tempfile::tempdir().unwrap();
    let long = "Owls ".repeat(30);
    let lines = format!(
        "player_id,season,team,G,PA,AB,H\nkid1,2026,{long},3,10,9,4\nkid2,2026,Owls,1,1,2147483648,1\n\
         kid3,2026,Owls,1,1,-1,1\nkid4,2026,Owls,1,1,2147483647,1\nkid5,2026,\u{0}Owls,1,1,1,1\n\
         kid5,2026,Owls,1,1,1,1\n\u{0}kid,2026,Owls,1,1,1,1\n"
    );
    std::fs::write(folder.path().join("batting.csv"), lines).unwrap();
    std::fs::write(folder.path().join("players.csv"), "player_id,name\nkid1,A\u{0}na\nkid4, \n").unwrap();
    let (done, said) = import(&database, "csv", folder.path(), &[]);
    assert!(done && said.contains("3 batting lines: 3 new"), "{said}");
    for reason in [
        "with a count above 2,147,483,647: batting.csv line 3",
        "with a count that is no number: batting.csv line 4",
        "stint and position again: kid5, 2026, Owls",
        "without a player's id: batting.csv line 8",
    ] {
        assert!(said.contains(reason), "{reason} in {said}");
    }
    let seen = "select string_agg(concat_ws(' ', i.full_name, b.ab, char_length(t.name)), ';' order by i.full_name) \
         from public.player_season_batting as b join public.athlete_identities as i using (athlete_id) \
         join public.teams as t on t.id = b.team_id";
    assert_eq!(one(&database, seen).await, "Ana 9 99;kid4 2147483647 4;kid5 1 4");
}

#[tokio::test]
async fn an_empty_folder_and_a_database_without_tables_are_refused() {
    let (database, folder) = (Database::cloned().await, tempfile::tempdir().unwrap());
    let (done, said) = import(&database, "lahman", folder.path(), &[]);
    assert!(!done && said.contains("has no batting.csv, pitching.csv or fielding.csv"), "{said}");
    let (done, said) = import(&database, "lahman", folder.path(), &["--seasons", "2018-2010"]);
    assert!(!done && said.contains("expected a year or two"), "{said}");
    let empty = Database::empty().await;
    let (done, said) = import(&empty, "lahman", lahman().path(), &[]);
    assert!(!done && said.contains("run `dugout migrate`"), "{said}");
}
