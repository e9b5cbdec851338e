//! `--compare`: where the engine's results differ from the official ones.

use std::collections::BTreeMap;

use sabermetrics::model::{Game, PlayerId, Record};
use sabermetrics::notation::print_record;
use sabermetrics::replay::Replay;
use sabermetrics::rules::{self, Decision, RunJudgement};

/// A number or name that differs.
pub struct Difference {
    game: String,
    player: String,
    stat: &'static str,
    official: String,
    computed: String,
    play: String,
}

impl Difference {
    /// The row of differences.csv.
    pub fn row(&self) -> Vec<String> {
        let Difference { game, player, stat, official, computed, play } = self;
        vec![game.clone(), player.clone(), (*stat).to_owned(), official.clone(), computed.clone(), play.clone()]
    }
}

/// The differences of one game: earned runs by the plays' remarks (`ER`) and by reconstruction alone (`ER*`), then the
/// decisions, each with the play that decided it.
pub fn differences(game: &Game, replayed: &Replay) -> Vec<Difference> {
    let judged = rules::judge_runs(game, &replayed.outcomes);
    let mut all = earned_runs(game, replayed, "ER", &judged);
    all.extend(earned_runs(game, replayed, "ER*", &rules::reconstruct(game, &replayed.outcomes)));
    let computed = rules::decisions(game, replayed, &judged);
    for (stat, key, decision) in [("W", "wp", computed.win), ("L", "lp", computed.loss), ("SV", "save", computed.save)]
    {
        all.extend(decided(game, replayed, stat, key, decision.as_ref()));
    }
    all
}

/// The number of differences per statistic.
pub fn summary(differences: &[Difference]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for difference in differences {
        *counts.entry(difference.stat).or_default() += 1;
    }
    let mut text = match differences.len() {
        0 => "The engine's own decisions and earned runs agree with the official ones.\n".to_owned(),
        all => format!("{all} differences between official and computed, listed in differences.csv:\n"),
    };
    for (stat, count) in counts {
        text.push_str(&format!("  {stat}: {count}\n"));
    }
    text
}

fn earned_runs(game: &Game, replayed: &Replay, stat: &'static str, runs: &[RunJudgement]) -> Vec<Difference> {
    let differs = |(pitcher, official): (PlayerId, u16)| {
        let own: Vec<&RunJudgement> = runs.iter().filter(|run| run.pitcher == pitcher).collect();
        let computed = own.iter().filter(|run| run.earned).count();
        (computed != usize::from(official)).then(|| Difference {
            game: game.id.to_string(),
            player: pitcher.to_string(),
            stat,
            official: official.to_string(),
            computed: computed.to_string(),
            play: own.iter().map(|run| text(game, replayed, run.outcome)).collect::<Vec<_>>().join(" | "),
        })
    };
    game.official_earned_runs().filter_map(differs).collect()
}

fn decided(
    game: &Game,
    replayed: &Replay,
    stat: &'static str,
    key: &str,
    decision: Option<&Decision>,
) -> Option<Difference> {
    let official = game.info(key)?;
    let computed = decision.map_or("", |decision| decision.pitcher.as_str());
    (official != computed).then(|| Difference {
        game: game.id.to_string(),
        player: if official.is_empty() { computed.to_owned() } else { official.to_owned() },
        stat,
        official: official.to_owned(),
        computed: computed.to_owned(),
        play: decision.map(|decision| text(game, replayed, decision.outcome)).unwrap_or_default(),
    })
}

fn text(game: &Game, replayed: &Replay, outcome: usize) -> String {
    let record = replayed.outcomes.get(outcome).and_then(|outcome| game.records.get(outcome.record));
    record.filter(|record| matches!(record, Record::Play(_))).map(print_record).unwrap_or_default()
}
