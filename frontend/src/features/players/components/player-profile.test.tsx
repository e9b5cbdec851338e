import { act, screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { PlayerProfile } from '@/features/players/components/player-profile'
import { SessionProvider } from '@/lib/session'
import { fake } from '@/testing/fake-supabase'
import { renderRoutes } from '@/testing/render-app'

vi.mock('@/lib/supabase', async () => (await import('@/testing/fake-supabase')).fakeModule)

const VIDEOS = [
  { id: 'v1', title: 'Doubles', url: 'https://video.test/1', path: null, recorded_on: null },
  { id: 'v2', title: 'Port', url: 'https://x.test:99999/', path: null, recorded_on: null },
  { id: 'v3', title: 'Script', url: 'javascript:alert(1)', path: null, recorded_on: null },
  { id: 'v4', title: 'Nothing', url: null, path: null, recorded_on: null },
]
const BATTING = { id: 'b1', season: 2026, team_name: 'Gulls', g: 20, pa: 80, ab: 70, h: 21, avg: 0.3 }
const MEASURED = {
  id: 'm1',
  player_id: 'ann',
  kind: 'exit_velocity',
  value: 84.2,
  unit: 'mph',
  taken_at: '2026-05-01',
  source: 'self',
  event: 'https://x.test:99999/',
  verified_at: null,
  measurement_kinds: { label: 'Exit velocity', decimals: 1 },
}
const nothing = () => null

beforeEach(() => {
  fake.reset()
  fake.answers = {
    players: { data: { positions: ['SS'], bio: 'https://x.test:99999/', player_academics: null } },
    player_percentiles: { data: [] },
    measurement_kinds: { data: [{ kind: 'exit_velocity', label: 'Exit velocity', unit: 'mph', decimals: 1 }] },
    measurements: { data: [MEASURED] },
    batting_lines: { data: [BATTING] },
    pitching_lines: { data: [] },
    videos: { data: VIDEOS },
    commitments: { data: [] },
    team_members: { data: [] },
    scorebook_of: { data: { batting: [], pitching: [], games: [] } },
  }
})

const profile = (
  <PlayerProfile
    id="ann"
    name="Ann"
    role="player"
    photo={null}
    own={false}
    slots={{ care: nothing, teams: nothing, desk: nothing, spray: nothing }}
  />
)
const show = async () => {
  renderRoutes([{ path: '/', element: profile }], '/', (page) => <SessionProvider>{page}</SessionProvider>)
  await fake.say('INITIAL_SESSION', null)
}

const RATE = {
  metric: 'avg',
  label: 'Batting average',
  value: 0.342,
  unit: '',
  percentile: 84,
  n: 41,
  class: 2027,
  position: 'IF',
  same_age: false,
  source: 'scorebook',
  verified: false,
  taken_at: null,
  tries: 31,
  season: new Date().getFullYear(),
}

test('percentiles stand by evidence, under one sentence about the group; the head shows key numbers', async () => {
  fake.answers.player_percentiles = {
    data: [
      RATE,
      { ...RATE, metric: 'obp', label: 'On-base percentage', percentile: 88 },
      {
        ...RATE,
        metric: 'bat_speed',
        label: 'Bat speed',
        source: 'self',
        tries: null,
        season: null,
        taken_at: '2020-01-01',
      },
      { ...RATE, metric: 'jump', label: 'Jump', source: 'self', n: 3, percentile: null, tries: null, season: null },
    ],
  }
  await show()
  const percentiles = within(await screen.findByRole('region', { name: 'Percentiles' }))
  const booked = within(await percentiles.findByRole('group', { name: /^Scorebook/ }))
  expect(percentiles.getAllByText(/n = 41$/)).toHaveLength(1)
  expect(booked.getByText('Infielders · Class of 2027 · n = 41')).toBeTruthy()
  expect(booked.getAllByText(/few tries/)).toHaveLength(2)
  const claimed = within(percentiles.getByRole('group', { name: /^Not verified/ }))
  expect(claimed.getByText(/over a year old/)).toBeTruthy()
  expect(claimed.getByText('Too few to compare, n = 3')).toBeTruthy()
  const header = screen.getByRole('heading', { level: 1, name: 'Ann' }).closest('header')
  expect(header).not.toBeNull()
  const head = within(header ?? document.body)
  expect(head.getByText('AVG').parentElement?.textContent).toContain('.342')
  expect(head.getByText('2 of 4 numbers verified or scorebook')).toBeTruthy()
})

test('the scorebook has seasons, marks of teams that nobody verified, and a log with links to games', async () => {
  const counts = { r: 1, doubles: 0, triples: 0, hr: 1, rbi: 3, bb: 0, so: 0, hbp: 0, sf: 0, sb: 0, cs: 0 }
  const season = {
    season: 2026,
    name: '',
    team_id: 't1',
    team: 'Owls',
    vetted: true,
    g: 9,
    pa: 40,
    ab: 40,
    h: 12,
    ...counts,
  }
  fake.answers.scorebook_of = {
    data: {
      batting: [season, { ...season, team_id: 't2', team: 'Jays', vetted: false }],
      pitching: [],
      games: Array.from({ length: 7 }, (_, place) => ({
        id: `g${place}`,
        played_on: '2026-05-09',
        home: place === 0,
        opponent: `Team ${place}`,
        runs: 6,
        allowed: 4,
        batting: { ...counts, pa: 4, ab: 4, h: 2 },
        pitching: null,
      })),
    },
  }
  await show()
  await screen.findByText('Last games')
  const seasons = within(screen.getByRole('region', { name: 'Scorebook seasons' }))
  expect(seasons.getAllByText('.300')).toHaveLength(4)
  expect(seasons.getAllByText('Team not verified: not ranked')).toHaveLength(1)
  const log = within(screen.getByRole('region', { name: 'Last games' }))
  expect(log.getByRole('link', { name: 'vs Team 0' }).getAttribute('href')).toBe('/games/g0')
  expect(log.getAllByText('2-4, HR, 3 RBI, R')).toHaveLength(5)
  act(() => log.getByRole('button', { name: 'Show 7 games' }).click())
  expect(log.getAllByText('W 6–4')).toHaveLength(7)
})

test('without a scored game the page says so', async () => {
  await show()
  expect(await screen.findByText('No public scored game yet')).toBeTruthy()
})

// Issue 10, C1: such rows may be older than the check of links.
test('a profile with links that no browser opens is shown, on the screen and on paper', async () => {
  await show()
  const videos = within(await screen.findByRole('region', { name: 'Videos' }))
  expect((await videos.findByRole('link', { name: 'Doubles' })).getAttribute('href')).toBe('https://video.test/1')
  for (const title of ['Port', 'Script', 'Nothing']) {
    expect(videos.getByText(title)).toBeTruthy()
    expect(videos.queryByRole('link', { name: title })).toBeNull()
  }
  expect(videos.getAllByText('The link does not work')).toHaveLength(3)
  expect(screen.getByText('Exit velocity')).toBeTruthy()
  expect(screen.getByText('Gulls')).toBeTruthy()
  act(() => void window.dispatchEvent(new Event('beforeprint')))
  expect(screen.getAllByText(/Doubles/).length).toBeGreaterThan(1)
  expect(screen.getAllByText('Gulls').length).toBeGreaterThan(1)
})
