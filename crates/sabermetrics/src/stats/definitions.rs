//! The statistics, one line each.

use super::definition::Unit::{Average, Innings, Percent, Rate, Runs, Whole};
use super::definition::{Definition, Unit};

const fn of(
    key: &'static str,
    name: &'static str,
    formula: &'static str,
    unit: Unit,
    sample: &'static str,
    minimum_tenths: u32,
) -> Definition {
    Definition { key, name, formula, unit, sample, minimum_tenths, qualifier: sample }
}

/// A batting average per at bat (or a part of them), whose minimum is in plate appearances.
const fn average(key: &'static str, name: &'static str, formula: &'static str) -> Definition {
    Definition { key, name, formula, unit: Average, sample: "AB", minimum_tenths: 31, qualifier: "PA" }
}

/// Batting and running. The major leagues' minimum is 3.1 plate appearances a game.
pub const BATTING: &[Definition] = &[
    average("AVG", "Batting average", "H / AB"),
    of("OBP", "On-base percentage", "(H + BB + HBP) / (AB + BB + HBP + SF)", Average, "PA", 31),
    of("TB", "Total bases", "H + 2B + 2 * 3B + 3 * HR", Whole, "PA", 0),
    average("SLG", "Slugging percentage", "TB / AB"),
    of("OPS", "On-base plus slugging", "OBP + SLG", Average, "PA", 31),
    average("ISO", "Isolated power", "SLG - AVG"),
    average("BABIP", "Batting average on balls in play", "(H - HR) / (AB - SO - HR + SF)"),
    of("K%", "Strikeout rate", "SO / PA", Percent, "PA", 31),
    of("BB%", "Walk rate", "BB / PA", Percent, "PA", 31),
    of("BB/K", "Walks per strikeout", "BB / SO", Rate, "PA", 31),
    of("HR%", "Home run rate", "HR / PA", Percent, "PA", 31),
    of("XBH", "Extra-base hits", "2B + 3B + HR", Whole, "PA", 0),
    of("XBH%", "Extra-base hit rate", "(2B + 3B + HR) / PA", Percent, "PA", 31),
    of("GDP%", "Double plays per chance", "GIDP / GDPO", Percent, "GDPO", 0),
    of("QAB%", "Quality at bats", "QAB / PA", Percent, "PA", 31),
    of("Contact%", "Contact rate", "1 - Wh / Sw", Percent, "Sw", 0),
    of("Swing%", "Swing rate", "Sw / P", Percent, "P", 0),
    of("P/PA", "Pitches per plate appearance", "P / PPA", Rate, "PPA", 0),
    of("AVG2S", "Batting average with two strikes", "H2S / AB2S", Average, "AB2S", 0),
    of("RISP", "Batting average with runners in scoring position", "HRISP / ABRISP", Average, "ABRISP", 0),
    of("GB%", "Ground ball rate", "GB / (GB + LD + FB + PU)", Percent, "PA", 0),
    of("SB%", "Stolen base rate", "SB / (SB + CS)", Percent, "SB + CS", 0),
    of("XBT%", "Extra bases taken", "XBT / XBTO", Percent, "XBTO", 0),
    of("TOB", "Times on base", "H + BB + HBP", Whole, "PA", 0),
    of(
        "wOBA",
        "Weighted on-base average",
        "(wBB * (BB - IBB) + wHBP * HBP + w1B * (H - 2B - 3B - HR) + w2B * 2B + w3B * 3B + wHR * HR) / (AB + BB - IBB + SF + HBP)",
        Average,
        "PA",
        31,
    ),
    of("wRAA", "Runs above average", "(wOBA - lgwOBA) / wScale * PA", Runs, "PA", 31),
    of("wRC", "Runs created", "((wOBA - lgwOBA) / wScale + lgRPA) * PA", Runs, "PA", 31),
    of(
        "wRC+",
        "Runs created, 100 is average",
        "100 * (wRAA / PA + lgRPA + lgRPA - PF * lgRPA) / lgwRCPA",
        Whole,
        "PA",
        31,
    ),
    of("OPS+", "OPS, 100 is average", "100 * (OBP / lgOBP + SLG / lgSLG - 1) / PF", Whole, "PA", 31),
    of(
        "wSB",
        "Runs by stealing",
        "SB * runSB + CS * runCS - lgwSB * (H - 2B - 3B - HR + BB + HBP - IBB)",
        Runs,
        "PA",
        0,
    ),
    of("UBR", "Runs by running on team-mates' hits", "XBT * runXB + XBX * runXBX - lgXB * XBTO", Runs, "XBTO", 0),
];

