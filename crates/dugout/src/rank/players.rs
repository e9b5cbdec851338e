//! Players: five parts each, standardized within class and position. The database weighs them, so that users can weigh them anew.

use std::collections::HashMap;

use sabermetrics::expectancy::{LinearWeights, shipped_constants};
use sabermetrics::ratings::{AdjustedRate, Group, RateLine, Reading, Standing, adjusted_rates, standardize};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::Rated;

/// The parts of a position player's rating, with their weights.
const HITTER: [(&str, f64); PARTS] = [("sixty", 20.0), ("exit", 25.0), ("arm", 15.0), ("bat", 25.0), ("size", 5.0)];
/// The parts of a pitcher's.
const PITCHER: [(&str, f64); PARTS] =
    [("fastball", 35.0), ("command", 25.0), ("strikes", 15.0), ("spin", 10.0), ("size", 5.0)];
/// How many parts there are.
const PARTS: usize = 5;

/// The doubt of one verified measurement, in deviations of the group.
const MEASURED: f64 = 0.3;
/// That of one older than twelve months, which also counts half.
const STALE: f64 = 0.6;
/// That of a part that was not measured: what its group's spread leaves open when the other parts are known.
const UNKNOWN: f64 = 0.8;
/// That of the height, which hardly errs.
const HEIGHT: f64 = 0.1;

/// Ridges in tries: plate appearances, batters faced, pitches.
const BAT_RIDGE: f64 = 120.0;
const COMMAND_RIDGE: f64 = 100.0;
const STRIKES_RIDGE: f64 = 300.0;
/// An opponent's, as a multiple of a player's.
const OPPONENT: f64 = 3.0;

/// The answer of `private.begin_rating`.
#[derive(Debug, Deserialize)]
pub struct Inputs {
    players: Vec<Player>,
    batting: Vec<Batting>,
    pitching: Vec<Pitching>,
}

/// A player's batting against an opponent: an array in this order.
#[derive(Debug, Deserialize)]
struct Batting {
    player: Uuid,
    opponent: String,
    ab: f64,
    /// Without intentional ones.
    bb: f64,
    hbp: f64,
    sf: f64,
    h: f64,
    doubles: f64,
    triples: f64,
    hr: f64,
}

/// A player's pitching against an opponent: an array in this order.
#[derive(Debug, Deserialize)]
struct Pitching {
    player: Uuid,
    opponent: String,
    batters: f64,
    so: f64,
    bb: f64,
    pitches: Option<f64>,
    strikes: Option<f64>,
}

#[derive(Debug, Deserialize)]
struct Player {
    id: Uuid,
    position: String,
    class: Option<i32>,
    height: Option<f64>,
    numbers: Vec<Number>,
}

#[derive(Debug, Deserialize)]
struct Number {
    metric: String,
    value: f64,
    lower_is_better: bool,
    source: String,
    taken_at: String,
    stale: bool,
}

/// A part that is known, before it is compared.
struct Known {
    player: usize,
    part: usize,
    doubt: f64,
    counts: f64,
    reading: Reading,
    shown: Value,
}

/// Rates by player, each with the tries behind it.
struct Rates {
    bat: Vec<Option<AdjustedRate>>,
    command: Vec<Option<AdjustedRate>>,
    strikes: Vec<Option<AdjustedRate>>,
}

/// Rates every player with at least one known part.
pub fn rate(inputs: &Inputs) -> Rated {
    let rates = rates(inputs);
    let mut known = Vec::new();
    for (number, player) in inputs.players.iter().enumerate() {
        known.extend(measured(number, player));
        known.extend(performed(number, player, &rates));
    }
    let readings: Vec<Reading> = known.iter().map(|known| known.reading.clone()).collect();
    let mut parts: Vec<[Option<(&Known, Standing)>; PARTS]> = vec![[None; PARTS]; inputs.players.len()];
    for (known, standing) in known.iter().zip(standardize(&readings)) {
        parts[known.player][known.part] = standing.map(|standing| (known, standing));
    }
    let ratings = inputs
        .players
        .iter()
        .zip(&parts)
        .filter(|(_, parts)| parts.iter().any(Option::is_some))
        .map(|(player, parts)| rating(player, parts))
        .collect();
    let weights = |parts: [(&str, f64); PARTS]| parts.map(|(_, weight)| weight);
    let params = json!({
        "weights": { "hitter": weights(HITTER), "pitcher": weights(PITCHER) },
        "parts": { "hitter": HITTER.map(|(part, _)| part), "pitcher": PITCHER.map(|(part, _)| part) },
        "doubts": { "measured": MEASURED, "stale": STALE, "unknown": UNKNOWN, "height": HEIGHT },
        "ridges": { "bat": BAT_RIDGE, "command": COMMAND_RIDGE, "strikes": STRIKES_RIDGE, "opponent": OPPONENT },
    });
    let method = "Weighted mean of standard scores within class and position (at least 20 players, else the position, else all), 50 \
                  and 10 points for a deviation. Verified measurements, those older than twelve months at half weight; wOBA, K-BB% \
                  and strikes in public scorebooks of twelve months, adjusted for opponents and drawn to the mean by a ridge. \
                  Parts not measured have no score, rescale the weights and widen the range.";
    Rated { method: method.to_owned(), params, ratings }
}

