import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '../../src/types/database.ts'
import { Dugout } from '../dugout.ts'
import { simulate, type Team } from './simulate.ts'

/*
 * Writes supabase/seeds/demo_season.sql: `npm run seed-season`, after the engine or its tables have changed.
 *
 * Simulates a few games of the invented teams play by play, scores them with the function `score` of the real binary, and rates
 * the teams with `rank`. The saved rows are read back and written to the file, so that seeding needs no server. seed.spec.ts
 * computes them again from the plays (`dugout stats verify`).
 */

const FILE = resolve(import.meta.dirname, '../../../supabase/seeds/demo_season.sql')
const TEAMS = ['Cedar Falls Herons', 'Juniper Ridge Miners', 'Alder Creek Pilots', 'Harbor Point Anchors'] as const
/** The home team's number, the visitors', and how many days ago they played. */
const GAMES = [
  [0, 1, 6],
  [1, 3, 4],
  [0, 2, 1],
] as const
const POSITIONS: Readonly<Record<string, number>> = {
  C: 2,
  '1B': 3,
  '2B': 4,
  '3B': 5,
  SS: 6,
  LF: 7,
  CF: 8,
  RF: 9,
  OF: 7,
}

type Client = SupabaseClient<Database>
type Player = { athlete: string; number: number; position: string; jersey: string | null }
type Entry = {
  athlete: string
  side: 0 | 1
  jersey: string | null
  order: number | null
  position: number | null
  name?: string
}

const uuid = (name: string) => {
  const hash = createHash('md5').update(`dugout season ${name}`).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20)}`
}

const dugout = await Dugout.start({ seeded: true, tokenLife: 3600 })

async function played(home: number, visitor: number, days: number): Promise<string> {
  const client = await coachOf(home)
  const roster = await rosterOf(home)
  const own = nine(roster)
  const [entries, teams] = lineups(own, roster, visitor)
  const opponent = TEAMS[visitor] ?? ''
  const team_id =
    (await dugout.query<{ id: string }>('select id from public.teams where name = $1', [TEAMS[home]]))[0]?.id ?? ''
  const date = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
  const { data: game, error } = await client.rpc('create_game', {
    team_id,
    opponent,
    is_home: true,
    played_on: date,
    is_public: true,
  })
  if (error) throw error
  const records = Array.from({ length: 500 }, (_, seed) => simulate(teams, seed + 1000 * days + 7)).find(isGame)
  if (!records) throw new Error('No game of seven innings was found.')
  const plays = records.map((record, at) => ({ id: uuid(`${days} ${at}`), record }))
  const body = { game, device: uuid(`device ${days}`), lineups: entries, plays, status: 'final' }
  const answer = await client.functions.invoke<unknown>('score', { body })
  const problem: unknown = answer.error
  if (problem instanceof Error)
    throw new Error(await ((problem as Error & { context?: Response }).context?.text() ?? ''), { cause: problem })
  const [{ entry } = { entry: '' }] = await dugout.query<{ entry: string }>(READ_BACK, [game, JSON.stringify(entries)])
  return literal(home, opponent, days, named(shortened(entry), game, roster))
}

const isGame = (records: string[] | undefined): records is string[] => {
  const runs = records?.filter((record) => /-H|HR/.test(record)).length ?? 0
  return runs >= 4 && runs <= 12
}

/** What private.save_scoring() was given, from the tables that it filled. */
const READ_BACK = `
  select jsonb_build_object(
    'lineups', $2::jsonb,
    'plays', (select jsonb_agg(jsonb_build_object('id', p.id, 'record', p.record) order by p.seq) from public.plays as p where p.game_id = g.id),
    'current', (select jsonb_agg(jsonb_build_object('id', p.id, 'outcome', p.outcome) order by p.ord) from public.plays as p where p.game_id = g.id),
    'lines', jsonb_build_object(
      'score', (select jsonb_agg(to_jsonb(l) order by l.side) from public.line_scores as l where l.game_id = g.id),
      'batting', (select jsonb_agg(to_jsonb(l) order by l.side, l.bat_order, l.athlete_id) from public.player_game_batting as l where l.game_id = g.id),
      'pitching', (select jsonb_agg(to_jsonb(p) order by p.side, p.number) from public.player_game_pitching as p where p.game_id = g.id),
      'fielding', (select jsonb_agg(to_jsonb(l) order by l.side, l.position, l.athlete_id) from public.player_game_fielding as l where l.game_id = g.id)),
    'state', jsonb_build_object('status', g.status, 'ended', g.ended, 'visitor_runs', g.visitor_runs, 'home_runs', g.home_runs,
      'inning', g.inning, 'batting', g.batting, 'outs', g.outs, 'balls', g.balls, 'strikes', g.strikes, 'on_first', g.on_first,
      'on_second', g.on_second, 'on_third', g.on_third, 'batter_id', g.batter_id, 'pitcher_id', g.pitcher_id))::text as entry
  from public.games as g where g.id = $1`

/** The teams' ratings as private.save_rating() takes them. */
async function rated(): Promise<string> {
  const { ANON_KEY, SERVICE_ROLE_KEY } = await dugout.status()
  const season = new Date().getFullYear()
  const response = await fetch(`${dugout.url}/functions/v1/rank`, {
    method: 'POST',
    headers: { apikey: ANON_KEY, Authorization: `Bearer ${SERVICE_ROLE_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ kind: 'teams', season }),
  })
  if (!response.ok) throw new Error(await response.text())
  const [{ run } = { run: '' }] = await dugout.query<{ run: string }>(`
    select jsonb_build_object('kind', r.kind, 'method', r.method, 'params', r.params, 'hash', r.data_hash, 'ratings', (
      select jsonb_agg(to_jsonb(t) - 'run_id' - 'team_id' || jsonb_build_object('id', t.team_id) order by t.team_id)
      from public.team_ratings as t where t.run_id = r.id))::text as run
    from public.rating_runs as r`)
  return run
}

