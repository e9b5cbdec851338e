import { UNKNOWN } from '@/lib/format'

export type Value = string | number | boolean | null | undefined

export type Column<Row> = {
  id: string
  /** Empty for a column of buttons, which is neither sorted nor exported. */
  header: string
  /** What is sorted, searched and exported. */
  value: (row: Row) => Value
  /** How it reads: `rate`, `count`; what is unknown is `—` in any case. */
  format?: (row: Row) => string
  /** Numbers stand to the right, and are sorted from the greatest. */
  numeric?: boolean
  /** Rows are sorted within this, so that 60-yard seconds and miles an hour are not mixed into one order. */
  group?: (row: Row) => Value
  /** False if the server cannot sort by this column. */
  sortable?: boolean
}

/** A choice above a table: which rows it shows. */
export type Filter = {
  /** Its name in the address, and the column it compares where the table has all rows. */
  id: string
  label: string
  /** Values and how they read; "all" is none of them. */
  options: readonly (readonly [string, string])[]
  /** What is chosen until the user chooses; without it, all. */
  initial?: string
}

/** How the address says that the user has chosen all, where that is not the initial choice. */
const ALL = 'all'

export type Sort = { column: string; descending: boolean }

/** What of a table is looked at; it lives in the address. */
export type View = {
  search: string
  sort: Sort | null
  /** By a filter's id; without an entry, all. */
  filters: Readonly<Record<string, string>>
  /** From 1. */
  page: number
}

/** Rows that a page of a table shows. */
export const PAGE_SIZE = 50

type Choices = readonly Pick<Filter, 'id' | 'initial'>[]

/** The view that an address asks for; what cannot be is taken for what is usual. */
export function parseView(parameters: URLSearchParams, prefix: string, choices: Choices): View {
  const page = Number(parameters.get(`${prefix}page`))
  const filters = choices.flatMap(({ id, initial }) => {
    const said = parameters.get(prefix + id) || initial
    const value = initial && said === ALL ? '' : said
    return value ? [[id, value] as const] : []
  })
  return {
    search: parameters.get(`${prefix}q`) ?? '',
    sort: parseSort(parameters.get(`${prefix}sort`)),
    filters: Object.fromEntries(filters),
    page: Number.isInteger(page) && page > 1 ? page : 1,
  }
}

/** Writes a change of a view into the address's parameters. Whatever changes which rows there are begins at page 1. */
export function writeView(
  parameters: URLSearchParams,
  prefix: string,
  change: Partial<View>,
  choices: Choices,
): URLSearchParams {
  const next = new URLSearchParams(parameters)
  const set = (key: string, value: string) => (value ? next.set(prefix + key, value) : next.delete(prefix + key))
  set('page', change.page && change.page > 1 ? String(change.page) : '')
  if (change.search !== undefined) set('q', change.search)
  if (change.sort !== undefined) set('sort', change.sort ? sortText(change.sort) : '')
  Object.entries(change.filters ?? {}).forEach(([id, value]) => {
    const initial = choices.find((choice) => choice.id === id)?.initial
    set(id, initial === undefined ? value : value === initial ? '' : value || ALL)
  })
  return next
}

/** `-avg` is "avg, the greatest first". */
export function parseSort(text: string | null): Sort | null {
  if (!text) return null
  return text.startsWith('-') ? { column: text.slice(1), descending: true } : { column: text, descending: false }
}

export const sortText = ({ column, descending }: Sort) => (descending ? `-${column}` : column)

/** What a click on a header asks for: numbers from the greatest, words from A, and then the other way round. */
export function nextSort<Row>(now: Sort | null, { id, numeric = false }: Column<Row>): Sort {
  return { column: id, descending: now?.column === id ? !now.descending : numeric }
}

/** The rows that a view shows of all of them, on all of its pages. */
export function selectRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], view: View): Row[] {
  return sortRows(searchRows(filterRows(rows, columns, view.filters), columns, view.search), columns, view.sort)
}

function filterRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], filters: View['filters']) {
  const asked = Object.entries(filters).flatMap(([id, wanted]) => {
    const column = columns.find((column) => column.id === id)
    return column ? [{ column, wanted }] : []
  })
  return rows.filter((row) => asked.every(({ column, wanted }) => String(column.value(row) ?? '') === wanted))
}

/** A sorted copy. Unknown values are last in both directions, and equal rows keep their order. */
export function sortRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: Sort | null): Row[] {
  const column = columns.find(({ id }) => id === sort?.column)
  if (!column || !sort) return [...rows]
  const { value, group } = column
  return rows.toSorted(
    (one, other) =>
      (group ? compare(group(one), group(other), false) : 0) || compare(value(one), value(other), sort.descending),
  )
}

const ORDER = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

function compare(one: Value, other: Value, descending: boolean): number {
  const [first, second] = [isUnknown(one), isUnknown(other)]
  if (first || second) return Number(first) - Number(second)
  const order =
    typeof one === 'number' && typeof other === 'number' ? one - other : ORDER.compare(String(one), String(other))
  return descending ? -order : order
}

const isUnknown = (value: Value) => value === null || value === undefined || value === ''

/** The rows that contain every word of the search. */
export function searchRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], search: string): Row[] {
  const words = wordsOf(search.toLowerCase())
  if (words.length === 0) return [...rows]
  return rows.filter((row) => {
    const line = columns.map((column) => cellText(column, row).toLowerCase()).join(' ')
    return words.every((word) => line.includes(word))
  })
}

export const wordsOf = (search: string) => search.split(/\s+/).filter(Boolean)

export function cellText<Row>(column: Column<Row>, row: Row): string {
  const value = column.value(row)
  if (isUnknown(value)) return UNKNOWN
  if (column.format) return column.format(row)
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value)
}

/** RFC 4180, with raw values. Texts that a spreadsheet would read as formulas are escaped. */
export function toCsv<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const named = columns.filter(({ header }) => header !== '')
  const lines = [named.map(({ header }) => header), ...rows.map((row) => named.map(({ value }) => value(row)))]
  return lines.map((line) => `${line.map(csvField).join(',')}\r\n`).join('')
}

function csvField(value: Value): string {
  if (value === null || value === undefined) return ''
  // Spreadsheets forget leading blanks, and read full-width signs as the plain ones.
  const text = typeof value === 'string' && /^\s*[=+\-@＝＋－＠\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** "51–100 of 5,000" is `[51, 100]`. */
export function span(page: number, total: number): readonly [number, number] {
  return [Math.min((page - 1) * PAGE_SIZE + 1, total), Math.min(page * PAGE_SIZE, total)]
}

/** How many pages there are; one even where there is nothing. */
export const pagesOf = (total: number) => Math.max(1, Math.ceil(total / PAGE_SIZE))
