//! The command line of `dugout stats`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::cli::ServerArgs;

/// Arguments of `stats`.
#[derive(Clone, Debug, Args)]
pub struct StatsArgs {
    #[command(subcommand)]
    pub action: StatsAction,
}

/// The subcommands of `dugout stats`.
#[derive(Clone, Debug, Subcommand)]
pub enum StatsAction {
    /// Replay games and write games.csv, batting.csv, pitching.csv and fielding.csv
    Replay(ReplayArgs),
    /// Print the box score of a game
    Box(BoxArgs),
    /// Write games as Retrosheet's text, as plays in CSV, or as JSON
    Export(ExportArgs),
    /// Compute run and win expectancy, linear weights and the league's constants
    Expectancy(ExpectancyArgs),
    /// Fill the app's tables from an archive; repeating it adds only what is missing
    Import(ImportArgs),
    /// Compute everything that follows from the plays of the app's games again, and report differences
    Verify(VerifyArgs),
    /// Print a player's statistics with their formulas, divided by situation or with the plays behind them
    Show(ShowArgs),
    /// Print a team's record and statistics with their formulas, or divided by situation
    Team(TeamArgs),
    /// Compute the park factor of each team
    Parks(ParksArgs),
}

/// Arguments of `stats replay`.
#[derive(Clone, Debug, Args)]
pub struct ReplayArgs {
    /// Retrosheet event files: a folder, a ZIP archive or one file
    #[arg(value_name = "DIR|ZIP")]
    pub source: PathBuf,
    /// The folder for the tables
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Use the engine's own earned runs, wins, losses and saves instead of the file's official ones
    #[arg(long)]
    pub computed: bool,
    /// List where the engine's results differ from the official ones, in differences.csv
    #[arg(long)]
    pub compare: bool,
}

/// Arguments of `stats box`.
#[derive(Clone, Debug, Args)]
pub struct BoxArgs {
    /// The game's id: in an event file such as ANA201604040, in the app the last part of its address
    #[arg(value_name = "GAME")]
    pub game: String,
    /// Event files: a folder, a ZIP archive or one file [default: the app's games]
    #[arg(long, value_name = "DIR|ZIP")]
    pub from: Option<PathBuf>,
    #[command(flatten)]
    pub server: ServerArgs,
}

/// Arguments of `stats export`.
#[derive(Clone, Debug, Args)]
pub struct ExportArgs {
    /// Event files: a folder, a ZIP archive or one file [default: the app's games]
    #[arg(value_name = "DIR|ZIP")]
    pub source: Option<PathBuf>,
    /// Of the app's games, only those of this league
    #[arg(long, value_name = "NAME", conflicts_with = "source")]
    pub league: Option<String>,
    /// The output format
    #[arg(long, value_enum)]
    pub format: ExportFormat,
    /// Only this game
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// The file to write [default: stdout]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub server: ServerArgs,
}

/// Formats of `stats export`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// Event file text, byte for byte as read
    Retrosheet,
    /// A row per play
    Csv,
    /// An object per game and line
    Json,
}

/// Arguments of `stats expectancy`.
#[derive(Clone, Debug, Args)]
pub struct ExpectancyArgs {
    /// Event files: a folder, a ZIP archive or one file
    #[arg(value_name = "DIR|ZIP")]
    pub source: PathBuf,
    /// The table to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Also write the league's constants: weights of wOBA, FIP constant, runs of stealing, averages
    #[arg(long, value_name = "FILE")]
    pub constants: Option<PathBuf>,
    /// The credit that the data's owner requires, kept in the table's first line
    #[arg(long, value_name = "TEXT")]
    pub credit: Option<String>,
}

/// Arguments of `stats show`.
#[derive(Clone, Debug, Args)]
pub struct ShowArgs {
    /// The player's id, such as troum001
    #[arg(value_name = "PLAYER")]
    pub player: String,
    /// Event files and rosters: a folder, a ZIP archive or one file
    #[arg(long, value_name = "DIR|ZIP")]
    pub from: PathBuf,
    /// Divide the counts
    #[arg(long, value_name = "SPLIT", value_parser = sabermetrics::stats::SplitBy::ALL.map(sabermetrics::stats::SplitBy::name))]
    pub by: Option<String>,
    /// List the plays behind a statistic, such as OBP
    #[arg(long, value_name = "STATISTIC", conflicts_with = "by")]
    pub plays: Option<String>,
}

/// Arguments of `stats team`.
#[derive(Clone, Debug, Args)]
pub struct TeamArgs {
    /// The team's id, such as ANA
    #[arg(value_name = "TEAM")]
    pub team: String,
    /// Event files and rosters: a folder, a ZIP archive or one file
    #[arg(long, value_name = "DIR|ZIP")]
    pub from: PathBuf,
    /// Divide the counts
    #[arg(long, value_name = "SPLIT", value_parser = sabermetrics::stats::SplitBy::ALL.map(sabermetrics::stats::SplitBy::name))]
    pub by: Option<String>,
}

/// Arguments of `stats parks`.
#[derive(Clone, Debug, Args)]
pub struct ParksArgs {
    /// Event files: a folder, a ZIP archive or one file
    #[arg(value_name = "DIR|ZIP")]
    pub source: PathBuf,
    /// Also write the factors as CSV
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Arguments of `stats import`.
#[derive(Clone, Debug, Args)]
pub struct ImportArgs {
    /// The kind of archive
    #[arg(value_enum)]
    pub kind: ImportKind,
    /// The archive: a folder of tables; of event files a folder, a ZIP archive or one file
    #[arg(value_name = "DIR|ZIP")]
    pub source: PathBuf,
    /// The league that gets the seasons, teams and players; created if no league has this name
    #[arg(long, value_name = "NAME")]
    pub league: String,
    /// The level of a new league
    #[arg(long, value_name = "LEVEL", default_value = "Professional")]
    pub level: String,
    /// Only these seasons, such as 2016 or 2010-2018
    #[arg(long, value_name = "YEARS", value_parser = seasons)]
    pub seasons: Option<RangeInclusive<u16>>,
    /// Everybody may read the players' names; those of Lahman's database and of Retrosheet are public anyway
    #[arg(long)]
    pub public: bool,
    #[command(flatten)]
    pub server: ServerArgs,
}

/// Arguments of `stats verify`.
#[derive(Clone, Debug, Args)]
pub struct VerifyArgs {
    /// Only games of this league
    #[arg(long, value_name = "NAME")]
    pub league: Option<String>,
    /// Replace stored values that do not follow from the plays, as after an update of the rules
    #[arg(long)]
    pub repair: bool,
    #[command(flatten)]
    pub server: ServerArgs,
}

/// Kinds of archives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ImportKind {
    /// Lahman's database: Batting, Pitching, Fielding, People and Teams as .csv or .csv.gz
    Lahman,
    /// Retrosheet's event files with rosters: games, lineups, plays and all that follows from them
    Retrosheet,
    /// batting.csv, pitching.csv and fielding.csv as `stats replay` writes them, with players.csv (player_id,name,bats,throws)
    Csv,
}

/// `2016` or `2010-2018`.
fn seasons(text: &str) -> Result<RangeInclusive<u16>, String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (from.trim().parse(), to.trim().parse()) {
        (Ok(from), Ok(to)) if from <= to => Ok(from..=to),
        _ => Err("expected a year or two, such as 2016 or 2010-2018".to_owned()),
    }
}
