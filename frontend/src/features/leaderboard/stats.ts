import { decimal, innings, rate } from '@/lib/format'

export const TABS = ['measured', 'batting', 'pitching'] as const
export type Tab = (typeof TABS)[number]

export type Stat = {
  name: string
  label: string
  /** What it measures, in a sentence. */
  definition: string
  unit: string
  format: (value: number) => string
  /** Amounts have no heat: more of them is also more games. */
  amount: boolean
}

const percent = (value: number) => decimal(value, 1)
const whole = (value: number) => String(value)
const stat = (name: string, label: string, format: Stat['format'], definition: string, unit = ''): Stat => ({
  name,
  label,
  definition,
  unit,
  format,
  amount: format === whole,
})

/** The statistics of a season that the database ranks. */
export const SEASON_STATS: Readonly<Record<'batting' | 'pitching', readonly Stat[]>> = {
  batting: [
    stat('ops', 'OPS', rate, 'On-base percentage plus slugging.'),
    stat('avg', 'AVG', rate, 'Hits per at-bat.'),
    stat('obp', 'OBP', rate, 'How often the batter reaches base by a hit, a walk or a hit-by-pitch.'),
    stat('slg', 'SLG', rate, 'Total bases per at-bat.'),
    stat('bb_rate', 'BB%', percent, 'Walks per 100 plate appearances.', '%'),
    stat('k_rate', 'K%', percent, 'Strikeouts per 100 plate appearances. Lower is better.', '%'),
    stat('h', 'Hits', whole, 'Hits in the season.'),
    stat('hr', 'HR', whole, 'Home runs in the season.'),
    stat('rbi', 'RBI', whole, 'Runs batted in in the season.'),
    stat('sb', 'SB', whole, 'Stolen bases in the season.'),
  ],
  pitching: [
    stat('era', 'ERA', (value) => decimal(value), 'Earned runs per 9 innings. Lower is better.'),
    stat('whip', 'WHIP', (value) => decimal(value), 'Walks and hits per inning. Lower is better.'),
    stat('k9', 'K/9', percent, 'Strikeouts per 9 innings.'),
    stat('bb9', 'BB/9', percent, 'Walks per 9 innings. Lower is better.'),
    stat('so', 'SO', whole, 'Strikeouts in the season.'),
    stat('w', 'Wins', whole, 'Wins in the season.'),
    stat('sv', 'Saves', whole, 'Saves in the season.'),
  ],
}

type Kind = { kind: string; label: string; unit: string; decimals: number; lower_is_better: boolean }

/** A kind of measurement as a statistic. */
export const measuredStat = ({ kind, label, unit, decimals, lower_is_better }: Kind): Stat =>
  stat(
    kind,
    label,
    (value) => decimal(value, decimals),
    `The latest measurement in ${unit}.${lower_is_better ? ' Lower is better.' : ''}`,
    unit,
  )

/** Which tab a statistic is on: what is no season's is measured. */
export function tabOf(name: string): Tab {
  return (
    (['batting', 'pitching'] as const).find((tab) => SEASON_STATS[tab].some((stat) => stat.name === name)) ?? 'measured'
  )
}

/** The statistic that a tab begins with. */
export const firstOf: Readonly<Record<Tab, string>> = { measured: 'exit_velocity_max', batting: 'ops', pitching: 'era' }

/** `69 PA`, `51.0 IP` */
export const tryWords = (tries: number, tab: Tab) => (tab === 'pitching' ? `${innings(tries)} IP` : `${tries} PA`)
