/**
 * Holds a lock among the browser's tabs until `signal` aborts. Resolves once it is held; `onWait` is called if another tab has
 * it. Browsers have such locks on https and localhost only; elsewhere this resolves at once.
 */
export async function holdTabLock(name: string, signal: AbortSignal, onWait: () => void): Promise<void> {
  const { locks } = navigator as Partial<Navigator>
  if (!locks) return
  await new Promise<void>((resolve, reject) => {
    const untilAborted = () =>
      new Promise<void>((release) => {
        if (signal.aborted) release()
        else signal.addEventListener('abort', () => release())
        resolve()
      })
    const wait = () => locks.request(name, { signal }, untilAborted).catch(reject)
    const first = locks.request(name, { ifAvailable: true }, (lock) => {
      if (lock) return untilAborted()
      if (signal.aborted) resolve()
      else {
        onWait()
        void wait()
      }
      return undefined
    })
    first.catch(reject)
  })
}
