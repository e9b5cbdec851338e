import type { GameRecord } from '@/data/games/model'
import type { LogRow } from '@/data/games/scoring'

/** A row that is not known to be saved, with the outcome that this device computed. */
export type QueuedRow = LogRow & { outcome: GameRecord['outcome'] }

/** What a device keeps of a game that one user scores. */
export type Kept = {
  /** Names the device to the server, which holds the scorer's lock for it. */
  device: string
  /** In the order of entry. */
  rows: QueuedRow[]
}

const DATABASE = 'dugout-scoring'
const STORE = 'games'

/** One key for each user and game: another user of the same phone reads nothing of it. */
const keyOf = (userId: string, gameId: string) => `${userId}:${gameId}`

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('The browser keeps nothing.'))
  })
}

async function within<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open()
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode)
      const request = work(transaction.objectStore(STORE))
      // Only a completed transaction survives a dead battery.
      transaction.oncomplete = () => resolve(request.result)
      transaction.onerror = () => reject(transaction.error ?? new Error('The browser keeps nothing.'))
      transaction.onabort = transaction.onerror
    })
  } finally {
    database.close()
  }
}

/** What is kept; a new device id if nothing is. */
export async function readKept(userId: string, gameId: string): Promise<Kept> {
  const kept = await within<Kept | undefined>(
    'readonly',
    (store) => store.get(keyOf(userId, gameId)) as IDBRequest<Kept | undefined>,
  )
  return kept ?? { device: crypto.randomUUID(), rows: [] }
}

export async function keep(userId: string, gameId: string, kept: Kept): Promise<void> {
  await within('readwrite', (store) => store.put(kept, keyOf(userId, gameId)))
}
