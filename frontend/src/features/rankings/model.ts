import { POSITION_GROUPS } from '@/lib/positions'
import { decimal, rate, UNKNOWN } from '@/lib/format'
import {
  isTeam,
  type Part,
  type Ranked,
  type RankedPlayer,
  type RankView,
  type Run,
  type Weights,
} from '@/data/rankings/model'

/** Nine of ten, and one of two, of a bell curve lie within so many deviations. */
export const NINE_IN_TEN = 1.645
export const ONE_IN_TWO = 0.674

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** What the address says: `?kind=teams&state=OR&season=2025` or `?class=2027&hitters=20-25-15-25-5&pitchers=35-25-15-10-5`. */
export function parseView(parameters: URLSearchParams): RankView {
  const text = (name: string, valid: RegExp) => {
    const value = parameters.get(name) ?? ''
    return valid.test(value) ? value : ''
  }
  const kind = parameters.get('kind') === 'teams' ? 'teams' : 'players'
  const hitter = parseWeights(parameters.get('hitters'))
  const pitcher = parseWeights(parameters.get('pitchers'))
  const group = parameters.get('position') ?? ''
  return {
    kind,
    filters: {
      state: text('state', /^[A-Z]{2}$/),
      class: text('class', /^(19|20)\d\d$/),
      position: POSITION_GROUPS.some(([one]) => one === group) ? group : '',
      league: text('league', UUID),
    },
    weights: kind === 'players' && hitter && pitcher ? { hitter, pitcher } : null,
    season: kind === 'teams' ? Number(text('season', /^(19|20)\d\d$/)) || null : null,
  }
}

export function writeView({ kind, filters, weights, season }: RankView): URLSearchParams {
  const parameters = new URLSearchParams()
  if (kind === 'teams') parameters.set('kind', kind)
  const fitting = kind === 'teams' ? (['state', 'league'] as const) : (['state', 'class', 'position'] as const)
  for (const name of fitting) if (filters[name]) parameters.set(name, filters[name])
  if (season !== null && kind === 'teams') parameters.set('season', String(season))
  if (weights && kind === 'players') {
    parameters.set('hitters', weights.hitter.join('-'))
    parameters.set('pitchers', weights.pitcher.join('-'))
  }
  return parameters
}

function parseWeights(text: string | null): number[] | null {
  const list = /^\d{1,3}(-\d{1,3}){4}$/.test(text ?? '') ? (text ?? '').split('-').map(Number) : []
  return list.length === 5 && list.every((weight) => weight <= 100) && list.some((weight) => weight > 0) ? list : null
}

export const sameWeights = (a: Weights, b: Weights) =>
  a.hitter.join() === b.hitter.join() && a.pitcher.join() === b.pitcher.join()

const PARTS: Readonly<Record<string, string>> = {
  sixty: '60-yard dash',
  exit: 'Exit velocity',
  arm: 'Arm',
  bat: 'wOBA in games',
  size: 'Height',
  fastball: 'Fastball',
  command: 'K-BB%',
  strikes: 'Strike share',
  spin: 'Spin',
}

export const partName = (part: string) => PARTS[part] ?? part

/** What is behind a part: `6.92 s`, `.342 in 61 PA`. */
export function partValue({ metric, value, tries }: Part): string {
  const share = `${decimal(100 * value, 1)}%`
  switch (metric) {
    case 'woba':
      return `${rate(value)} in ${tries ?? 0} PA`
    case 'k_bb_rate':
      return `${share} of ${tries ?? 0} batters`
    case 'strike_rate':
      return `${share} of ${tries ?? 0} pitches`
    case 'height':
      return `${decimal(value, 0)} in`
    case 'spin_rate':
      return `${decimal(value, 0)} rpm`
    case 'sixty_yard_dash':
    case 'pop_time':
      return `${decimal(value)} s`
    default:
      return `${decimal(value, 1)} mph`
  }
}

