import type { PostgrestResponse } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { contains, readAll, readPage, type Read } from '@/data/admin/pages'

/** A list of `total` numbers, of which the server hands out at most `most` at once. */
function list(total: number, most = 1000): { read: Read<number>; asked: [number, number][] } {
  const asked: [number, number][] = []
  const read = (from: number, to: number): Promise<PostgrestResponse<number>> => {
    asked.push([from, to])
    const length = Math.max(0, Math.min(to + 1, total, from + most) - from)
    if (from > 0 && length === 0) {
      const error = { message: 'Requested range not satisfiable', code: 'PGRST103', details: '', hint: '', name: 'E' }
      return Promise.resolve({
        data: null,
        error: { ...error, toJSON: () => error },
        count: null,
        status: 416,
        statusText: '',
        success: false,
      })
    }
    const data = Array.from({ length }, (_, index) => from + index)
    return Promise.resolve({ data, error: null, count: total, status: 200, statusText: 'OK', success: true })
  }
  return { read, asked }
}

test.each([
  [0, 1, 0, 1],
  [50, 1, 50, 1],
  [120, 3, 20, 3],
  // What has become shorter ends where it ends.
  [120, 9, 20, 3],
  [0, 4, 0, 1],
])('of %s rows, page %s has %s and is page %s', async (total, page, rows, is) => {
  const answer = await readPage(list(total).read, page)
  expect([answer.rows.length, answer.total, answer.page]).toEqual([rows, total, is])
})

test.each([0, 1, 999, 1000, 1001, 5000])('all of %s rows, none twice', async (total) => {
  const all = await readAll(list(total).read)
  expect(new Set(all).size).toBe(total)
  expect(all).toHaveLength(total)
})

test('a server that hands out less at once is asked more often', async () => {
  const { read, asked } = list(250, 100)
  expect(await readAll(read)).toHaveLength(250)
  expect(asked.map(([from]) => from)).toEqual([0, 100, 200])
})

test.each([
  ['ana', 'full_name.ilike."%ana%",email.ilike."%ana%"'],
  ['100%_a', String.raw`full_name.ilike."%100\\%\\_a%",email.ilike."%100\\%\\_a%"`],
  ['a"),id.gt.0', String.raw`full_name.ilike."%a\"),id.gt.0%",email.ilike."%a\"),id.gt.0%"`],
  [
    '00000000-0000-4000-8000-00000000000a',
    'full_name.ilike."%00000000-0000-4000-8000-00000000000a%",email.ilike."%00000000-0000-4000-8000-00000000000a%",' +
      'id.eq.00000000-0000-4000-8000-00000000000a',
  ],
])('%s is searched for as it is', (word, condition) => {
  expect(contains(word, ['full_name', 'email'], ['id'])).toBe(condition)
})
