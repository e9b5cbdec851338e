//! The app's function `rank` and the rankings, through the real binary; and Bradley-Terry on a real season.

use std::collections::BTreeMap;
use std::io::Read;

use pg::Target;
use sabermetrics::ratings::{Outcome, RIDGE, Schedule, bradley_terry};
use serde_json::{Value, json};

use crate::architecture::root;
use crate::kit::{Account, Answer, Calls, Launch, Process, Request, User, connect, skip};
use crate::score::user;

/// A league of four teams with six games, and 24 players with a verified 60-yard dash.
const LEAGUE: &str = "
    insert into public.leagues (id, name, level) values ('00000000-0000-4000-8000-000000000001', 'Valley', '18U');
    insert into public.teams (id, league_id, name, state)
    select ('00000000-0000-4000-8000-00000000010' || n)::uuid, '00000000-0000-4000-8000-000000000001',
      (array['Owls', 'Gulls', 'Elks', 'Bees'])[n], 'OR' from generate_series(1, 4) as n;
    insert into public.seasons (id, league_id, year)
    values ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000001', 2026);
    insert into public.games (season_id, home_team_id, visitor_team_id, home_name, visitor_name, played_on, is_public, status,
      home_runs, visitor_runs)
    select '00000000-0000-4000-8000-000000000002', h.id, v.id, h.name, v.name, '2026-04-01'::date + n + 30 * month, n <> 7, 'final', hr, vr
    from generate_series(0, 2) as month, (values (1, 'Owls', 'Gulls', 5, 1), (2, 'Gulls', 'Elks', 4, 3), (3, 'Elks', 'Bees', 2, 1), (4, 'Bees', 'Owls', 0, 9),
      (5, 'Owls', 'Elks', 3, 2), (6, 'Gulls', 'Bees', 6, 6), (7, 'Bees', 'Owls', 20, 0)) as g (n, home, visitor, hr, vr)
    join public.teams as h on h.name = home join public.teams as v on v.name = visitor;
    -- The visitors' own book of the first game, under the other team's name: it counts once. And a ninth game.
    insert into public.games (season_id, owner_team_id, visitor_team_id, home_name, visitor_name, played_on, is_public, status,
      home_runs, visitor_runs, created_at)
    select '00000000-0000-4000-8000-000000000002', v.id, v.id, ' owls', v.name, '2026-04-02'::date + n, true, 'final', 1, 8,
      now() + interval '1 minute'
    from public.teams as v, generate_series(0, 20, 20) as n where v.name = 'Gulls';

    insert into auth.users (id, email, raw_user_meta_data)
    select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, n || '@x.test',
      jsonb_build_object('full_name', 'Player ' || n, 'role', 'player', 'public_profile', true) from generate_series(201, 226) as n;
    insert into public.birth_dates (user_id, birth_date) select id, '2000-01-01' from public.users where email like '2%@x.test';
    update public.players set positions = array['SS'], grad_year = 2027, height_in = 70 + right(user_id::text, 1)::integer;
    insert into public.measurements (player_id, kind, value, source, verified_at, taken_at)
    select p.user_id, k.kind, k.least + k.step * (right(p.user_id::text, 2)::integer), 'event', now(), now()::date - 30
    from public.players as p, (values ('sixty_yard_dash', 6.5, 0.03), ('exit_velocity_max', 80.0, 0.5)) as k (kind, least, step)
    where right(p.user_id::text, 2)::integer <= 24;";

/// What the 24 players did in a public game and in one that is not.
const BOOKS: &str = "
    insert into public.athletes (id, initial)
    select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'P' from generate_series(1201, 1224) as n;
    insert into public.athlete_identities (athlete_id, user_id)
    select ('00000000-0000-4000-8000-' || lpad((n + 1000)::text, 12, '0'))::uuid, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid
    from generate_series(201, 224) as n;
    insert into public.games (id, season_id, home_team_id, visitor_team_id, home_name, visitor_name, played_on, is_public, status)
    select g.id, '00000000-0000-4000-8000-000000000002', h.id, v.id, h.name, v.name, now()::date - 10, g.shown, 'final'
    from (values ('00000000-0000-4000-8000-000000000301'::uuid, true), ('00000000-0000-4000-8000-000000000302', false)) as g (id, shown),
      public.teams as h, public.teams as v where h.name = 'Owls' and v.name = 'Gulls';
    insert into public.player_game_batting (game_id, athlete_id, side, pa, ab, h)
    select g.id, i.athlete_id, 0, 10, 10, right(i.user_id::text, 1)::integer
    from public.games as g, public.athlete_identities as i where g.id::text like '00000000-%30_' and i.user_id is not null;";

struct Ranking {
    launch: Launch,
    _dugout: Process,
    ann: User,
}

impl Ranking {
    async fn new() -> Self {
        let launch = Launch::prepared(Account::Ours).await;
        let dugout = launch.start().await;
        let ann = user(&launch, &dugout, "ann@x.test", "fan").await;
        let ranking = Ranking { launch, _dugout: dugout, ann };
        ranking.sql(LEAGUE).await;
        ranking
    }

