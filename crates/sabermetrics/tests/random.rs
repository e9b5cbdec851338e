//! Random text and random games: nothing panics, printing reproduces what was parsed, and undo restores the game.
#![expect(clippy::unwrap_used, reason = "clippy's exceptions for tests do not apply to helper functions")]

use std::sync::LazyLock;

use proptest::prelude::*;
use sabermetrics::expectancy::{RunMatrix, WinExpectancy, play_values, shipped};
use sabermetrics::model::{Game, GameId, GameRules, Record};
use sabermetrics::notation::{parse_event, parse_file, parse_record, print_game, print_record};
use sabermetrics::replay::replay;
use sabermetrics::report::box_score;
use sabermetrics::rules;
use sabermetrics::scorebook::{Edit, Scorebook};
use sabermetrics::stats::{Decisions, EarnedRuns, Hands, Splits, game_lines, team_lines};

/// Events that fit any bases if the advances match the runners on base.
const PLAYS: &[&str] =
    &["K", "8/F", "63/G", "S7", "D8", "HR", "W", "E6", "HP", "K23", "FC5", "C/E2", "T9", "K+WP", "4/P", "HBP"];

/// Text that often looks like notation.
fn nearly_event() -> impl Strategy<Value = String> {
    "[0-9BEKSDTHRWPCOLFNIGXbskhx/.;()\\-+!?#]{0,24}"
}

/// A legal game: each play moves every runner as far as the batter goes, and the side changes after three outs.
fn legal_game() -> impl Strategy<Value = Game> {
    prop::collection::vec(0..PLAYS.len(), 1..120).prop_map(|choices| {
        let mut text = "id,HOM202604010\nversion,2\ninfo,visteam,VIS\ninfo,hometeam,HOM\ninfo,innings,9\n".to_owned();
        for (side, letter) in ["v", "h"].iter().enumerate() {
            for order in 1..=9 {
                let position = if order == 9 { 1 } else { order + 1 };
                text.push_str(&format!("start,{letter}{order},\"{letter} {order}\",{side},{order},{position}\n"));
            }
        }
        let mut game = parse_file(&text).remove(0).unwrap();
        for choice in choices {
            let state = replay(&game).state;
            let next = if state.outs >= 3 { state.half.next(game.bats_first()) } else { state.half };
            let occupied = if state.outs >= 3 { [false; 3] } else { state.occupied() };
            let batter = state.lineups[next.batting.index()].batter_due().unwrap().clone();
            let event = with_advances(PLAYS[choice], occupied);
            let line = format!("play,{},{},{batter},??,,{event}", next.inning, next.batting.index());
            game.records.push(parse_record(&line).unwrap());
            if !replay(&game).contradictions.is_empty() {
                // The game was over.
                game.records.pop();
                break;
            }
        }
        game
    })
}

fn with_advances(play: &str, occupied: [bool; 3]) -> String {
    let bases = match play.as_bytes()[0] {
        b'S' | b'W' | b'E' | b'F' | b'C' => 1,
        b'D' => 2,
        b'T' => 3,
        b'H' if play == "HR" => 4,
        b'H' => 1,
        _ => 0,
    };
    let moves = (0..3_usize).rev().filter(|base| occupied[*base] && bases > 0).map(|base| {
        let to = ["1", "2", "3", "H"][(base + bases).min(3)];
        format!("{}-{to}", base + 1)
    });
    let moves: Vec<String> = moves.collect();
    if moves.is_empty() { play.to_owned() } else { format!("{play}.{}", moves.join(";")) }
}

/// Everything that follows from the records of a game, as text.
fn computed(game: &Game) -> String {
    static TABLES: LazyLock<(RunMatrix, WinExpectancy)> = LazyLock::new(|| {
        let table = shipped().unwrap();
        let nine_innings = Game { id: GameId::new("HOM202604010"), records: Vec::new() };
        (table.matrix(), table.win_expectancy(&GameRules::of(&nine_innings)))
    });
    let (matrix, chances) = &*TABLES;
    let replayed = replay(game);
    let lines = game_lines(game, &replayed, EarnedRuns::Computed, Decisions::Computed);
    let mut splits = Splits::default();
    splits.add(game, &replayed, &Hands::default());
    let boxed = box_score(game, &replayed, &lines);
    let runs = rules::reconstruct(game, &replayed.outcomes);
    let worth = play_values(game, &replayed, matrix, chances);
    format!("{replayed:?}{boxed}{runs:?}{splits:?}{:?}{worth:?}", team_lines(game, &replayed))
}

