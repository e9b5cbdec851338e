import { expect, test } from 'vitest'
import { bestOf, measured, newsWords, type NewsRow } from '@/data/home/feed'
import type { HomeGame, NumberChange } from '@/data/home/games'
import type { HomeAnswer } from '@/data/home/queries'
import { answerOf, firstName, today } from '@/features/home/model'
import type { Role } from '@/lib/role'

test.each([
  ['Ana Maria Ruiz', 'ana.ruiz@x.test', 'Ana'],
  ['  ', 'ana.ruiz@x.test', 'ana.ruiz'],
  ['', 'ana.ruiz@x.test', 'ana.ruiz'],
  ['', null, 'friend'],
])('%j with %j is called %s', (fullName, email, name) => {
  expect(firstName(fullName, email)).toBe(name)
})

test('the day is the reader’s', () => {
  expect(today(new Date(2026, 4, 16, 0, 30))).toBe('Saturday, May 16')
})

test('the best percentiles come first, and what cannot be compared not at all', () => {
  const rows = [3, null, 80, 99, 12, 40].map((percentile) => ({ percentile }))
  expect(bestOf(rows).map(({ percentile }) => percentile)).toEqual([99, 80, 40, 12])
})

test('news reads in words', () => {
  const row: NewsRow = {
    id: 'n',
    player_id: 'p',
    full_name: 'Ana',
    kind: 'measurement',
    what: 'Exit velocity',
    value: 84.25,
    unit: 'mph',
    decimals: 1,
    verified: true,
    happened_on: '2026-11-01',
  }
  expect(newsWords(row)).toBe('Exit velocity 84.3 mph, verified')
  expect(newsWords({ ...row, value: 84, verified: false })).toBe('Exit velocity 84.0 mph')
  expect(newsWords({ ...row, kind: 'video', what: 'Doubles', value: null })).toBe('Video: Doubles')
  const words = ['committed', 'signed', 'withdrawn'].map((kind) =>
    newsWords({ ...row, kind, what: 'Timber State', value: null }),
  )
  expect(words).toEqual([
    'Committed to Timber State',
    'Signed with Timber State',
    'No longer committed to Timber State',
  ])
  expect(measured({ label: 'Spin', value: 1980, unit: '', decimals: 0 })).toBe('Spin 1980')
})

const NOW = new Date(2026, 4, 16, 12)
const GAME = { id: 'g', own: true, status: 'scheduled', played_on: '2026-05-16' } as HomeGame
const CHANGE = {
  player_id: 'p',
  label: 'Exit velocity',
  was: 92.8,
  now: 94.6,
  decimals: 1,
  unit: 'mph',
} as NumberChange
const ASKING = [{ id: 'k', team_id: 't', full_name: 'Kit', created_at: '2026-05-01' }]

type Facts = Partial<Omit<HomeAnswer, 'games'> & { games: HomeGame[] }>
const cases: [Role, Facts, string][] = [
  ['player', { games: [GAME] }, 'Game day, Ana'],
  ['player', { games: [{ ...GAME, status: 'live' }] }, 'Game on, Ana'],
  ['player', { games: [{ ...GAME, played_on: '2026-05-20' }] }, 'Game on Wednesday, Ana'],
  ['player', { games: [{ ...GAME, own: false }], tasks: [{ task: 'facts', done: false }] }, '1 step to begin, Ana'],
  ['player', { player: { changes: [CHANGE], percentiles: [], missing: [], due: [] } }, 'Exit velocity up 1.8 mph, Ana'],
  [
    'coach',
    { games: [GAME], coach: { has_team: true, waiting: 1, asking: ASKING, unverified: [], arms: [] } },
    'Game day, 1 request waits, Ana',
  ],
  [
    'coach',
    { coach: { has_team: true, waiting: 40, asking: ASKING, unverified: [], arms: [] } },
    '40 requests wait, Ana',
  ],
  ['scout', { listed: [CHANGE, { ...CHANGE, player_id: 'q' }, CHANGE] }, '2 of your players moved, Ana'],
  [
    'scout',
    { listed: [CHANGE, { ...CHANGE, player_id: 'q', was: null }, { ...CHANGE, player_id: 'r', now: 92.8 }] },
    '1 of your players moved, Ana',
  ],
  ['scout', { listed: Array.from({ length: 20 }, () => CHANGE) }, 'Players on your lists moved, Ana'],
  ['fan', { games: [{ ...GAME, own: false, status: 'live' }] }, '1 live game, Ana'],
  ['admin', { totals: { open_reports: 3 } as NonNullable<HomeAnswer['totals']> }, '3 open reports, Ana'],
  ['admin', {}, 'Ana'],
]
test.each(cases)('the answer for a %s %#', (role, facts, answer) => {
  const account = { full_name: 'Ana Ruiz', email: null }
  expect(answerOf(role, { account, games: [], ...facts }, NOW)).toBe(answer)
})
