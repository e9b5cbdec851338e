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
}

export type Sort = { column: string; descending: boolean }

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

/** A new list in order; what is unknown comes last either way, and equal rows keep their order. */
export function sortRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: Sort | null): Row[] {
  const column = columns.find(({ id }) => id === sort?.column)
  if (!column || !sort) return [...rows]
  return rows.toSorted((one, other) => compare(column.value(one), column.value(other), sort.descending))
}

function compare(one: Value, other: Value, descending: boolean): number {
  const [first, second] = [isUnknown(one), isUnknown(other)]
  if (first || second) return Number(first) - Number(second)
  const order =
    typeof one === 'number' && typeof other === 'number'
      ? one - other
      : String(one).localeCompare(String(other), 'en', { numeric: true, sensitivity: 'base' })
  return descending ? -order : order
}

const isUnknown = (value: Value) => value === null || value === undefined || value === ''

/** The rows in which every word of the search stands somewhere. */
export function searchRows<Row>(rows: readonly Row[], columns: readonly Column<Row>[], search: string): Row[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return rows.filter((row) => {
    const line = columns.map((column) => cellText(column, row).toLowerCase()).join(' ')
    return words.every((word) => line.includes(word))
  })
}

export function cellText<Row>(column: Column<Row>, row: Row): string {
  const value = column.value(row)
  if (isUnknown(value)) return UNKNOWN
  if (column.format) return column.format(row)
  return typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value)
}

/** RFC 4180, with raw values; a text that a spreadsheet would take for a formula is told not to be one. */
export function toCsv<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const named = columns.filter(({ header }) => header !== '')
  const lines = [named.map(({ header }) => header), ...rows.map((row) => named.map(({ value }) => value(row)))]
  return lines.map((line) => `${line.map(csvField).join(',')}\r\n`).join('')
}

function csvField(value: Value): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
