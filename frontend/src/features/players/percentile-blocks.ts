import type { Percentile } from '@/data/players/queries'
import { innings, shortDay } from '@/lib/format'
import { groupWords } from '@/lib/positions'

/** What a number rests on, in the order of its weight. */
export type Evidence = 'scorebook' | 'verified' | 'claimed'
export const EVIDENCE: readonly (readonly [Evidence, string])[] = [
  ['scorebook', 'Scorebook'],
  ['verified', 'Verified'],
  ['claimed', 'Not verified'],
]

export function evidenceOf({ source, verified }: Pick<Percentile, 'source' | 'verified'>): Evidence {
  if (source === 'scorebook') return 'scorebook'
  return verified ? 'verified' : 'claimed'
}

/** Rows with the same evidence and the same group of comparison, which is said once, above them. */
export type Block = { evidence: Evidence; title: string; group: string; rows: Percentile[] }

export function blocksOf(rows: readonly Percentile[]): Block[] {
  return EVIDENCE.flatMap(([evidence, title]) => {
    const circles = new Map<string, Percentile[]>()
    for (const row of rows.filter((row) => evidenceOf(row) === evidence)) {
      const circle = groupWords(row)
      circles.set(circle, [...(circles.get(circle) ?? []), row])
    }
    return [...circles].map(([circle, rows]) => ({ evidence, title, rows, group: `${circle} · ${sizes(rows)}` }))
  })
}

/** `n = 412`; `n = 24–41` if not everybody has every number. */
function sizes(rows: readonly Percentile[]): string {
  const counts = rows.map(({ n }) => n)
  const [least, most] = [Math.min(...counts), Math.max(...counts)]
  return least === most ? `n = ${least}` : `n = ${least}–${most}`
}

/** Plate appearances below which a rate has no rank on leaderboards. */
const FEW_PLATE_APPEARANCES = 40
const PITCHING = ['era', 'whip', 'k9', 'bb9']
const DAYS_OF_A_YEAR = 365

export type Reading = {
  /** From few tries. */
  few: boolean
  /** From more than a year ago. */
  stale: boolean
  /** `118 PA`, `Apr 25`. */
  size: string
}

/** How far a number can be trusted. */
export function readingOf({ metric, tries, season, taken_at }: Percentile, now = new Date()): Reading {
  if (tries === null || season === null) {
    const days = taken_at === null ? 0 : (now.getTime() - Date.parse(taken_at)) / 86_400_000
    return { few: false, stale: days > DAYS_OF_A_YEAR, size: shortDay(taken_at, now) }
  }
  const pitching = PITCHING.includes(metric)
  const words = pitching ? `${innings(tries)} IP` : `${tries} PA`
  const past = season < now.getFullYear()
  return {
    // A season counts from ten innings on, which qualify.
    few: !pitching && tries < FEW_PLATE_APPEARANCES,
    // Last year's season may have ended less than a year ago.
    stale: season < now.getFullYear() - 1,
    size: past ? `${words}, ${season}` : words,
  }
}

/** The numbers for which a position is scouted, the most telling first. */
const BATTERS_KEY = [
  'avg',
  'obp',
  'ops',
  'exit_velocity_max',
  'sixty_yard_dash',
  'infield_velocity',
  'outfield_velocity',
  'pop_time',
]
const PITCHERS_KEY = ['era', 'k9', 'bb9', 'fastball_max', 'whip']
const KEY_NUMBERS = 5

/** Up to five numbers for the head of the page; what the position is not scouted for follows, best first. */
export function keyNumbers(rows: readonly Percentile[], positions: readonly string[]): Percentile[] {
  const wanted = positions[0] === 'P' ? PITCHERS_KEY : BATTERS_KEY
  const place = ({ metric }: Percentile) => (wanted.includes(metric) ? wanted.indexOf(metric) : wanted.length)
  return [...rows]
    .sort((one, other) => place(one) - place(other) || (other.percentile ?? -1) - (one.percentile ?? -1))
    .slice(0, KEY_NUMBERS)
}