/// Pitching. The minimum is an inning a game. `RegInn` is the length of the league's games, 9 or 7.
pub const PITCHING: &[Definition] = &[
    of("IP", "Innings pitched", "IPouts / 3", Innings, "IPouts", 0),
    of("ERA", "Earned run average", "RegInn * ER / IP", Rate, "IPouts", 30),
    of("RA9", "Runs per nine innings", "9 * R / IP", Rate, "IPouts", 30),
    of("WHIP", "Walks and hits per inning", "(BB + H) / IP", Rate, "IPouts", 30),
    of("K/9", "Strikeouts per nine innings", "9 * SO / IP", Rate, "IPouts", 30),
    of("BB/9", "Walks per nine innings", "9 * BB / IP", Rate, "IPouts", 30),
    of("H/9", "Hits per nine innings", "9 * H / IP", Rate, "IPouts", 30),
    of("HR/9", "Home runs per nine innings", "9 * HR / IP", Rate, "IPouts", 30),
    of("K%", "Strikeout rate", "SO / BFP", Percent, "BFP", 12),
    of("BB%", "Walk rate", "BB / BFP", Percent, "BFP", 12),
    of("K-BB%", "Strikeout rate less walk rate", "(SO - BB) / BFP", Percent, "BFP", 12),
    of("BAA", "Batting average against", "H / AB", Average, "AB", 0),
    of("BABIP", "Batting average on balls in play", "(H - HR) / (AB - SO - HR + SF)", Average, "AB", 0),
    of("LOB%", "Runners left on base", "(H + BB + HBP - R) / (H + BB + HBP - 1.4 * HR)", Percent, "IPouts", 30),
    of("FIP", "Fielding-independent pitching", "(13 * HR + 3 * (BB + HBP) - 2 * SO) / IP + cFIP", Rate, "IPouts", 30),
    of("ERA+", "ERA, 100 is average", "100 * lgERA / ERA * PF", Whole, "IPouts", 30),
    of("Strike%", "Strikes per pitch", "S / P", Percent, "P", 0),
    of("FPS%", "First-pitch strikes", "FPS / PBF", Percent, "PBF", 0),
    of("SwStr%", "Swinging strikes", "Wh / P", Percent, "P", 0),
    of("P/IP", "Pitches per inning", "P / IP", Runs, "P", 0),
    of("GB%", "Ground ball rate", "GB / (GB + LD + FB + PU)", Percent, "BFP", 0),
    of("IS%", "Inherited runners scored", "IS / IR", Percent, "IR", 0),
    of("W%", "Winning percentage", "W / (W + L)", Average, "G", 0),
];

/// Fielding at one position.
pub const FIELDING: &[Definition] = &[
    of("Inn", "Innings", "InnOuts / 3", Innings, "InnOuts", 0),
    of("TC", "Total chances", "PO + A + E", Whole, "InnOuts", 0),
    of("FPCT", "Fielding percentage", "(PO + A) / (PO + A + E)", Average, "InnOuts", 0),
    of("RF/9", "Range factor per nine innings", "9 * (PO + A) / Inn", Rate, "InnOuts", 0),
    of("CS%", "Runners caught stealing", "CS / (SB + CS)", Percent, "SB + CS", 0),
];

/// Teams. The expected share of wins is Pythagenpat's; its exponent follows the runs per game.
pub const TEAM: &[Definition] = &[
    of("W%", "Winning percentage", "W / (W + L)", Average, "G", 0),
    of("RD", "Run difference", "RS - RA", Whole, "G", 0),
    of("RS/G", "Runs per game", "RS / G", Rate, "G", 0),
    of("RA/G", "Runs allowed per game", "RA / G", Rate, "G", 0),
    of("PythX", "Exponent of the expected winning percentage", "((RS + RA) / G) ^ .287", Rate, "G", 0),
    of("PythW%", "Expected winning percentage", "RS ^ PythX / (RS ^ PythX + RA ^ PythX)", Average, "G", 0),
    of("PythW", "Expected wins", "RS ^ PythX / (RS ^ PythX + RA ^ PythX) * (W + L)", Runs, "G", 0),
    of("HW%", "Winning percentage at home", "HW / HG", Average, "HG", 0),
    of("W1%", "Winning percentage in one-run games", "W1 / G1", Average, "G1", 0),
    of("LOB/G", "Runners left on base per game", "LOB / G", Runs, "G", 0),
];