export const GROUPS = { class: 'same class and position', position: 'same position', all: 'all players' } as const

/** `+2.4`, `−1.1` */
export const signed = (points: number) => `${points < 0 ? '−' : '+'}${decimal(Math.abs(points), 1)}`

/** `likely 4–11` */
export const likely = ({ best, worst }: Pick<Ranked, 'best' | 'worst'>) =>
  best === worst ? `likely ${best ?? UNKNOWN}` : `likely ${best ?? UNKNOWN}–${worst ?? UNKNOWN}`

/** Rates of games: how much they narrow the range depends on how many games there will be. */
const OF_GAMES = ['bat', 'command', 'strikes']

/**
 * The part whose measurement would narrow the range most, with the range before and after in points to either side; null
 * where all is measured.
 */
export function narrowest(row: RankedPlayer, run: Run, weights: Weights) {
  const kind = row.pitcher ? 'pitcher' : 'hitter'
  const { doubts, parts } = run.params
  if (!doubts || !parts) return null
  const total = weights[kind].reduce((sum, weight) => sum + weight, 0)
  const missing = parts[kind].flatMap((part, index) => {
    const weight = weights[kind][index] ?? 0
    return row.parts[index] || weight === 0 || OF_GAMES.includes(part) ? [] : [{ part, weight }]
  })
  const [first] = missing.sort((a, b) => b.weight - a.weight)
  if (!first) return null
  const share = (10 * first.weight) / total
  const after = Math.sqrt(Math.max(0, row.sd ** 2 - share ** 2 * (doubts.unknown ** 2 - doubts.measured ** 2)))
  return { part: first.part, before: NINE_IN_TEN * row.sd, after: NINE_IN_TEN * after }
}

/** Places where a list is cut: a tier ends where the first in it is, nine times in ten, better than the next. */
export function tiers(rows: readonly Pick<Ranked, 'value' | 'sd'>[]): number[] {
  const starts: number[] = []
  let first: (typeof rows)[number] | undefined
  rows.forEach((row, index) => {
    if (!first || first.value - row.value > 1.282 * Math.hypot(first.sd, row.sd)) {
      first = row
      starts.push(index)
    }
  })
  return starts
}

/** An axis over the ranges of all rows: three to six ticks on round numbers. */
export function axisOf(rows: readonly Pick<Ranked, 'value' | 'sd'>[]) {
  const least = Math.min(...rows.map(({ value, sd }) => value - NINE_IN_TEN * sd))
  const most = Math.max(...rows.map(({ value, sd }) => value + NINE_IN_TEN * sd))
  const rough = Math.max(most - least, 1) / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough) ?? 10 * power
  const from = Math.floor(least / step) * step
  const to = Math.ceil(most / step) * step
  const ticks = Array.from({ length: Math.round((to - from) / step) + 1 }, (_, index) => from + index * step)
  return { ticks, at: (value: number) => (100 * (value - from)) / (to - from) }
}

export type Axis = ReturnType<typeof axisOf>

/** The columns of the file. */
export const FILE_COLUMNS = [
  { id: 'rank', header: 'Rank', value: (row: Ranked) => row.rank },
  { id: 'previous', header: 'Previous rank', value: (row: Ranked) => row.previous },
  { id: 'name', header: 'Name', value: (row: Ranked) => row.name },
  { id: 'state', header: 'State', value: (row: Ranked) => row.state },
  { id: 'about', header: 'Class or league', value: (row: Ranked) => (isTeam(row) ? row.league : row.class) },
  { id: 'value', header: 'Rating', value: (row: Ranked) => row.value },
  { id: 'sd', header: 'Standard deviation', value: (row: Ranked) => row.sd },
  { id: 'best', header: 'Likely best place', value: (row: Ranked) => row.best },
  { id: 'worst', header: 'Likely worst place', value: (row: Ranked) => row.worst },
]
