import { FOLLOWED_SORTS, type FollowedSort, type NextGame, type Week } from '@/data/players/followed'
import { shortDay } from '@/lib/format'

export const parseSort = (text: string | null): FollowedSort => FOLLOWED_SORTS.find((sort) => sort === text) ?? 'form'

export const SORT_NAMES: Readonly<Record<FollowedSort, string>> = { form: 'OPS of the last 7 days', name: 'Name' }

/** Whether the last seven days were better than the season; undefined if they were as good, or one is unknown. */
export function trendOf({ ops, season_ops }: Week): 'up' | 'down' | undefined {
  if (ops === null || season_ops === null || ops === season_ops) return undefined
  return ops > season_ops ? 'up' : 'down'
}

/** `May 3, 6:00 PM`, or `Live`. */
export function nextWords({ status, played_on, starts_at }: NextGame, now: Date, locale = 'en-US'): string {
  if (status === 'live') return 'Live'
  const time = starts_at && new Date(starts_at).toLocaleTimeString(locale, { timeStyle: 'short' })
  return [shortDay(played_on, now, locale), time].filter(Boolean).join(', ')
}