async function coachOf(team: number): Promise<Client> {
  const { ANON_KEY } = await dugout.status()
  const client = createClient<Database>(dugout.url, ANON_KEY, { auth: { persistSession: false } })
  const [{ email } = { email: '' }] = await dugout.query<{ email: string }>(
    'select email from auth.users where id = $1',
    [`d0600000-0000-4000-8000-${String(201 + team).padStart(12, '0')}`],
  )
  const { error } = await client.auth.signInWithPassword({ email, password: 'dugout-demo' })
  if (error) throw error
  return client
}

const rosterOf = (team: number) =>
  dugout.query<Player>(
    `select i.athlete_id as athlete, right(i.user_id::text, 12)::integer as number, p.positions[1] as position, p.jersey
     from public.rosters as r join public.athlete_identities as i on i.athlete_id = r.athlete_id
     join public.players as p on p.user_id = i.user_id join public.teams as t on t.id = r.team_id
     where t.name = $1 order by 2`,
    [TEAMS[team]],
  )

/** Eight who play the field, one of each position. */
function nine(roster: readonly Player[]): Player[] {
  const places = ['CF', '2B', 'SS', '1B', '3B', 'C', 'RF', 'LF']
  return places.map((place) => {
    const found = roster.find(({ position }) => position === place)
    if (!found) throw new Error(`Nobody plays ${place}.`)
    return found
  })
}

function lineups(own: readonly Player[], roster: readonly Player[], visitor: number): [Entry[], [Team, Team]] {
  const [starter, reliever] = roster.filter(({ position }) => position === 'P')
  if (!starter || !reliever) throw new Error('There are not two pitchers.')
  const entries: Entry[] = [...own, starter].map(({ athlete, jersey, position }, at) => ({
    athlete,
    side: 1,
    jersey,
    order: at + 1,
    position: POSITIONS[position] ?? 1,
  }))
  entries.push({ athlete: reliever.athlete, side: 1, jersey: reliever.jersey, order: null, position: null })
  const guests = Array.from({ length: 10 }, (_, at) => uuid(`guest ${visitor} of ${own[0]?.number ?? 0} ${at}`))
  guests.forEach((athlete, at) => {
    const plays = at < 9
    const position = at === 8 ? 1 : at + 2
    entries.push({
      athlete,
      side: 0,
      jersey: String(at + 2),
      order: plays ? at + 1 : null,
      position: plays ? position : null,
      name: `No. ${at + 2}`,
    })
  })
  const order = [...own, starter].map(({ athlete }) => athlete)
  return [
    entries,
    [
      { order: guests.slice(0, 9), starter: guests[8] ?? '', reliever: guests[9] ?? '' },
      { order, starter: starter.athlete, reliever: reliever.athlete },
    ],
  ]
}