/// What depends on the situation: sums over plays (`sumRE24`, `sumWPA`, `sumLI`, `sumWPALI` and their number `plays`).
pub const CONTEXT: &[Definition] = &[
    of("RE24", "Runs added, by the change of run expectancy", "sumRE24", Runs, "plays", 0),
    of("WPA", "Wins added, by the change of win expectancy", "sumWPA", Rate, "plays", 0),
    of("pLI", "Average leverage of the player's plays", "sumLI / plays", Rate, "plays", 0),
    of("WPALI", "Wins added, each play divided by its leverage", "sumWPALI", Rate, "plays", 0),
    of("Clutch", "Wins added in decisive plays beyond those in others", "sumWPA / pLI - sumWPALI", Rate, "plays", 0),
];

#[cfg(test)]
mod tests {
    use super::super::{Batting, Fielding, Line, Pitching, Team, named};
    use super::*;

    /// A league where every constant is 1.
    fn league(name: &str) -> Option<f64> {
        (name.starts_with("lg")
            || name.starts_with('w')
            || name.starts_with("run")
            || ["PF", "cFIP", "RegInn"].contains(&name))
        .then_some(1.0)
    }

    fn batter() -> Line<Batting> {
        let mut line = Line::default();
        for (counter, amount) in [
            (Batting::PlateAppearances, 10),
            (Batting::AtBats, 8),
            (Batting::Hits, 3),
            (Batting::Doubles, 1),
            (Batting::HomeRuns, 1),
            (Batting::Walks, 2),
            (Batting::Strikeouts, 2),
        ] {
            line.add(counter, amount);
        }
        line
    }

    fn text(key: &str, line: &Line<Batting>) -> String {
        named(BATTING, key).map(|definition| definition.of(BATTING, line, &league).text()).unwrap_or_default()
    }

    #[test]
    fn formulas_are_evaluated_as_written() {
        let line = batter();
        for (key, expected) in [
            ("AVG", ".375"),
            ("OBP", ".500"),
            ("TB", "7"),
            ("SLG", ".875"),
            ("OPS", "1.375"),
            ("BABIP", ".400"),
            ("K%", "20.0%"),
            ("BB/K", "1.00"),
        ] {
            assert_eq!(text(key, &line), expected, "{key}");
        }
    }

    #[test]
    fn unknown_values_are_shown_as_a_dash() {
        for definition in BATTING.iter().filter(|definition| definition.formula.contains('/')) {
            assert_eq!(text(definition.key, &Line::default()), "—", "{}", definition.key);
        }
        let nobody = named(BATTING, "wOBA").map(|definition| definition.of(BATTING, &batter(), &|_| None).number);
        assert_eq!(nobody, Some(None), "without the league's weights there is no wOBA");
    }

    #[test]
    fn every_name_in_a_formula_exists() {
        let mut pitching: Line<Pitching> = Line::default();
        let mut fielding: Line<Fielding> = Line::default();
        let mut batting: Line<Batting> = Line::default();
        use super::super::Counter;
        Pitching::ALL.iter().for_each(|counter| pitching.add(*counter, 7 + counter.index() as u32));
        Fielding::ALL.iter().for_each(|counter| fielding.add(*counter, 7 + counter.index() as u32));
        Batting::ALL.iter().for_each(|counter| batting.add(*counter, 7 + counter.index() as u32));
        for definition in BATTING {
            assert!(definition.of(BATTING, &batting, &league).number.is_some(), "{}", definition.key);
            let mut sample = definition.sample.split(" + ");
            assert!(sample.all(|name| Batting::named(name).is_some()), "{}", definition.key);
        }
        for definition in PITCHING {
            assert!(definition.of(PITCHING, &pitching, &league).number.is_some(), "{}", definition.key);
        }
        for definition in FIELDING {
            assert!(definition.of(FIELDING, &fielding, &league).number.is_some(), "{}", definition.key);
        }
    }

    #[test]
    fn teams_have_an_expected_record() {
        let mut line: Line<Team> = Line::default();
        for (counter, amount) in
            [(Team::Games, 162), (Team::Wins, 103), (Team::Losses, 58), (Team::Ties, 1), (Team::Runs, 808)]
        {
            line.add(counter, amount);
        }
        line.add(Team::RunsAllowed, 556);
        let text = |key| named(TEAM, key).map(|definition| definition.of(TEAM, &line, &league).text());
        // The Cubs of 2016: (808 + 556) / 162 = 8.42 runs a game, exponent 1.84.
        assert_eq!(text("PythX").as_deref(), Some("1.84"));
        assert_eq!(text("PythW%").as_deref(), Some(".666"));
        assert_eq!(text("W%").as_deref(), Some(".640"));
        assert_eq!(text("HW%").as_deref(), Some("—"));
    }