/// What is saved of a player.
fn rating(player: &Player, parts: &[Option<(&Known, Standing)>; PARTS]) -> Value {
    let shown = parts.map(|part| {
        part.map(|(known, standing)| {
            let mut shown = known.shown.clone();
            shown["part"] = json!(slots(player)[known.part].0);
            shown["percentile"] = json!(standing.percentile);
            shown["n"] = json!(standing.n);
            shown["group"] = json!(match standing.group {
                Group::Class => "class",
                Group::Position => "position",
                Group::All => "all",
            });
            shown
        })
    });
    json!({
        "id": player.id, "pitcher": is_pitcher(player),
        "scores": parts.map(|part| part.map_or(0.0, |(_, standing)| standing.score)),
        "doubts": parts.map(|part| part.map_or(UNKNOWN, |(known, _)| known.doubt)),
        "counts": parts.map(|part| part.map_or(0.0, |(known, _)| known.counts)),
        "parts": shown,
    })
}

fn is_pitcher(player: &Player) -> bool {
    player.position == "P"
}

fn slots(player: &Player) -> &'static [(&'static str, f64); PARTS] {
    if is_pitcher(player) { &PITCHER } else { &HITTER }
}

fn slot(player: &Player, part: &str) -> Option<usize> {
    slots(player).iter().position(|(name, _)| *name == part)
}

/// The part that a measurement is, by position: an arm is a catcher's pop time, an outfielder's or an infielder's throw.
fn part_of(player: &Player, metric: &str) -> Option<&'static str> {
    let arm = match player.position.as_str() {
        "C" => "pop_time",
        "OF" => "outfield_velocity",
        _ => "infield_velocity",
    };
    match metric {
        "sixty_yard_dash" => Some("sixty"),
        "exit_velocity_max" => Some("exit"),
        "fastball_max" => Some("fastball"),
        "spin_rate" => Some("spin"),
        metric if metric == arm => Some("arm"),
        _ => None,
    }
}

fn reading(player: &Player, metric: &str, value: f64, lower_is_better: bool) -> Reading {
    Reading {
        metric: metric.into(),
        position: player.position.as_str().into(),
        class: player.class,
        value,
        lower_is_better,
    }
}

/// Measurements and the height.
fn measured(number: usize, player: &Player) -> Vec<Known> {
    let mut known: Vec<Known> = player
        .numbers
        .iter()
        .filter_map(|n| {
            let part = slot(player, part_of(player, &n.metric)?)?;
            let (doubt, counts) = if n.stale { (STALE, 0.5) } else { (MEASURED, 1.0) };
            let shown = json!({ "metric": n.metric, "value": n.value, "source": n.source, "taken_at": n.taken_at, "stale": n.stale });
            Some(Known { player: number, part, doubt, counts, reading: reading(player, &n.metric, n.value, n.lower_is_better), shown })
        })
        .collect();
    if let (Some(height), Some(part)) = (player.height, slot(player, "size")) {
        let shown = json!({ "metric": "height", "value": height, "source": "self" });
        known.push(Known {
            player: number,
            part,
            doubt: HEIGHT,
            counts: 1.0,
            reading: reading(player, "height", height, false),
            shown,
        });
    }
    known
}

/// What scorebooks say.
fn performed(number: usize, player: &Player, rates: &Rates) -> Vec<Known> {
    [("bat", "woba", &rates.bat), ("command", "k_bb_rate", &rates.command), ("strikes", "strike_rate", &rates.strikes)]
        .into_iter()
        .filter_map(|(part, metric, rates)| {
            let (rate, part) = ((*rates.get(number)?)?, slot(player, part)?);
            let shown = json!({ "metric": metric, "value": rate.raw, "adjusted": rate.rate, "tries": rate.tries, "source": "scorebook" });
            Some(Known { player: number, part, doubt: rate.doubt, counts: 1.0, reading: reading(player, metric, rate.rate, false), shown })
        })
        .collect()
}

fn rates(inputs: &Inputs) -> Rates {
    let players: HashMap<Uuid, usize> =
        inputs.players.iter().enumerate().map(|(number, player)| (player.id, number)).collect();
    let mut opponents: HashMap<&str, usize> = HashMap::new();
    let named = inputs.batting.iter().map(|line| &line.opponent);
    let named = named.chain(inputs.pitching.iter().map(|line| &line.opponent));
    for opponent in named {
        let next = opponents.len();
        opponents.entry(opponent).or_insert(next);
    }
    let line = |player: &Uuid, opponent: &str, tries: f64, sum: f64| {
        let (player, opponent) = (*players.get(player)?, *opponents.get(opponent)?);
        (tries > 0.0).then(|| RateLine { player, opponent, tries, rate: sum / tries })
    };
    // The weights that ship with the app: a youth league is too small for its own.
    let weights = shipped_constants().ok().and_then(|constants| constants.weights());
    let bat: Vec<RateLine> = inputs
        .batting
        .iter()
        .filter_map(|b| {
            let w: &LinearWeights = weights.as_ref()?;
            let sum = w.walk * b.bb
                + w.hit_by_pitch * b.hbp
                + w.single * (b.h - b.doubles - b.triples - b.hr)
                + w.double * b.doubles
                + w.triple * b.triples
                + w.home_run * b.hr;
            line(&b.player, &b.opponent, b.ab + b.bb + b.hbp + b.sf, sum)
        })
        .collect();
    let pitching = inputs.pitching.iter();
    let command: Vec<RateLine> =
        pitching.clone().filter_map(|p| line(&p.player, &p.opponent, p.batters, p.so - p.bb)).collect();
    let strikes: Vec<RateLine> =
        pitching.filter_map(|p| line(&p.player, &p.opponent, p.pitches?, p.strikes?)).collect();
    let adjusted =
        |lines: &[RateLine], ridge: f64| adjusted_rates(lines, players.len(), opponents.len(), ridge, OPPONENT * ridge);
    Rates {
        bat: adjusted(&bat, BAT_RIDGE),
        command: adjusted(&command, COMMAND_RIDGE),
        strikes: adjusted(&strikes, STRIKES_RIDGE),
    }
}
