import { lazy, useState, type ComponentType } from 'react'
import { arrivedPart, loadPart } from '@/lib/arrived'

/** The messages of Chromium, Firefox, Safari and Vite when a part of the app could not be loaded. */
const NOT_ARRIVED = /dynamically imported module|importing a module script failed|unable to preload css/i

/** Whether an `import()` failed because its file did not arrive. */
export const hasNotArrived = (error: unknown): boolean => error instanceof Error && NOT_ARRIVED.test(error.message)

/** A part of the app that could not be loaded: the connection is lost, or a new release has replaced the file. */
class LoadFailure extends Error {
  override name = 'LoadFailure'
}

export const isLoadFailure = (error: unknown): boolean => error instanceof LoadFailure

type Module<Props> = { default: ComponentType<Props> }

/** A component that is loaded when it is first drawn. */
export type LazyScreen<Props extends object = object> = ComponentType<Props>

/** How to try the failed parts again. */
const failed = new Set<() => void>()

/**
 * Like `lazy`, but a part that has arrived before is drawn without a fallback, and a failed load can be repeated with
 * `retryLoads`, whereas React keeps a failure for ever.
 * A module that arrives and then throws is a defect, not a lost connection, and fails as with `lazy`.
 */
export function lazyScreen<Props extends object = object>(load: () => Promise<Module<Props>>): LazyScreen<Props> {
  const begin = () =>
    lazy(() =>
      loadPart(load).catch((error: unknown) => {
        if (!(error instanceof Error) || !hasNotArrived(error)) throw error
        failed.add(restart)
        throw new LoadFailure(error.message, { cause: error })
      }),
    )
  const restart = () => (state.Current = begin())
  const state: { Current: ComponentType<Props> } = { Current: begin() }
  return function Screen(props: Props) {
    // A part that has arrived is drawn at once: after a fallback, even a short one, React waits 300 ms before it shows more.
    const [Current] = useState(() => arrivedPart(load)?.default ?? state.Current)
    return <Current {...props} />
  }
}

/** Lets every part that could not be loaded be asked for again when it is next drawn. */
export function retryLoads() {
  failed.forEach((restart) => restart())
  failed.clear()
}
