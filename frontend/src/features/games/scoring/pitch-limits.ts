import type { GameArm } from '@/data/games/arms'
import type { PitchOverride, PitchRule } from '@/data/games/overrides'

/** The page shows the pitches that are left from this many on. */
const NEAR = 10

/** A rule that a pitcher may break only with a reason, and the text that says so. */
export type PitchWarning = { athlete: string; rule: PitchRule; text: string }

/** A pitcher in this game. */
export type Pitcher = {
  name: string
  /** Pitches in this game. */
  thrown: number
  /** Null for opponents, and before the server's first answer. */
  arm: GameArm | null
  /** The game's day. */
  day: string
  overrides: readonly PitchOverride[]
}

/** The pitcher's pitches of the day, in all games. */
const total = ({ thrown, arm }: Pitcher) => thrown + (arm?.thrown_today ?? 0)

const isOverridden = ({ arm, overrides }: Pitcher, rule: PitchRule) =>
  overrides.some((one) => one.athlete === arm?.athlete_id && one.rule === rule)

/**
 * Why a pitcher may not face the next batter; null if nothing is known against it. A pitcher who reaches the daily limit may
 * finish the batter. Rest is checked until the first pitch. A pitcher of unknown age rests like the youngest and has no daily limit.
 */
export function warningOf(pitcher: Pitcher, betweenBatters: boolean): PitchWarning | null {
  const { arm, name, day, thrown } = pitcher
  if (!arm) return null
  const { athlete_id: athlete, day_limit, ready_on, rested_pitches } = arm
  if (ready_on !== null && ready_on > day && thrown === 0 && !isOverridden(pitcher, 'rest')) {
    const after = rested_pitches === null ? '' : ` after ${pitches(rested_pitches)}`
    const why = day_limit === null ? ' The age is unknown, so the rule for the youngest counts.' : ''
    return { athlete, rule: 'rest', text: `${name} rests until ${dayWords(ready_on)}${after}.${why}` }
  }
  if (day_limit !== null && betweenBatters && total(pitcher) >= day_limit && !isOverridden(pitcher, 'day_limit')) {
    const text = `${name} has reached ${pitches(day_limit)}, the limit for ${agesOf(arm)} on a day.`
    return { athlete, rule: 'day_limit', text }
  }
  return null
}

/** "62 of 85 pitches"; empty before the first pitch is entered. */
export function countWords(pitcher: Pitcher): string {
  const { arm, thrown } = pitcher
  if (total(pitcher) === 0) return ''
  if (arm?.day_limit == null) return thrown > 0 ? `${pitches(thrown)} entered` : ''
  const elsewhere = arm.thrown_today > 0 ? `, ${arm.thrown_today} of them in other games` : ''
  return `${total(pitcher)} of ${pitches(arm.day_limit)}${elsewhere}`
}

/** A note about the pitcher's limit; may be empty. */
export function noteOf(pitcher: Pitcher): string {
  const { arm, thrown } = pitcher
  if (!arm) return ''
  const left = arm.day_limit === null ? Infinity : arm.day_limit - total(pitcher)
  if (left <= 0)
    return isOverridden(pitcher, 'day_limit') ? 'Over the limit, with a reason' : 'Last batter: the limit is reached'
  if (left <= NEAR) return `${pitches(left)} left today`
  return arm.uncounted && thrown === 0 ? 'Some outings of the last week have no pitch count' : ''
}

const pitches = (number: number) => (number === 1 ? '1 pitch' : `${number} pitches`)

/** The ages that share a limit. */
function agesOf({ youngest, oldest }: GameArm): string {
  if (youngest === null) return oldest === null ? 'this age' : `players up to ${oldest}`
  return oldest === null ? `players of ${youngest} and older` : `${youngest}–${oldest}-year-olds`
}

/** "Tuesday, November 24" */
const dayWords = (day: string) =>
  new Date(day).toLocaleDateString('en-US', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
