import { COUNTED, LEAST, LISTS, type FilterName, type Filters, type Suggestion } from '@/data/search/model'
import { count, feet } from '@/lib/format'
import { paths } from '@/lib/paths'
import { stateName } from '@/lib/us-states'

export const KINDS = ['players', 'teams', 'coaches', 'programs', 'games', 'articles'] as const
export type Kind = (typeof KINDS)[number]

export type SearchView = { query: string; kind: Kind; filters: Filters }

/** What the address says: `?q=raf&class=2027&class=2028&verified=1`. What it does not know is left out. */
export function parseSearch(parameters: URLSearchParams): SearchView {
  const filters: Filters = {}
  for (const name of LISTS) {
    const values = parameters.getAll(name).filter((value) => VALID[name].test(value))
    if (values.length > 0) filters[name] = values
  }
  for (const name of LEAST) {
    const value = Number(parameters.get(name))
    if (Number.isFinite(value) && value > 0) filters[name] = value
  }
  if (parameters.get('verified') === '1') filters.verified = true
  const team = parameters.get('team')
  if (team && UUID.test(team)) filters.team = team
  const kind = KINDS.find((kind) => kind === parameters.get('kind')) ?? 'players'
  return { query: parameters.get('q') ?? '', kind, filters }
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
/** The database refuses a class that is no number. */
const VALID = {
  class: /^\d{4}$/,
  position: /^\w{1,3}$/,
  state: /^[A-Z]{2}$/,
  bats: /^[LRS]$/,
  throws: /^[LR]$/,
} as const

export function writeSearch({ query, kind, filters }: SearchView): URLSearchParams {
  const parameters = new URLSearchParams()
  if (query) parameters.set('q', query)
  if (kind !== 'players') parameters.set('kind', kind)
  for (const name of LISTS) filters[name]?.forEach((value) => parameters.append(name, value))
  for (const name of LEAST) if (filters[name]) parameters.set(name, String(filters[name]))
  if (filters.verified) parameters.set('verified', '1')
  if (filters.team) parameters.set('team', filters.team)
  return parameters
}

/** The filters without one, or without one value of it. */
export function withoutFilter(filters: Filters, name: FilterName, value?: string): Filters {
  const { [name]: removed, ...rest } = filters
  if (value === undefined || !Array.isArray(removed)) return rest
  const left = removed.filter((one) => one !== value)
  return left.length > 0 ? { ...rest, [name]: left } : rest
}

const ARMS: Readonly<Record<string, string>> = { L: 'left', R: 'right', S: 'both' }

/** A chosen filter in words, one for each value: `Class of 2027`, `Bats left`, `85 mph or more`. */
export function filterWords(filters: Filters, teamName: string | null | undefined) {
  const words: { name: FilterName; value?: string; label: string }[] = []
  for (const name of LISTS) {
    for (const value of filters[name] ?? []) words.push({ name, value, label: valueWords(name, value) })
  }
  if (filters.height) words.push({ name: 'height', label: `${feet(filters.height)} or taller` })
  if (filters.velocity) words.push({ name: 'velocity', label: `${filters.velocity} mph or more` })
  if (filters.verified) words.push({ name: 'verified', label: 'Verified numbers' })
  if (filters.team) words.push({ name: 'team', label: teamName ?? 'One team' })
  return words
}

function valueWords(name: (typeof LISTS)[number], value: string): string {
  if (name === 'class') return `Class of ${value}`
  if (name === 'state') return stateName(value)
  if (name === 'bats') return `Bats ${ARMS[value] ?? value}`
  if (name === 'throws') return `Throws ${ARMS[value] ?? value}`
  return value
}

/** `41 players`, `More than 1,000 players` */
export function totalWords(total: number): string {
  if (total > COUNTED) return `More than ${count(COUNTED)} players`
  return total === 1 ? '1 player' : `${count(total)} players`
}

/** Where a suggestion leads. Teams and programs have no page of their own: lists of their players, and of programs, do. */
export function addressOf({ kind, id, name }: Pick<Suggestion, 'kind' | 'id' | 'name'>): string {
  switch (kind) {
    case 'team':
      return `${paths.search}?team=${id}`
    case 'program':
      return `${paths.collegeBound}?${new URLSearchParams({ tab: 'programs', q: name }).toString()}`
    case 'game':
      return paths.gameById.replace(':id', id)
    case 'article':
      return paths.articleById.replace(':id', id)
    default:
      return paths.playerById.replace(':id', id)
  }
}

/** As the database folds names: without case, accents, apostrophes and points. */
const fold = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f'’.]/g, '')
    .toLowerCase()

/** The parts of a name, marked where the letters are those that were typed: at the beginning of words. */
export function highlight(name: string, typed: string): { text: string; hit: boolean }[] {
  const words = fold(typed).split(/\s+/).filter(Boolean)
  return name.split(/(\s+)/).flatMap((part) => {
    const common = Math.max(0, ...words.map((word) => commonStart(part, word)))
    return [
      { text: part.slice(0, common), hit: true },
      { text: part.slice(common), hit: false },
    ].filter(({ text }) => text !== '')
  })
}

/** How many characters of a word are a typed one's beginning; none if it is a single one of several, which proves nothing. */
function commonStart(word: string, typed: string): number {
  let matched = 0
  let length = 0
  for (const letter of word) {
    const folded = fold(letter)
    if (!typed.startsWith(folded, matched) || (matched >= typed.length && folded !== '')) break
    matched += folded.length
    length += letter.length
  }
  return matched >= Math.min(2, typed.length) ? length : 0
}
