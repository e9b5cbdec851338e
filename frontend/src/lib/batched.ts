type Waiting<Value> = { key: string; done: (value: Value | null) => void; failed: (error: unknown) => void }

/** Collects the keys that are asked for at the same time, so that a list makes one request. What is not found is null. */
export function batched<Value>(load: (keys: string[]) => Promise<ReadonlyMap<string, Value>>) {
  let waiting: Waiting<Value>[] = []

  async function loadAll() {
    const all = waiting
    waiting = []
    try {
      const found = await load([...new Set(all.map(({ key }) => key))])
      all.forEach(({ key, done }) => done(found.get(key) ?? null))
    } catch (error) {
      all.forEach(({ failed }) => failed(error))
    }
  }

  return (key: string): Promise<Value | null> =>
    new Promise((done, failed) => {
      if (waiting.length === 0) setTimeout(() => void loadAll())
      waiting.push({ key, done, failed })
    })
}
