import { phase } from '@/data/games/model'
import type { HomeGame, NumberChange } from '@/data/home/games'
import type { Arm, PlayerHome } from '@/data/home/queries'
import { decimal, shortDay } from '@/lib/format'
import { paths, type Path } from '@/lib/paths'

/** Days that changes cover; see home_player() in the database. */
export const CHANGE_DAYS = 30

/** The day by the reader's clock: `2026-05-16`. */
export const localDay = (now: Date) =>
  new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)

/** The user's live game or next scheduled one. Scheduled games of earlier days were never scored, so they do not count. */
export const nextOf = (games: readonly HomeGame[], now: Date): HomeGame | undefined =>
  games.find(
    ({ own, status, played_on }) =>
      own && (status === 'live' || (status === 'scheduled' && played_on >= localDay(now))),
  )

/** "Top 5", "Final", or when it begins: "Today, 6:00 PM", "May 3". */
export function whenWords(game: HomeGame, now: Date, locale = 'en-US'): string {
  if (game.status !== 'scheduled') return phase(game)
  const time = game.starts_at && new Date(game.starts_at).toLocaleTimeString(locale, { timeStyle: 'short' })
  const day = game.played_on === localDay(now) ? 'Today' : shortDay(game.played_on, now, locale)
  return [day, time].filter(Boolean).join(', ')
}

/** Whether the later number is the better one; undefined without an earlier one, or if both are equal. */
export function isBetter({ was, now, lower_is_better }: NumberChange): boolean | undefined {
  if (was === null || was === now) return undefined
  return now < was === lower_is_better
}

/** "down 0.20", "up 1.8", "as before", "first"; the page says the unit. */
export function changeWords({ was, now, decimals }: NumberChange): string {
  if (was === null) return 'first'
  if (was === now) return 'as before'
  return `${now > was ? 'up' : 'down'} ${decimal(Math.abs(now - was), decimals)}`
}

/** The percentile of a change's new number; null if another number counts, or too few players are compared. */
export function percentileOf({ kind, now }: NumberChange, percentiles: PlayerHome['percentiles'] = []): number | null {
  const counted = percentiles.find(({ metric, value }) => metric === kind && value === now)
  return counted?.percentile ?? null
}

/** Whether a pitcher threw more than the rules allow on a day. */
export const isOverLimit = ({ pitches, day_limit }: Pick<Arm, 'pitches' | 'day_limit'>) =>
  day_limit !== null && pitches !== null && pitches > day_limit

/** When a pitcher may pitch again: "Ready", "Wed", or the date if it is a week away; "Not counted" if nobody knows. */
export function readyWords(readyOn: string | null, now: Date, locale = 'en-US'): string {
  if (readyOn === null) return 'Not counted'
  if (readyOn <= localDay(now)) return 'Ready'
  const days = (Date.parse(readyOn) - Date.parse(localDay(now))) / 86_400_000
  if (days >= 7) return shortDay(readyOn, now, locale)
  return new Date(readyOn).toLocaleDateString(locale, { weekday: 'short', timeZone: 'UTC' })
}

/** What a task says, and where it is done; the birth date is asked for on Home itself. */
export const TASKS: Readonly<Record<string, { title: string; text: string; to: Path | null }>> = {
  birth_date: { title: 'Tell your birth date', text: 'Asked above. Nobody else sees it.', to: null },
  facts: { title: 'Add your positions and class', text: 'The players you are compared with.', to: paths.player },
  measurement: { title: 'Add your first number', text: 'Your coach can verify it.', to: paths.player },
  team: { title: 'Create your team', text: 'Players ask to join it.', to: paths.coach },
  players: { title: 'Invite a player', text: 'From your team’s page.', to: paths.coach },
  game: { title: 'Schedule a game', text: 'Score it on your phone.', to: paths.teamCommunication },
  follow: { title: 'Follow a player', text: 'Their games and numbers come here.', to: paths.search },
  list: { title: 'Make a list', text: 'Only you see it.', to: paths.scout },
  listed: { title: 'Put a player on it', text: 'From the player’s profile.', to: paths.search },
  post: { title: 'Write your first post', text: 'What happened on the field?', to: paths.timeline },
}
