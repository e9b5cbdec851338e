import { beforeEach, expect, it, vi } from 'vitest'
import { unsentGames } from '@/data/games/kept'
import { sendOverride } from '@/data/games/overrides'
import { Refusal, sendScore } from '@/data/games/scoring'
import { Scorebook } from '@/features/games/scoring/scorebook'
import { memoryDatabase } from '@/testing/memory-database'

vi.mock('@/lib/supabase', async () => (await import('@/testing/fake-supabase')).fakeModule)
vi.mock('@/data/games/overrides', () => ({ sendOverride: vi.fn() }))
vi.mock('@/data/games/scoring', async (original) => ({ ...(await original()), sendScore: vi.fn() }))

const OFFLINE = new TypeError('Failed to fetch')
const REPLY = { records: [], revision: 0, decided: false, contradictions: [] }
const log = vi.mocked(sendOverride)
const books: Scorebook[] = []

async function open(userId: string) {
  books.forEach((book) => book.stop())
  const book = new Scorebook(userId, 'game', 'Guests at Comets', () => undefined)
  books.push(book)
  await book.start()
  return book
}

const setOnline = (online: boolean) => {
  vi.mocked(sendScore).mockReset()
  log.mockReset()
  if (online) vi.mocked(sendScore).mockResolvedValue(REPLY)
  else {
    vi.mocked(sendScore).mockRejectedValue(OFFLINE)
    log.mockRejectedValue(OFFLINE)
  }
}

beforeEach(() => {
  books.splice(0).forEach((book) => book.stop())
  vi.stubGlobal('indexedDB', memoryDatabase())
  vi.stubGlobal('IDBKeyRange', { bound: (lower: string, upper: string) => ({ lower, upper }) })
  setOnline(true)
})

it('sends a reason at once, and asks for it only once', async () => {
  const book = await open('ann')
  expect(await book.override('kid', 'rest', 'Nobody else')).toBe(true)
  await book.override('kid', 'rest', 'Again')
  await vi.waitFor(() =>
    expect(book.read().overrides).toMatchObject([{ athlete: 'kid', reason: 'Nobody else', sent: true }]),
  )
  expect(log).toHaveBeenCalledOnce()
  expect((await open('ann')).read().overrides).toHaveLength(1)
  expect(log).toHaveBeenCalledOnce()
})

it('keeps a reason offline, with the unsent plays, and sends it once with its id', async () => {
  setOnline(false)
  const offline = await open('ann')
  expect(await offline.override('kid', 'day_limit', 'Last inning')).toBe(true)
  const [kept] = offline.read().overrides
  expect(kept?.sent).toBe(false)
  expect(await unsentGames('ann')).toEqual([{ gameId: 'game', title: 'Guests at Comets', count: 1 }])

  setOnline(true)
  const online = await open('ann')
  await vi.waitFor(() => expect(online.read().overrides[0]?.sent).toBe(true))
  expect(log.mock.calls.map(([game, { id }]) => [game, id])).toEqual([['game', kept?.id]])
  expect(await unsentGames('ann')).toEqual([])
})

it('sends with the next sync on the same page', async () => {
  setOnline(false)
  const book = await open('ann')
  await book.override('kid', 'day_limit', 'Last inning')
  await vi.waitFor(() => expect(log).toHaveBeenCalled())
  setOnline(true)
  window.dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(book.read().overrides[0]?.sent).toBe(true))
})

it('neither shows nor sends an override for another user of the same phone', async () => {
  setOnline(false)
  const first = await open('ann')
  await first.override('kid', 'rest', 'Nobody else')
  await first.keepArms([])
  setOnline(true)
  const other = await open('bob')
  expect(other.read()).toMatchObject({ overrides: [], arms: null })
  expect(await unsentGames('bob')).toEqual([])
  expect(log).not.toHaveBeenCalled()
  expect(await unsentGames('ann')).toHaveLength(1)
})

it('keeps what the server refuses until the scorer decides', async () => {
  log.mockRejectedValue(new Refusal(403, { message: 'Only the coaches of the team score this game.' }))
  const book = await open('ann')
  await book.override('kid', 'rest', 'Nobody else')
  await vi.waitFor(() => expect(book.read().unlogged).toContain('Only the coaches'))
  window.dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(book.read().status).toBe('saved'))
  expect(log).toHaveBeenCalledOnce()
  expect(await unsentGames('ann')).toHaveLength(1)
  await book.insistOnOverride()
  expect(log).toHaveBeenCalledTimes(2)
  await book.discardOverride()
  expect(book.read()).toMatchObject({ overrides: [], unlogged: null })
})

it('keeps the pitchers’ counts for a page that is opened offline', async () => {
  const arm = {
    athlete_id: 'kid',
    day_limit: 85,
    youngest: 11,
    oldest: 12,
    thrown_today: 0,
    ready_on: null,
    rested_pitches: null,
    uncounted: false,
  }
  await (await open('ann')).keepArms([arm])
  setOnline(false)
  expect((await open('ann')).read().arms).toEqual([arm])
})
