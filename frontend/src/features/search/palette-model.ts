import type { LucideIcon } from 'lucide-react'
import type { Suggestion, SuggestionKind } from '@/data/search/model'
import type { Recent } from '@/data/search/recent'
import { paths } from '@/lib/paths'
import { addressOf } from '@/features/search/model'

/** What the palette offers. */
export type Entry = {
  key: string
  group: string
  label: string
  to: string
  detail?: string
  icon?: LucideIcon
  /** Whether the typed letters are marked in the label. */
  marked?: boolean
  /** What to keep among the recent searches. */
  remember?: Recent
}

const GROUPS: Readonly<Record<SuggestionKind, string>> = {
  player: 'Players',
  team: 'Teams',
  coach: 'Coaches',
  program: 'Programs',
  game: 'Games',
  article: 'Articles',
}
/** Screens offered at once. */
const PLACES = 4

type Given = {
  typed: string
  /** Undefined while they are on their way. */
  suggestions: readonly Suggestion[] | undefined
  recent: readonly Recent[]
  places: readonly { to: string; label: string; icon: LucideIcon }[]
}

/** Recent searches and screens before something is typed; then who and what matches, and the way to all results. */
export function paletteEntries({ typed, suggestions, recent, places }: Given): Entry[] {
  const text = typed.trim()
  const goTo = placesNamed(places, text).map(({ to, label, icon }) => ({
    key: to,
    group: 'Go to',
    label,
    to,
    icon,
    marked: true,
  }))
  if (text === '') return [...recent.map(recentEntry), ...goTo]
  const found = (suggestions ?? []).map((one): Entry => ({
    key: `${one.kind} ${one.id}`,
    group: GROUPS[one.kind],
    label: one.name,
    detail: one.detail,
    to: addressOf(one),
    marked: true,
    remember: one,
  }))
  if (found.length > 0) {
    const to = `${paths.search}?q=${encodeURIComponent(text)}`
    found.push({ key: 'all', group: 'Everything', label: `All results for “${text}”`, to })
  }
  return [...found, ...goTo]
}

const recentEntry = (one: Recent): Entry => ({
  key: `recent ${one.id}`,
  group: 'Recent',
  label: one.name,
  to: addressOf(one),
  remember: one,
})

/** Screens of which a word begins with the text. */
function placesNamed<Place extends { label: string }>(places: readonly Place[], text: string): Place[] {
  const start = text.toLowerCase()
  return places.filter(({ label }) => ` ${label.toLowerCase()}`.includes(` ${start}`)).slice(0, PLACES)
}