/** JSON without the spaces that PostgreSQL writes. Numbers stay as they are, because `stats verify` tells 1.0 from 1. */
const shortened = (entry: string) => entry.replaceAll('": ', '":').replaceAll(', "', ',"').replaceAll('}, {', '},{')

/** Ids that a new database gives out are written as {game} and {7}, the number of the player. */
function named(entry: string, game: string, roster: readonly Player[]): string {
  const players = roster.reduce((text, { athlete, number }) => text.replaceAll(athlete, `{${number}}`), entry)
  return players.replaceAll(game, '{game}')
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const literal = (home: number, opponent: string, days: number, entry: string) =>
  `  (${home}, ${quoted(opponent)}, ${days}, ${quoted(entry)})`

function fileOf(games: readonly string[], run: string): string {
  return `-- The season of the invented teams: games, what they brought to the timeline, and a ranking.
-- Generated by \`npm run seed-season\` (frontend/e2e/seed/season.ts): the function score computed all of it from the plays.

create temporary table season_games (home integer, opponent text, days integer, entry text) on commit drop;
insert into season_games (home, opponent, days, entry) values
${games.join(',\n')};

do $season$
declare
  played record;
  team uuid;
  coach uuid;
  game uuid;
  device uuid;
  entry text;
  who record;
begin
  -- Only beside the people of demo.sql, and once.
  if not exists (select from public.users where id = 'd0600000-0000-4000-8000-000000000201') or exists (select from public.games where owner_team_id is not null) then
    return;
  end if;
  for played in select s.* from season_games as s order by s.days desc loop
    coach := ('d0600000-0000-4000-8000-' || lpad((201 + played.home)::text, 12, '0'))::uuid;
    select m.team_id into team from public.team_members as m where m.user_id = coach and m.role = 'coach' and m.status = 'active';
    perform set_config('request.jwt.claims', jsonb_build_object('sub', coach, 'role', 'authenticated', 'aal', 'aal1')::text, true);
    game := public.create_game(team, played.opponent, true, (now() at time zone 'utc')::date - played.days, is_public => true,
      starts_at => date_trunc('day', now()) - make_interval(days => played.days) + interval '18 hours');
    entry := replace(played.entry, '{game}', game::text);
    for who in
      select i.athlete_id, right(i.user_id::text, 12)::integer as number
      from public.rosters as r join public.athlete_identities as i on i.athlete_id = r.athlete_id
      where r.team_id = team and i.user_id is not null
    loop
      entry := replace(entry, '{' || who.number || '}', who.athlete_id::text);
    end loop;
    device := gen_random_uuid();
    perform private.begin_scoring(game, device, false);
    perform private.save_scoring(game, device, entry::jsonb);
    perform private.end_scoring(game, device);
    update public.posts set created_at = least(now(), date_trunc('day', now()) - make_interval(days => played.days) + interval '21 hours')
    where game_id = game;
  end loop;
  -- The next one.
  coach := 'd0600000-0000-4000-8000-000000000201';
  select m.team_id into team from public.team_members as m where m.user_id = coach and m.role = 'coach' and m.status = 'active';
  perform set_config('request.jwt.claims', jsonb_build_object('sub', coach, 'role', 'authenticated', 'aal', 'aal1')::text, true);
  perform public.create_game(team, 'Juniper Ridge Miners', false, (now() at time zone 'utc')::date + 2, is_public => true,
    starts_at => date_trunc('day', now()) + interval '2 days 18 hours', place => 'Ridge Field');
  perform set_config('request.jwt.claims', '{"role": "service_role"}', true);
  perform private.save_rating(jsonb_set(${quoted(run)}::jsonb, '{season}', to_jsonb(extract(year from now())::integer)));
  perform set_config('request.jwt.claims', '', true);
end
$season$;
`
}

try {
  const lines: string[] = []
  for (const [home, visitor, days] of GAMES) lines.push(await played(home, visitor, days))
  writeFileSync(FILE, fileOf(lines, await rated()))
} finally {
  await dugout.stop()
}
