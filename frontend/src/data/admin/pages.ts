import type { PostgrestResponse } from '@supabase/supabase-js'
import { codeOf } from '@/lib/errors'
import { isUuid } from '@/lib/is-uuid'
import { unwrap } from '@/lib/supabase'
import { PAGE_SIZE, pagesOf } from '@/ui/table/model'
import type { Page } from '@/ui/table/paged-table'

/** Rows that one answer of the API may have: `max_rows` of supabase/config.toml, which would cut the rest off silently. */
const CHUNK = 1000
/** The API's code for a page that begins after the last row. */
const BEYOND_THE_END = 'PGRST103'

/** Asks for the rows from the one number to the other, both from 0 and included, and for how many there are. */
export type Read<Row> = (from: number, to: number) => PromiseLike<PostgrestResponse<Row>>

/** A page of a list; the last one where the list has become shorter than an address remembers. */
export async function readPage<Row>(read: Read<Row>, page: number): Promise<Page<Row>> {
  const from = (page - 1) * PAGE_SIZE
  const answer = await read(from, from + PAGE_SIZE - 1)
  if (page > 1 && codeOf(answer.error) === BEYOND_THE_END) {
    const first = await readPage(read, 1)
    const last = pagesOf(first.total)
    return last === 1 ? first : readPage(read, last)
  }
  const rows = unwrap(answer)
  return { rows, total: answer.count ?? rows.length, page }
}

/** All of a list, however many answers that takes. */
export async function readAll<Row>(read: Read<Row>): Promise<Row[]> {
  const all: Row[] = []
  for (;;) {
    const answer = await read(all.length, all.length + CHUNK - 1)
    // The last chunk was full, and nothing came after it.
    if (all.length > 0 && codeOf(answer.error) === BEYOND_THE_END) return all
    const rows = unwrap(answer)
    all.push(...rows)
    if (rows.length === 0 || all.length >= (answer.count ?? 0)) return all
  }
}

/**
 * A condition for `or()`: one of the columns contains the word, or it is one of the ids.
 * @param ids columns of type uuid, which are compared with a whole id only
 */
export function contains(word: string, columns: readonly string[], ids: readonly string[] = []): string {
  const pattern = `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`
  const quoted = `"${pattern.replaceAll(/[\\"]/g, '\\$&')}"`
  const anywhere = columns.map((column) => `${column}.ilike.${quoted}`)
  return [...anywhere, ...(isUuid(word) ? ids.map((id) => `${id}.eq.${word}`) : [])].join(',')
}