    #[test]
    fn clutch_is_computed_from_sums() {
        let sums = |name: &str| match name {
            "sumWPA" => Some(1.5),
            "sumLI" => Some(30.0),
            "sumWPALI" => Some(0.5),
            "plays" => Some(20.0),
            _ => None,
        };
        let number = |key| named(CONTEXT, key).and_then(|definition| definition.of_sums(CONTEXT, &sums, 20).number);
        assert_eq!(number("pLI"), Some(1.5));
        assert_eq!(number("Clutch"), Some(0.5));
        assert_eq!(number("RE24"), None, "unknown, not 0");
    }

    #[test]
    fn a_small_sample_does_not_qualify() {
        let Some(average) = named(BATTING, "OBP") else { panic!("OBP") };
        let value = average.of(BATTING, &batter(), &league);
        assert!(
            value.qualifies(3, 9) && !value.qualifies(4, 9),
            "10 turns are 3.1 a game after three games, not after four"
        );
        let counters: Vec<Batting> = average.counters(BATTING);
        assert!(counters.contains(&Batting::HitByPitch) && !counters.contains(&Batting::Runs));
    }

    #[test]
    fn games_of_seven_innings_need_seven_tenths() {
        let line = |turns| {
            let mut line: Line<Batting> = Line::default();
            line.add(Batting::PlateAppearances, turns);
            line.add(Batting::AtBats, turns);
            line
        };
        let qualifies = |turns, innings| {
            named(BATTING, "OBP").map(|average| average.of(BATTING, &line(turns), &league).qualifies(30, innings))
        };
        // 30 * 3.1 * .7 = 65.1
        assert_eq!(
            [qualifies(64, 7), qualifies(65, 7), qualifies(92, 9), qualifies(93, 9)].map(Option::unwrap_or_default),
            [false, true, false, true]
        );
        let mut pitcher: Line<Pitching> = Line::default();
        pitcher.add(Pitching::Outs, 63);
        let average = named(PITCHING, "ERA").map(|average| average.of(PITCHING, &pitcher, &league));
        assert_eq!(average.map(|average| [average.qualifies(30, 7), average.qualifies(31, 7)]), Some([true, false]));
    }

    #[test]
    fn the_sample_of_stolen_bases_is_the_attempts() {
        let mut line: Line<Batting> = Line::default();
        line.add(Batting::StolenBases, 3);
        line.add(Batting::CaughtStealing, 2);
        let value = named(BATTING, "SB%").map(|rate| rate.of(BATTING, &line, &league));
        assert_eq!(value.map(|value| (value.text(), value.sample)), Some(("60.0%".to_owned(), 5)));
    }

    #[test]
    fn averages_qualify_by_plate_appearances() {
        let mut line: Line<Batting> = Line::default();
        line.add(Batting::AtBats, 400);
        line.add(Batting::PlateAppearances, 502);
        for key in ["AVG", "SLG", "ISO", "BABIP", "OBP"] {
            let Some(definition) = named(BATTING, key) else { panic!("{key}") };
            let value = definition.of(BATTING, &line, &league);
            assert!(value.qualifies(162, 9) && !value.qualifies(163, 9), "{key}: 502.2 are 502 in 162 games");
        }
        let sample = named(BATTING, "AVG").map(|average| average.of(BATTING, &line, &league).sample);
        assert_eq!(sample, Some(400));
    }

    #[test]
    fn averages_and_earned_run_averages_round_half_up() {
        let mut batting: Line<Batting> = Line::default();
        batting.add(Batting::AtBats, 80);
        batting.add(Batting::Hits, 17);
        assert_eq!(text("AVG", &batting), ".213");
        let mut pitching: Line<Pitching> = Line::default();
        pitching.add(Pitching::Outs, 216);
        pitching.add(Pitching::EarnedRuns, 17);
        let nine = |name: &str| (name == "RegInn").then_some(9.0);
        let average = named(PITCHING, "ERA").map(|definition| definition.of(PITCHING, &pitching, &nine).text());
        assert_eq!(average.as_deref(), Some("2.13"));
    }

    #[test]
    fn innings_are_displayed_in_thirds() {
        let mut line: Line<Pitching> = Line::default();
        line.add(Pitching::Outs, 20);
        let innings = named(PITCHING, "IP").map(|definition| definition.of(PITCHING, &line, &league).text());
        assert_eq!(innings.as_deref(), Some("6.2"));
    }
}
