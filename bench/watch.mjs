// A game with many watchers:  node bench/watch.mjs URL ANON_KEY [WATCHERS] [PLAYS]
// Prints how long plays take from the scorer's request to its reply, to the message at each watcher, and until each watcher has
// loaded the game and its plays again.
import { randomUUID } from 'node:crypto'
import http from 'node:http'

const [url, key, watchers = '200', plays = '60'] = process.argv.slice(2)
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity })

// Not fetch, which would take this process more time than the server needs.
const send = (method, path, token, body) =>
  new Promise((resolve, reject) => {
    const headers = { apikey: key, authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const request = http.request(url + path, { method, agent, headers }, (answer) => {
      const parts = []
      answer.on('data', (part) => parts.push(part))
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString()
        if (answer.statusCode < 300) resolve(text)
        else reject(new Error(`${method} ${path}: ${answer.statusCode} ${text}`))
      })
    })
    request.on('error', reject)
    request.end(body && JSON.stringify(body))
  })
const post = async (path, token, body) => JSON.parse((await send('POST', path, token, body)) || 'null')

// The columns of frontend/src/data/games/queries.ts.
const GAME = `id, owner_team_id, visitor_name, home_name, played_on, place, innings, home_bats_first, status, ended, visitor_runs,
  home_runs, inning, batting, outs, balls, strikes, pitches, on_first, on_second, on_third, batter_id, pitcher_id, revision,
  line_scores(*), player_game_batting(*), player_game_pitching(*), lineups(athlete_id, side, jersey, bat_order, position,
  athletes(initial, athlete_identities(full_name, user_id, profiles(full_name))))`.replace(/\s+/g, '')

const { access_token: coach, user } = await post('/auth/v1/token?grant_type=password', key, {
  email: 'coach@dugout.test',
  password: 'dugout-demo',
})
const [team] = JSON.parse(
  await send('GET', `/rest/v1/team_members?select=team_id&role=eq.coach&user_id=eq.${user.id}&limit=1`, coach),
)
const game = await post('/rest/v1/rpc/create_game', coach, {
  team_id: team.team_id,
  opponent: 'Guests',
  is_home: true,
  played_on: '2027-04-01',
  is_public: true,
  innings: 9,
})
const lineups = [0, 1].flatMap((side) =>
  Array.from({ length: 9 }, (_, at) => ({
    athlete: randomUUID(),
    side,
    order: at + 1,
    position: at === 8 ? 1 : at + 2,
    name: `No. ${at + 1}`,
  })),
)
const device = randomUUID()
const score = (members) => post('/functions/v1/score', coach, { game, device, ...members })
await score({ lineups })

// Times by the play's number: when it was sent, and what each watcher saw of it.
const begun = []
const times = { saved: [], heard: [], loaded: [] }
let joined = 0
const now = () => Number(process.hrtime.bigint()) / 1e6

async function load(revision) {
  const paths = [
    `/rest/v1/games?select=${encodeURIComponent(GAME)}&id=eq.${game}`,
    `/rest/v1/plays?select=id,record,outcome&game_id=eq.${game}&ord=not.is.null&order=ord`,
  ]
  const [row] = await Promise.all(paths.map((path) => send('GET', path, key)))
  if (JSON.parse(row)[0].revision < revision) throw new Error('an older game than the one announced')
  times.loaded.push(now() - begun[revision])
}

function watch() {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${key}&vsn=1.0.0`)
  const changes = [{ event: 'UPDATE', schema: 'public', table: 'games', filter: `id=eq.${game}` }]
  const payload = { config: { private: true, postgres_changes: changes }, access_token: key }
  const tell = (topic, event, content) => socket.send(JSON.stringify({ topic, event, payload: content, ref: '1', join_ref: '1' }))
  socket.onopen = () => tell(`realtime:game:${game}`, 'phx_join', payload)
  socket.onerror = ({ message }) => {
    throw new Error(`a watcher was cut off: ${message}`)
  }
  socket.onmessage = ({ data }) => {
    const { event, payload: told } = JSON.parse(data)
    if (event === 'phx_reply' && told.status !== 'ok') throw new Error(`a watcher may not join: ${data}`)
    // Then the database sends its changes.
    if (event === 'system' && told.extension === 'postgres_changes') joined += 1
    if (event !== 'postgres_changes') return
    const { revision } = told.data.record
    if (!begun[revision]) return
    times.heard.push(now() - begun[revision])
    void load(revision)
  }
  setInterval(() => tell('phoenix', 'heartbeat', {}), 25_000).unref()
  return socket
}

const sockets = Array.from({ length: Number(watchers) }, watch)
for (const end = Date.now() + 30_000; joined < sockets.length && Date.now() < end; ) await pause(50)
if (joined < sockets.length) throw new Error(`${joined} of ${sockets.length} watchers joined`)

const due = [0, 0]
for (let number = 0; number < Number(plays); number += 1) {
  const half = Math.floor(number / 3)
  const side = half % 2
  const batter = lineups[side * 9 + (due[side]++ % 9)].athlete
  const record = `play,${Math.floor(half / 2) + 1},${side},${batter},??,,K`
  const sent = now()
  begun[number + 2] = sent
  await score({ plays: [{ id: randomUUID(), record }] })
  times.saved.push(now() - sent)
  await pause(Math.max(0, 1000 - (now() - sent)))
}
await pause(3000)

const expected = sockets.length * Number(plays)
for (const [name, all] of Object.entries(times)) {
  all.sort((one, other) => one - other)
  const at = (share) => `${Math.round(all[Math.min(all.length - 1, Math.floor(all.length * share))])} ms`
  const of = name === 'saved' ? Number(plays) : expected
  console.log(`${name}: ${all.length} of ${of}, p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, max ${at(1)}`)
}
process.exit(times.heard.length === expected && times.loaded.length === expected ? 0 : 1)
