type Request = { result: unknown; onsuccess: (() => void) | null; onupgradeneeded: null; onerror: null }

/** A request that succeeds as soon as its caller has set the handlers. */
function request(result: unknown): Request {
  const made: Request = { result, onsuccess: null, onupgradeneeded: null, onerror: null }
  queueMicrotask(() => made.onsuccess?.())
  return made
}

/** Stands in for IndexedDB, which jsdom lacks, with as much of it as data/games/kept.ts uses. */
export function memoryDatabase() {
  const rows = new Map<string, unknown>()
  const store = {
    get: (key: string) => request(structuredClone(rows.get(key))),
    put: (value: unknown, key: string) => request(rows.set(key, structuredClone(value))),
    openCursor: ({ lower, upper }: { lower: string; upper: string }) => {
      const keys = [...rows.keys()].filter((key) => key >= lower && key <= upper)
      const opened = request(null)
      const next = () => {
        const key = keys.shift()
        opened.result = key === undefined ? null : { key, value: structuredClone(rows.get(key)), continue: again }
      }
      const again = () => {
        next()
        queueMicrotask(() => opened.onsuccess?.())
      }
      next()
      return opened
    },
  }
  const transaction = () => {
    const begun = { objectStore: () => store, oncomplete: null as (() => void) | null, onabort: null }
    // A transaction completes after all of its requests.
    setTimeout(() => begun.oncomplete?.())
    return begun
  }
  return { open: () => request({ transaction, close: () => undefined }) }
}
