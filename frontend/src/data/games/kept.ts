import type { GameArm } from '@/data/games/arms'
import type { GameRecord } from '@/data/games/model'
import type { PitchOverride } from '@/data/games/overrides'
import type { LogRow } from '@/data/games/scoring'
import { randomId } from '@/lib/random-id'

/** A row that is not known to be saved, with the outcome that this device computed. */
export type QueuedRow = LogRow & { outcome: GameRecord['outcome'] }

/** What a device keeps of a game that one user scores. */
export type Kept = {
  /** Identifies the device to the server, which holds the scorer's lock for it. */
  device: string
  /** "Guests at Comets" */
  title: string
  /** In the order of entry. */
  rows: QueuedRow[]
  /** The game as the server last had it; null until it replied once. */
  saved: readonly GameRecord[] | null
  /** The game's revision in that reply. */
  revision: number
  /** By its rules the game was over in that reply. */
  decided: boolean
  /** The pitches of the turn at bat that goes on, after the play with this id. */
  pitches: { after: string | null; text: string }
  /** The team's pitchers in the server's last answer; null before the first. */
  arms: readonly GameArm[] | null
  /** The rules that the user overrode for pitchers, sent or not, because each is asked only once. */
  overrides: readonly PitchOverride[]
  /** Plays that another device saved in place of the rows, by id. The scorer has not decided yet which of them count. */
  rivals: readonly string[]
}

/** The overrides that the server does not have yet. */
export const unsentOf = (overrides: readonly PitchOverride[]) => overrides.filter(({ sent }) => !sent)

/** A game with entries that the server does not have. */
export type UnsentGame = { gameId: string; title: string; count: number }

const DATABASE = 'dugout-scoring'
const STORE = 'games'

/** One key for each user and game, so that another user of the same phone reads nothing of it. */
const keyOf = (userId: string, gameId: string) => `${userId}:${gameId}`

const listeners = new Set<() => void>()

/** Calls `listener` after every change that this tab makes. */
export function onKeptChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * Changes what is kept, in one transaction that starts from what is stored: another tab may have changed it. Returns the new
 * value.
 */
export async function changeKept(userId: string, gameId: string, change: (kept: Kept) => Kept): Promise<Kept> {
  const key = keyOf(userId, gameId)
  let changed: Kept | undefined
  await within('readwrite', (store) => {
    const read = store.get(key)
    read.onsuccess = () => {
      changed = change(complete(read.result as Partial<Kept> | undefined))
      store.put(changed, key)
    }
  })
  listeners.forEach((listener) => listener())
  if (!changed) throw new Error(UNABLE)
  return changed
}

/** The user's games on this device with entries that are not sent. */
export async function unsentGames(userId: string): Promise<UnsentGame[]> {
  const games: UnsentGame[] = []
  const prefix = keyOf(userId, '')
  await within('readonly', (store) => {
    const walk = store.openCursor(IDBKeyRange.bound(prefix, `${prefix}\uffff`))
    walk.onsuccess = () => {
      const cursor = walk.result
      if (!cursor) return
      const { title, rows, overrides } = complete(cursor.value as Partial<Kept>)
      const count = rows.length + unsentOf(overrides).length
      if (count > 0 && typeof cursor.key === 'string')
        games.push({ gameId: cursor.key.slice(prefix.length), title, count })
      cursor.continue()
    }
  })
  return games
}

/** Earlier versions of the page stored fewer members. */
const complete = (kept: Partial<Kept> | undefined): Kept => ({
  device: randomId(),
  title: '',
  rows: [],
  saved: null,
  revision: 0,
  decided: false,
  pitches: { after: null, text: '' },
  arms: null,
  overrides: [],
  rivals: [],
  ...kept,
})

const UNABLE = 'This browser cannot keep plays.'

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error(UNABLE))
  })
}

/** Runs `work` in a transaction, and waits until the disk has it: a dead battery loses nothing that was confirmed. */
async function within(mode: IDBTransactionMode, work: (store: IDBObjectStore) => void): Promise<void> {
  const database = await open()
  try {
    await new Promise<void>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode, { durability: 'strict' })
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error ?? new Error(UNABLE))
      work(transaction.objectStore(STORE))
    })
  } finally {
    database.close()
  }
}
