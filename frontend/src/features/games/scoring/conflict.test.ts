import { beforeEach, expect, it, vi } from 'vitest'
import type { GameRecord } from '@/data/games/model'
import { Refusal, sendScore, type ScoreRequest } from '@/data/games/scoring'
import { Scorebook } from '@/features/games/scoring/scorebook'
import { memoryDatabase } from '@/testing/memory-database'

vi.mock('@/lib/supabase', async () => (await import('@/testing/fake-supabase')).fakeModule)
vi.mock('@/data/games/scoring', async (original) => ({ ...(await original()), sendScore: vi.fn() }))

const OFFLINE = new TypeError('Failed to fetch')
const HELD = new Refusal(409, { code: 'OTHER_SCORER', message: 'Another device scores this game.' })
const send = vi.mocked(sendScore)
const record = (id: string): GameRecord => ({ id, record: `play,${id}`, outcome: null })

/** The server's plays, which a sent play joins. */
let saved: GameRecord[] = []
function answer({ plays = [] }: ScoreRequest) {
  for (const { id, record, replaces } of plays) {
    if (replaces) saved = saved.filter((one) => one.id !== replaces)
    if (record && !saved.some((one) => one.id === id)) saved = [...saved, { id, record, outcome: null }]
  }
  return Promise.resolve({ records: saved, revision: saved.length, decided: false, contradictions: [] })
}
const sentPlays = () => send.mock.calls.flatMap(([{ plays }]) => plays ?? []).map(({ record }) => record)

let book: Scorebook | undefined
async function open() {
  book?.stop()
  book = new Scorebook('ann', 'game', 'Guests at Comets', () => undefined)
  await book.start()
  return book
}
const settled = (open: Scorebook) => vi.waitFor(() => expect(open.read().status).not.toBe('saving'))

/** A phone that queued a play while another one saved two. */
async function parted() {
  saved = [record('1')]
  send.mockReset().mockImplementation(answer)
  const phone = await open()
  send.mockReset().mockRejectedValue(OFFLINE)
  await phone.add('play,mine', null, 'mine')
  await settled(phone)
  saved = [...saved, record('2'), record('3')]
  send.mockReset().mockRejectedValue(HELD)
  window.dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(phone.read().trouble?.code).toBe('OTHER_SCORER'))
  send.mockReset().mockImplementation(answer)
  await phone.insist({ takeover: true })
  return phone
}

beforeEach(() => {
  vi.stubGlobal('indexedDB', memoryDatabase())
  vi.stubGlobal('IDBKeyRange', { bound: (lower: string, upper: string) => ({ lower, upper }) })
})

it('asks before plays are sent beside those that another phone saved', async () => {
  const phone = await parted()
  expect(phone.read()).toMatchObject({ trouble: { code: 'CONFLICT' }, rivals: ['2', '3'] })
  expect(sentPlays()).toEqual([])
  expect(send).toHaveBeenCalledWith(expect.objectContaining({ takeover: true }))
})

it('asks again after a reload', async () => {
  await parted()
  expect((await open()).read()).toMatchObject({ trouble: { code: 'CONFLICT' }, rivals: ['2', '3'] })
  expect(sentPlays()).toEqual([])
})

it.each([
  ['both', ['1', '2', '3', 'mine']],
  ['mine', ['1', 'mine']],
  ['theirs', ['1', '2', '3']],
] as const)('keeps %s', async (keep, expected) => {
  const phone = await parted()
  await phone.settle(keep)
  await settled(phone)
  expect(saved.map(({ id }) => id)).toEqual(expected)
  expect(phone.read()).toMatchObject({ queued: [], rivals: [], trouble: null })
})

it('asks nothing where only the answer to a play of its own was lost', async () => {
  saved = [record('1')]
  send.mockReset().mockImplementation(answer)
  const phone = await open()
  send.mockReset().mockImplementation((body) => answer(body).then(() => Promise.reject(OFFLINE)))
  await phone.add('play,mine', null, 'mine')
  await settled(phone)
  send.mockReset().mockImplementation(answer)
  window.dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(phone.read()).toMatchObject({ status: 'saved', queued: [], trouble: null }))
  expect(saved.map(({ id }) => id)).toEqual(['1', 'mine'])
})
