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
