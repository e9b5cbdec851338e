import { describe, expect, test } from 'vitest'
import { rate } from '@/lib/format'
import { cellText, nextSort, parseSort, searchRows, sortRows, sortText, toCsv, type Column } from '@/ui/table/model'

type Row = { name: string; avg: number | null }
const name: Column<Row> = { id: 'name', header: 'Name', value: (row) => row.name }
const avg: Column<Row> = {
  id: 'avg',
  header: 'AVG',
  numeric: true,
  value: (row) => row.avg,
  format: (row) => rate(row.avg),
}
const columns = [name, avg]
const rows: Row[] = [
  { name: 'Bo', avg: 0.25 },
  { name: 'ana', avg: null },
  { name: 'Cy, "Cyclone"', avg: 0.301 },
]
const names = (list: Row[]) => list.map((row) => row.name[0])

describe('sorting', () => {
  test.each([
    ['name', 'aBC'],
    ['-name', 'CBa'],
    ['-avg', 'CBa'],
    // Unknown is not the least.
    ['avg', 'BCa'],
    ['no such column', 'BaC'],
    [null, 'BaC'],
  ])('by %s', (text, expected) => {
    expect(names(sortRows(rows, columns, parseSort(text))).join('')).toBe(expected)
  })

  test('numbers begin with the greatest, words with A, the second click turns round', () => {
    const first = nextSort(null, avg)
    expect([sortText(first), sortText(nextSort(first, avg)), sortText(nextSort(first, name))]).toEqual([
      '-avg',
      'avg',
      'name',
    ])
  })
})

test('a search finds rows with every word, as they read', () => {
  expect(names(searchRows(rows, columns, ' CYCLONE .301'))).toEqual(['C'])
  expect(searchRows(rows, columns, 'bo .301')).toEqual([])
})

test('unknown reads as a dash and is empty in the file', () => {
  expect(rows.map((row) => cellText(avg, row))).toEqual(['.250', '—', '.301'])
  expect(toCsv(rows, columns)).toBe('Name,AVG\r\nBo,0.25\r\nana,\r\n"Cy, ""Cyclone""",0.301\r\n')
})

test('the file runs no formulas', () => {
  expect(toCsv([{ name: '=HYPERLINK("x")', avg: -1 }], columns)).toBe('Name,AVG\r\n"\'=HYPERLINK(""x"")",-1\r\n')
})
