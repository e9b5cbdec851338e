import type { Leader, LeaderView } from '@/data/leaderboard/model'
import { POSITION_GROUPS } from '@/lib/positions'
import { firstOf, tabOf } from '@/features/leaderboard/stats'

export const AGES: readonly (readonly [string, string])[] = [
  ['14u', '14U'],
  ['16u', '16U'],
  ['18u', '18U'],
  ['open', '19 and over'],
]

const thisYear = () => new Date().getUTCFullYear()

/** Whether the board has age groups. Those of several seasons would reveal birth years, so earlier seasons have none. */
export const hasAges = (stat: string, season: number | null) =>
  tabOf(stat) === 'measured' || season === null || season === thisYear()

/** What the address says: `?stat=ops&season=2026&class=2027&min=60&evidence=all`. What it does not know is left out. */
export function parseView(parameters: URLSearchParams): LeaderView {
  const text = (name: string, valid: RegExp) => {
    const value = parameters.get(name) ?? ''
    return valid.test(value) ? value : ''
  }
  const number = (name: string, valid: RegExp) => {
    const value = text(name, valid)
    return value === '' ? null : Number(value)
  }
  const stat = text('stat', /^[a-z\d_]{1,40}$/) || firstOf.measured
  const season = number('season', /^(19[5-9]|20)\d\d?$/)
  const age = AGES.some(([age]) => age === parameters.get('age')) ? text('age', /./) : ''
  return {
    stat,
    season,
    filters: {
      class: text('class', /^(19|20)\d\d$/),
      position: POSITION_GROUPS.some(([group]) => group === parameters.get('position')) ? text('position', /./) : '',
      state: text('state', /^[A-Z]{2}$/),
      age: hasAges(stat, season) ? age : '',
    },
    evidence: parameters.get('evidence') === 'all' ? 'all' : 'verified',
    minimum: number('min', /^\d{1,4}$/),
  }
}

export function writeView({ stat, season, filters, evidence, minimum }: LeaderView): URLSearchParams {
  const parameters = new URLSearchParams()
  if (stat !== firstOf.measured) parameters.set('stat', stat)
  if (season !== null && tabOf(stat) !== 'measured') parameters.set('season', String(season))
  for (const [name, value] of Object.entries(filters)) {
    if (value && (name !== 'age' || hasAges(stat, season))) parameters.set(name, value)
  }
  if (evidence === 'all') parameters.set('evidence', evidence)
  if (minimum !== null && tabOf(stat) !== 'measured') parameters.set('min', String(minimum))
  return parameters
}

/** Among whom ranks and percentiles count: `Infielders · Class of 2027 · Oregon`, or `All players`. */
export function groupWords(
  { class: year, position, state, age }: LeaderView['filters'],
  stateName: (code: string) => string,
) {
  const words = [
    POSITION_GROUPS.find(([group]) => group === position)?.[1],
    year && `Class of ${year}`,
    AGES.find(([name]) => name === age)?.[1],
    state && stateName(state),
  ].filter(Boolean)
  return words.length > 0 ? words.join(' · ') : 'All players'
}

/** `1,081` of 1081; the columns of the file. */
export const FILE_COLUMNS = (label: string) => [
  { id: 'rank', header: 'Rank', value: (row: Leader) => row.rank },
  { id: 'name', header: 'Player', value: (row: Leader) => row.name },
  { id: 'positions', header: 'Positions', value: (row: Leader) => row.positions.join(' ') },
  { id: 'class', header: 'Class', value: (row: Leader) => row.class },
  { id: 'state', header: 'State', value: (row: Leader) => row.state },
  { id: 'team', header: 'Team', value: (row: Leader) => row.team },
  { id: 'value', header: label, value: (row: Leader) => row.value },
  { id: 'tries', header: 'Tries', value: (row: Leader) => row.tries },
  { id: 'percentile', header: 'Percentile', value: (row: Leader) => row.percentile },
  { id: 'source', header: 'Source', value: (row: Leader) => row.source },
  { id: 'verified', header: 'Verified', value: (row: Leader) => (row.verified ? 'yes' : 'no') },
  { id: 'taken_at', header: 'Measured on', value: (row: Leader) => row.taken_at },
]

/** Where a value lies in a histogram, from 0 to 100, bars included. */
export function shareOf(
  value: number,
  { least, width, counts }: { least: number; width: number; counts: readonly unknown[] },
) {
  return Math.min(100, Math.max(0, (100 * (value - least)) / (width * counts.length)))
}