/// The cases of the quickest tests. All tests together take some ten seconds, and on a busy machine less than a minute.
const CASES: u32 = 16_000;

/// So many cases, or more in the proportion of PLAYS_CASES to [`CASES`]: `scripts/soak.sh plays` runs for ten minutes.
/// PROPTEST_CASES would set the same number for the quick and the slow tests.
fn config(cases: u32) -> ProptestConfig {
    let wanted: Option<u64> = std::env::var("PLAYS_CASES").ok().and_then(|cases| cases.parse().ok());
    let scaled = wanted.map(|wanted| (wanted * u64::from(cases) / u64::from(CASES)).max(1));
    let cases = scaled.map_or(cases, |scaled| u32::try_from(scaled).unwrap_or(u32::MAX));
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(CASES))]

    #[test]
    fn any_text_is_parsed_or_gives_an_error_with_its_position(text in prop_oneof![nearly_event(), "\\PC{0,40}"]) {
        match parse_event(&text) {
            Ok(event) => {
                prop_assert_eq!(event.to_string(), text.clone());
                prop_assert_eq!(parse_event(&event.to_string()).unwrap(), event);
            }
            Err(error) => prop_assert!(error.at <= text.len(), "{} in {:?}", error.at, text),
        }
    }

    #[test]
    fn any_line_is_parsed_or_gives_an_error(
        kind in "(play|start|sub|info|com|data|radj|ladj|badj|padj|presadj|version|id|x)?",
        rest in "[,a-z0-9\"?/.]{0,30}",
    ) {
        let line = format!("{kind},{rest}");
        if let Ok(record) = parse_record(&line) {
            prop_assert_eq!(print_record(&record), line);
        }
    }
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn any_records_can_be_replayed(
        events in prop::collection::vec(nearly_event(), 0..60),
        players in prop::collection::vec(1..=9_u8, 60),
    ) {
        let mut lines = vec!["id,HOM202604010".to_owned(), "info,hometeam,HOM".to_owned()];
        lines.extend((1..=9).map(|order| format!("start,v{order},\"v\",0,{order},{order}")));
        lines.extend((1..=9).map(|order| format!("start,h{order},\"h\",1,{order},{order}")));
        let plays = events.iter().zip(&players).filter(|(event, _)| parse_event(event).is_ok());
        lines.extend(plays.map(|(event, player)| format!("play,1,{},v{player},12,CBF,{event}", player % 2)));
        let game = parse_file(&lines.join("\n")).remove(0).unwrap();
        computed(&game);
        prop_assert_eq!(parse_file(&print_game(&game)).remove(0).unwrap(), game);
    }
}

proptest! {
    #![proptest_config(config(96))]

    #[test]
    fn undoing_an_edit_restores_the_bytes(
        game in legal_game(),
        at in any::<prop::sample::Index>(),
        event in prop::sample::select(PLAYS),
    ) {
        let before = (print_game(&game), computed(&game));
        let plays: Vec<usize> = (0..game.records.len()).filter(|index| matches!(game.records[*index], Record::Play(_))).collect();
        if plays.is_empty() {
            return Ok(());
        }
        let at = plays[at.index(plays.len())];
        let Record::Play(other) = &game.records[at] else { unreachable!("only plays are chosen") };
        let mut other = other.clone();
        other.event = parse_event(event).unwrap();
        let other = Record::Play(other);
        for edit in [Edit::Replace(at, other.clone()), Edit::Remove(at), Edit::Insert(at, other)] {
            let mut book = Scorebook::new(game.clone());
            prop_assert!(book.replay().contradictions.is_empty());
            let edited = book.edit(edit).unwrap();
            if let Some(contradiction) = &edited.contradiction {
                prop_assert!(contradiction.record >= at, "nothing before the edit changes");
            }
            book.edit(edited.undo).unwrap();
            prop_assert_eq!(&(print_game(book.game()), computed(book.game())), &before);
        }
    }
}
