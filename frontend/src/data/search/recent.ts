import type { Suggestion } from '@/data/search/model'
import { SUGGESTION_KINDS } from '@/data/search/model'
import { isRecord } from '@/lib/is-record'

/** What somebody opened from the search box last; kept in this browser, and forgotten at sign-out. */
export type Recent = Pick<Suggestion, 'kind' | 'id' | 'name'>

const MOST = 6
const keyOf = (userId: string) => `recent-searches:${userId}`

/** The latest first. What cannot be read is left out. */
export function recentSearches(userId: string): Recent[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isRecent) : []
  } catch {
    return []
  }
}

export function rememberSearch(userId: string, { kind, id, name }: Recent) {
  const others = recentSearches(userId).filter((one) => one.id !== id)
  localStorage.setItem(keyOf(userId), JSON.stringify([{ kind, id, name }, ...others].slice(0, MOST)))
}

const isRecent = (value: unknown): value is Recent =>
  isRecord(value) &&
  SUGGESTION_KINDS.some((kind) => kind === value.kind) &&
  typeof value.id === 'string' &&
  typeof value.name === 'string'
