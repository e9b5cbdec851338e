//! The words of a recap, in Markdown: facts only, for a coach to add to.

use std::fmt::Write;

use sabermetrics::scoring::BattingResult;
use serde_json::{Value, json};

use super::facts::{Facts, Moment, Row, Told};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The draft: title, summary, body, and the plays it tells of.
pub fn of(told: &Told, facts: &Facts) -> Value {
    let row = &told.game;
    let plays: Vec<Value> = facts
        .moments
        .iter()
        .map(|moment| json!({ "id": moment.id, "wins": moment.chance[1] - moment.chance[0] }))
        .collect();
    json!({ "title": title(row), "summary": summary(row), "body": body(row, facts), "plays": plays })
}

fn title(row: &Row) -> String {
    let Some(winner) = row.winner() else {
        let score = row.visitor_runs;
        return format!("{} and {} tie, {score}–{score}", row.visitor_name, row.home_name);
    };
    let (one, other) = (row.team(winner), row.team(winner.other()));
    if row.is_forfeit() {
        return format!("{one} win over {other} by forfeit");
    }
    format!("{one} {} {other}, {}", if lead(row) > 7 { "rout" } else { "beat" }, score(row))
}

/// The winner's runs first.
fn score(row: &Row) -> String {
    let (one, other) = (row.visitor_runs.max(row.home_runs), row.visitor_runs.min(row.home_runs));
    format!("{one}–{other}")
}

fn lead(row: &Row) -> u16 {
    row.visitor_runs.abs_diff(row.home_runs)
}

fn summary(row: &Row) -> String {
    let place = row.place.as_deref().map(|place| format!(" at {place}")).unwrap_or_default();
    format!("{} at {}, {}{place}.", row.visitor_name, row.home_name, date(row.played_on()))
}

/// `April 1, 2027` of `2027-04-01`.
fn date(day: &str) -> String {
    let mut parts = day.splitn(3, '-').map(|part| part.parse::<usize>().unwrap_or(0));
    let (year, month, day) = (parts.next().unwrap_or(0), parts.next().unwrap_or(0), parts.next().unwrap_or(0));
    let month = month.checked_sub(1).and_then(|month| MONTHS.get(month)).copied().unwrap_or_default();
    format!("{month} {day}, {year}")
}

fn body(row: &Row, facts: &Facts) -> String {
    let mut text = format!("{}.\n", title(row));
    if facts.moments.is_empty() {
        return text;
    }
    text.push_str("\n## The plays that mattered most\n\n");
    for moment in &facts.moments {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "- {}", sentence(row, moment));
    }
    let source = facts.source.split_once(". ").map_or(facts.source.as_str(), |(first, _)| first);
    let _ = write!(text, "\n*Chances to win, from teams of equal strength. {source}.*\n");
    text
}

fn sentence(row: &Row, moment: &Moment) -> String {
    let half = if moment.is_top { "Top" } else { "Bottom" };
    let team = row.team(moment.batting);
    let who = match &moment.name {
        Some(name) => format!("{name} ({team})"),
        None => format!("a hitter for {team}"),
    };
    let [before, after] = moment.chance.map(percent);
    let change = match after.cmp(&before) {
        std::cmp::Ordering::Greater => format!("rose from {before} to {after} percent"),
        std::cmp::Ordering::Less => format!("fell from {before} to {after} percent"),
        std::cmp::Ordering::Equal => format!("stayed at {after} percent"),
    };
    format!("**{half} {}**: {who} {}. The chance of {team} to win {change}.", moment.inning, deed(moment))
}

fn percent(chance: f64) -> i64 {
    // Between 0 and 100.
    #[allow(clippy::cast_possible_truncation)]
    let whole = (chance * 100.0).round() as i64;
    whole
}

