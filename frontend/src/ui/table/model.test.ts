import { describe, expect, test } from 'vitest'
import { rate } from '@/lib/format'
import {
  cellText,
  nextSort,
  pagesOf,
  parseSort,
  parseView,
  searchRows,
  selectRows,
  sortRows,
  sortText,
  span,
  toCsv,
  writeView,
  type Column,
  type View,
} from '@/ui/table/model'

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

  // Issue 10, C7: 6.9 seconds are not less than 84 miles an hour.
  test('values of different units are sorted apart', () => {
    type Measured = { kind: string; value: number }
    const kind: Column<Measured> = { id: 'kind', header: 'What', value: (row) => row.kind }
    const value: Column<Measured> = {
      ...kind,
      id: 'value',
      numeric: true,
      value: (row) => row.value,
      group: kind.value,
    }
    const measured = [
      { kind: 'Exit velocity', value: 84 },
      { kind: '60-yard dash', value: 6.9 },
      { kind: 'Exit velocity', value: 88 },
      { kind: '60-yard dash', value: 7.4 },
    ]
    const values = (sort: string) => sortRows(measured, [kind, value], parseSort(sort)).map((row) => row.value)
    expect(values('-value')).toEqual([7.4, 6.9, 88, 84])
    expect(values('value')).toEqual([6.9, 7.4, 84, 88])
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

describe('the address', () => {
  const choices = [{ id: 'role' }, { id: 'state' }, { id: 'status', initial: 'open' }]
  const parse = (text: string) => parseView(new URLSearchParams(text), 'u.', choices)
  const view = (text: string) => parseView(new URLSearchParams(text), 'u.', choices.slice(0, 2))
  const write = (text: string, change: Partial<View>) =>
    writeView(new URLSearchParams(text), 'u.', change, choices).toString()

  test('says all of a view', () => {
    expect(view('u.q=ana&u.sort=-avg&u.role=coach&u.page=3&role=fan&page=7')).toEqual({
      search: 'ana',
      sort: { column: 'avg', descending: true },
      filters: { role: 'coach' },
      page: 3,
    })
  })

  test.each(['', 'u.page=0', 'u.page=-2', 'u.page=2.5', 'u.page=x', 'u.role='])('that says nothing: %s', (text) => {
    expect(view(text)).toEqual({ search: '', sort: null, filters: {}, page: 1 })
  })

  test.each([
    ['tab=users', { page: 2 }, 'tab=users&u.page=2'],
    ['u.page=2', { page: 1 }, ''],
    // What changes the rows begins at their beginning.
    ['u.page=2&u.q=a', { search: 'an' }, 'u.q=an'],
    ['u.page=2', { sort: { column: 'avg', descending: true } }, 'u.sort=-avg'],
    ['u.page=2&u.sort=avg', { filters: { role: 'fan' } }, 'u.sort=avg&u.role=fan'],
    ['u.role=fan&u.q=a', { filters: { role: '' }, search: '' }, ''],
  ] as const)('%s changed', (text, change, expected) => {
    expect(write(text, change)).toBe(expected)
  })

  test.each([
    ['', { status: 'open' }],
    ['u.status=all', {}],
    ['u.status=resolved', { status: 'resolved' }],
    // Only a filter with an initial choice has a word for all.
    ['u.status=all&u.role=all', { role: 'all' }],
  ])('a filter with an initial choice: %s', (text, filters) => {
    expect(parse(text).filters).toEqual(filters)
    expect(parse(write('', { filters: { status: '', ...filters } })).filters).toEqual(filters)
  })
})

test('a view is what its search, filters and order leave', () => {
  const everything: View = { search: '', sort: null, filters: {}, page: 1 }
  expect(names(selectRows(rows, columns, { ...everything, filters: { name: 'Bo' } }))).toEqual(['B'])
  expect(names(selectRows(rows, columns, { ...everything, filters: { unheard: 'of' } }))).toEqual(['B', 'a', 'C'])
  expect(names(selectRows(rows, columns, { ...everything, search: '.', sort: parseSort('-avg') }))).toEqual(['C', 'B'])
})

test('a search finds rows with every word, as they read', () => {
  expect(names(searchRows(rows, columns, ' CYCLONE .301'))).toEqual(['C'])
  expect(searchRows(rows, columns, 'bo .301')).toEqual([])
})

test.each([
  [1, 0, 0, 0, 1],
  [1, 50, 1, 50, 1],
  [2, 51, 51, 51, 2],
  [100, 5000, 4951, 5000, 100],
])('page %s of %s rows is %s to %s', (page, total, first, last, pages) => {
  expect([...span(page, total), pagesOf(total)]).toEqual([first, last, pages])
})

test('unknown reads as a dash and is empty in the file', () => {
  expect(rows.map((row) => cellText(avg, row))).toEqual(['.250', '—', '.301'])
  expect(toCsv(rows, columns)).toBe('Name,AVG\r\nBo,0.25\r\nana,\r\n"Cy, ""Cyclone""",0.301\r\n')
})

// OWASP, "CSV Injection"; RFC 4180, section 2, for the quotes.
test.each([
  ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
  ['+1 512 555', "'+1 512 555"],
  ['-1+2', "'-1+2"],
  ['@SUM(1)', "'@SUM(1)"],
  ['\t=1', "'\t=1"],
  ['  =1', "'  =1"],
  ['＝1', "'＝1"],
  ['\r=1', '"\'\r=1"'],
  ['two\nlines', '"two\nlines"'],
  ['a=b', 'a=b'],
])('the file runs no formulas: %j', (text, expected) => {
  // A number is one, whatever its sign.
  expect(toCsv([{ name: text, avg: -1 }], columns)).toBe(`Name,AVG\r\n${expected},-1\r\n`)
})