    async fn sql(&self, sql: &str) {
        connect(&Target::parse(&self.launch.status("DB_URL")).unwrap()).await.batch_execute(sql).await.unwrap();
    }

    /// Starts a run with the operator's key.
    async fn run(&self, body: Value) -> Answer {
        let key = self.launch.status("SERVICE_ROLE_KEY");
        Request::to(&format!("{}/functions/v1/rank", self.launch.url())).bearer(&key).json(&body).await
    }

    async fn list(&self, arguments: Value) -> Value {
        self.ann.post("/rest/v1/rpc/rankings", arguments).await.is(200).json()
    }
}

fn names(list: &Value) -> Vec<&str> {
    list["rows"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn teams_are_rated_from_public_final_games_and_the_games_add_up() {
    let r = Ranking::new().await;
    assert_eq!(r.list(json!({ "kind": "teams" })).await["run"], Value::Null, "nothing was computed yet");
    assert_eq!(r.run(json!({ "kind": "teams", "season": 2026 })).await.is(200).json()["rated"], 4);
    let list = r.list(json!({ "kind": "teams" })).await;
    // Without the 20-0 games, which are not public, the Owls lose once only.
    assert_eq!(names(&list), ["Owls", "Gulls"], "{list}");
    let owls = &list["rows"][0];
    assert_eq!((&owls["wins"], &owls["losses"], &owls["provisional"]), (&json!(9), &json!(1), &json!(false)));
    // Nine games are too few for a rank.
    let provisional = list["provisional"].as_array().unwrap();
    assert!(provisional.len() == 2 && provisional.iter().all(|row| row["rank"].is_null()), "{list}");
    for row in list["rows"].as_array().unwrap() {
        let sum: f64 = row["why"].as_array().unwrap().iter().map(|o| o["points"].as_f64().unwrap()).sum();
        let value = row["value"].as_f64().unwrap();
        assert!((1500.0 + sum - value).abs() < 0.3, "{row}");
        assert!(row["best"].as_i64().unwrap() <= row["rank"].as_i64().unwrap());
        assert!(row["worst"].as_i64().unwrap() >= row["rank"].as_i64().unwrap());
    }
    let hash = list["run"]["data_hash"].clone();
    assert_eq!(hash.as_str().unwrap().len(), 64);

    r.run(json!({ "kind": "teams", "season": 2026 })).await.is(200);
    let again = r.list(json!({ "kind": "teams" })).await;
    assert_eq!(again["run"]["data_hash"], hash, "the same games have the same hash");
    assert_eq!(again["rows"][0]["history"].as_array().unwrap().len(), 2);
    r.sql("update public.games set home_runs = 0 where home_name = 'Owls'").await;
    r.run(json!({ "kind": "teams", "season": 2026 })).await.is(200);
    let moved = r.list(json!({ "kind": "teams" })).await;
    assert_ne!(moved["run"]["data_hash"], hash);
    let owls = moved["rows"].as_array().unwrap().iter().find(|row| row["name"] == "Owls").unwrap();
    assert!(owls["previous"] == 1 && owls["rank"].as_i64().unwrap() > 1, "{owls}");
}

#[tokio::test]
async fn only_admins_and_the_operator_start_runs() {
    let r = Ranking::new().await;
    let body = json!({ "kind": "teams", "season": 2026 });
    assert_eq!(r.ann.post("/functions/v1/rank", body.clone()).await.status, 403);
    r.sql(&format!("update public.users set is_admin = true where id = '{}'", r.ann.id)).await;
    let answer = r.ann.post("/functions/v1/rank", body.clone()).await;
    assert!(answer.status == 403 && answer.body.contains("second factor"), "{}", answer.body);
    let anonymous = Request::to(&format!("{}/functions/v1/rank", r.launch.url())).json(&body).await;
    assert_eq!(anonymous.status, 401);
    for bad in [json!({ "kind": "games" }), json!({ "kind": "teams" }), json!([])] {
        assert_eq!(r.run(bad).await.status, 400);
    }
    let nothing = r.run(json!({ "kind": "teams", "season": 2020 })).await;
    assert!(nothing.status == 409 && nothing.body.contains("nothing to rate"), "{}", nothing.body);
}

#[tokio::test]
async fn players_are_weighed_by_the_reader_and_pages_do_not_overlap() {
    let r = Ranking::new().await;
    assert_eq!(r.run(json!({ "kind": "players" })).await.is(200).json()["rated"], 26);
    let list = r.list(json!({ "kind": "players", "places": 10 })).await;
    assert_eq!((&list["total"], &list["unranked"]), (&json!(24), &json!(2)), "height alone does not rank: {list}");
    let first = &list["rows"][0];
    let points: f64 = first["parts"].as_array().unwrap().iter().filter_map(|part| part["points"].as_f64()).sum();
    assert!((50.0 + points - first["value"].as_f64().unwrap()).abs() < 0.03, "{first}");
    assert_eq!(first["parts"][3], Value::Null, "no scorebook, no wOBA");

    // The later a player's number, the harder the hits and the slower the dash; 219 is also the tallest of the late ones.
    assert_eq!(names(&list)[0], "Player 219");
    let fast = json!({ "hitter": [90, 10, 0, 0, 0], "pitcher": [35, 25, 15, 10, 5] });
    let by_speed = r.list(json!({ "kind": "players", "weights": fast })).await;
    assert_eq!(names(&by_speed)[0], "Player 201");
    assert_eq!(by_speed["rows"][0]["previous"], 24, "the move is against the usual weights");

    let mut seen: Vec<String> = names(&list).into_iter().map(str::to_owned).collect();
    let mut next = list["next"].clone();
    while !next.is_null() {
        let page = r.list(json!({ "kind": "players", "places": 10, "after": next })).await;
        seen.extend(names(&page).into_iter().map(str::to_owned));
        next = page["next"].clone();
    }
    assert_eq!(seen.len(), 24);
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 24);
}

#[tokio::test]
async fn scorebooks_of_public_games_count_and_are_drawn_to_the_mean() {
    let r = Ranking::new().await;
    r.sql(BOOKS).await;
    r.run(json!({ "kind": "players" })).await.is(200);
    let list = r.list(json!({ "kind": "players" })).await;
    let rows = list["rows"].as_array().unwrap();
    let bat = |name: &str| rows.iter().find(|row| row["name"] == name).unwrap()["parts"][3].clone();
    let (nine, none) = (bat("Player 209"), bat("Player 210"));
    assert_eq!(
        (&nine["tries"], &nine["source"]),
        (&json!(10.0), &json!("scorebook")),
        "one game is not public: {nine}"
    );
    let [raw, adjusted, worst] = [&nine["value"], &nine["adjusted"], &none["adjusted"]].map(|n| n.as_f64().unwrap());
    assert!(raw > 0.75 && adjusted < 0.5 && worst < adjusted, "ten at-bats are little: {nine}");
    assert!(nine["percentile"].as_u64() > none["percentile"].as_u64());
}

/// Maximizes the same likelihood in another way: one strength at a time, by bisection of its derivative.
fn reference(games: &[Outcome], teams: usize) -> Vec<f64> {
    let mut x = vec![0.0_f64; teams + 1];
    let chance = |odds: f64| 1.0 / (1.0 + (-odds).exp());
    for _ in 0..2000 {
        let mut moved = 0.0_f64;
        for k in 0..=teams {
            let concerned: Vec<&Outcome> =
                games.iter().filter(|g| k == teams || g.home == k || g.visitor == k).collect();
            let slope = |value: f64| {
                let mut y = x.clone();
                y[k] = value;
                let sum: f64 = concerned
                    .iter()
                    .map(|g| {
                        let sign = if k == g.visitor { -1.0 } else { 1.0 };
                        sign * (chance(y[g.home] - y[g.visitor] + y[teams]) - g.home_result())
                    })
                    .sum();
                sum + RIDGE * value
            };
            let (mut low, mut high) = (-10.0, 10.0);
            for _ in 0..50 {
                let middle = f64::midpoint(low, high);
                if slope(middle) > 0.0 { high = middle } else { low = middle }
            }
            moved = moved.max((x[k] - low).abs());
            x[k] = low;
        }
        if moved < 1e-10 {
            break;
        }
    }
    x
}

#[test]
fn bradley_terry_agrees_with_an_independent_computation_on_the_season_of_2016() {
    let Ok(file) = std::fs::File::open(root().join("../shared/data/retrosheet/games_2015_2016.csv.gz")) else {
        return skip("../shared is absent");
    };
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let mut numbers = BTreeMap::new();
    let mut games = Vec::new();
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [season, _, _, home, visitor, home_runs, visitor_runs] = fields[..] else { panic!("{line}") };
        if season == "2016" {
            let next = numbers.len();
            let home = *numbers.entry(home.to_owned()).or_insert(next);
            let next = numbers.len();
            let visitor = *numbers.entry(visitor.to_owned()).or_insert(next);
            let [home_runs, visitor_runs] = [home_runs, visitor_runs].map(|runs| runs.parse().unwrap());
            games.push(Outcome { home, visitor, home_runs, visitor_runs });
        }
    }
    assert_eq!((numbers.len(), games.len()), (30, 2428));
    let expected = reference(&games, numbers.len());
    let found = bradley_terry(&Schedule::new(numbers.len(), games).unwrap()).unwrap();
    for (team, number) in &numbers {
        let (found, expected) = (found.strengths[*number], expected[*number]);
        assert!((found - expected).abs() < 1e-6, "{team}: {found} and {expected}");
    }
    assert!((found.home - expected[numbers.len()]).abs() < 1e-6);
}