fn deed(moment: &Moment) -> String {
    let verb = match moment.result {
        Some(BattingResult::HomeRun) => return format!("hit a {}", home_run(moment.runs)),
        Some(BattingResult::Single) => "singled",
        Some(BattingResult::Double) => "doubled",
        Some(BattingResult::Triple) => "tripled",
        Some(BattingResult::Walk) => "walked",
        Some(BattingResult::IntentionalWalk) => "was walked on purpose",
        Some(BattingResult::HitByPitch) => "was hit by a pitch",
        Some(BattingResult::Interference) => "reached on interference",
        Some(BattingResult::Strikeout) => "struck out",
        Some(BattingResult::ReachedOnError) => "reached on an error",
        Some(BattingResult::FieldersChoice) => "hit into a fielder’s choice",
        Some(BattingResult::Out) => match moment.outs {
            0 | 1 => "made an out",
            2 => "hit into a double play",
            _ => "hit into a triple play",
        },
        None if moment.outs > 0 => "was part of an out on the bases",
        None => "was part of a play on the bases",
    };
    match moment.runs {
        0 => verb.to_owned(),
        1 => format!("{verb}, and a run scored"),
        runs => format!("{verb}, and {runs} runs scored"),
    }
}

fn home_run(runs: u16) -> &'static str {
    match runs {
        0 | 1 => "solo home run",
        2 => "two-run home run",
        3 => "three-run home run",
        _ => "grand slam",
    }
}

#[cfg(test)]
mod tests {
    use sabermetrics::model::Side;

    use super::*;

    fn told(visitors: u16, home: u16, ended: Option<&str>) -> Told {
        serde_json::from_value(json!({
            "game": {
                "id": "00000000-0000-4000-8000-000000000001", "visitor_team_id": null, "home_team_id": null,
                "visitor_name": "Gulls", "home_name": "Owls", "visitor_runs": visitors, "home_runs": home,
                "place": "Field 2", "played_on": "2027-04-01", "number": 0, "innings": 7, "uses_dh": false,
                "reentry": false, "courtesy_runner": false, "run_rule": null, "extra_runner": null,
                "time_limit": null, "home_bats_first": false, "status": "final", "ended": ended, "revision": 1,
            },
            "lineups": [], "log": [], "names": {},
        }))
        .unwrap()
    }

    fn moment(name: Option<&str>, result: Option<BattingResult>, runs: u16, outs: u8) -> Moment {
        Moment {
            id: None,
            inning: 6,
            is_top: false,
            batting: Side::Home,
            name: name.map(str::to_owned),
            result,
            runs,
            outs,
            chance: [0.341, 0.708],
        }
    }

    #[test]
    fn the_title_tells_who_won() {
        for (visitors, home, ended, expected) in [
            (3, 5, None, "Owls beat Gulls, 5–3"),
            (12, 4, None, "Gulls rout Owls, 12–4"),
            (4, 4, None, "Gulls and Owls tie, 4–4"),
            (9, 0, Some("forfeit_home"), "Owls win over Gulls by forfeit"),
        ] {
            assert_eq!(title(&told(visitors, home, ended).game), expected);
        }
        assert_eq!(summary(&told(3, 5, None).game), "Gulls at Owls, April 1, 2027 at Field 2.");
    }

    #[test]
    fn a_play_is_told_with_its_chances() {
        let row = told(3, 5, None).game;
        assert_eq!(
            sentence(&row, &moment(Some("Ann Osei"), Some(BattingResult::Double), 2, 0)),
            "**Bottom 6**: Ann Osei (Owls) doubled, and 2 runs scored. The chance of Owls to win rose from 34 to 71 percent."
        );
        assert!(
            sentence(&row, &moment(None, Some(BattingResult::HomeRun), 4, 0))
                .contains("a hitter for Owls hit a grand slam")
        );
        assert!(sentence(&row, &moment(None, Some(BattingResult::Out), 0, 2)).contains("hit into a double play."));
        assert!(sentence(&row, &moment(None, None, 1, 0)).contains("a play on the bases, and a run scored"));
    }
}
