//! `dugout stats export`: games of event files or of the app as Retrosheet's text, as plays in CSV, or as JSON.

use std::io::{BufWriter, Write};

use sabermetrics::model::{Game, Record};
use sabermetrics::notation::print_game;
use sabermetrics::replay::{Outcome, replay};
use serde_json::json;

use super::event_files::for_each_game;
use super::stored_games::{Wanted, for_each_stored_game};
use crate::cli::{ExportArgs, ExportFormat};
use crate::exit::Failure;

/// Columns of the CSV: a row per play with the situation before it and what it did.
const COLUMNS: [&str; 17] = [
    "game_id",
    "record",
    "inning",
    "batting",
    "outs",
    "first",
    "second",
    "third",
    "visitor_runs",
    "home_runs",
    "batter",
    "pitcher",
    "count",
    "pitches",
    "event",
    "runs",
    "outs_made",
];

/// Writes the games to a file or to stdout.
pub async fn run(args: &ExportArgs) -> Result<(), Failure> {
    let mut out: Box<dyn Write> = match &args.out {
        Some(path) => Box::new(std::fs::File::create(path).map_err(failed)?),
        None => Box::new(std::io::stdout()),
    };
    let mut out = BufWriter::new(&mut out);
    if args.format == ExportFormat::Csv {
        write_row(&mut out, COLUMNS.map(str::to_owned))?;
    }
    let skipped = match &args.source {
        Some(source) => for_each_game(source, |game| {
            let is_wanted = args.game.as_ref().is_none_or(|wanted| wanted == game.id.as_str());
            if is_wanted { write(&mut out, args.format, &game) } else { Ok(()) }
        })?,
        None => {
            let wanted = Wanted { league: args.league.as_deref(), game: args.game.as_deref() };
            for_each_stored_game(&args.server, wanted, |game| write(&mut out, args.format, &game)).await?
        }
    };
    out.flush().map_err(failed)?;
    if skipped.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!("games are missing, as their files have errors:\n{}", skipped.join("\n"))))
}

fn write(out: &mut impl Write, format: ExportFormat, game: &Game) -> Result<(), Failure> {
    match format {
        ExportFormat::Retrosheet => out.write_all(print_game(game).as_bytes()).map_err(failed),
        ExportFormat::Csv => plays(game).try_for_each(|play| write_row(out, play)),
        ExportFormat::Json => {
            let columns = &COLUMNS[1..];
            let plays = plays(game).map(|play| {
                columns.iter().zip(&play[1..]).map(|(key, value)| ((*key).to_owned(), json!(value))).collect()
            });
            let plays: Vec<serde_json::Map<String, serde_json::Value>> = plays.collect();
            let text = json!({ "game_id": game.id.as_str(), "retrosheet": print_game(game), "plays": plays });
            writeln!(out, "{text}").map_err(failed)
        }
    }
}

fn plays(game: &Game) -> impl Iterator<Item = [String; 17]> {
    replay(game).outcomes.into_iter().filter_map(move |outcome| row(game, &outcome))
}

fn row(game: &Game, outcome: &Outcome) -> Option<[String; 17]> {
    let Some(Record::Play(play)) = game.records.get(outcome.record) else { return None };
    let on =
        |base: usize| outcome.bases_before[base].as_ref().map(|runner| runner.player.to_string()).unwrap_or_default();
    Some([
        game.id.to_string(),
        (outcome.record + 1).to_string(),
        outcome.half.inning.to_string(),
        outcome.batting().index().to_string(),
        outcome.outs_before.to_string(),
        on(0),
        on(1),
        on(2),
        outcome.score_before[0].to_string(),
        outcome.score_before[1].to_string(),
        outcome.batter.to_string(),
        outcome.pitcher.to_string(),
        play.count.as_str().to_owned(),
        play.pitches.as_str().to_owned(),
        play.event.to_string(),
        outcome.run_count().to_string(),
        outcome.outs.to_string(),
    ])
}

fn write_row(out: &mut impl Write, row: [String; 17]) -> Result<(), Failure> {
    csv::Writer::from_writer(out)
        .write_record(row)
        .map_err(|error| Failure::new(format!("the export stopped: {error}")))
}

fn failed(error: std::io::Error) -> Failure {
    Failure::new(format!("the export stopped: {error}"))
}
