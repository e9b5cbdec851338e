import { lazy, type ComponentType } from 'react'

/** What Chromium, Firefox, Safari and Vite say of a part of the app that did not arrive. */
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
 * `lazy`, but a failed load can be tried again: React remembers a failure for ever. `retryLoads` forgets all of them.
 * A module that arrives and then throws is a defect, not a lost connection, and fails as with `lazy`.
 */
export function lazyScreen<Props extends object = object>(load: () => Promise<Module<Props>>): LazyScreen<Props> {
  const begin = () =>
    lazy(() =>
      load().catch((error: unknown) => {
        if (!(error instanceof Error) || !hasNotArrived(error)) throw error
        failed.add(restart)
        throw new LoadFailure(error.message, { cause: error })
      }),
    )
  const restart = () => (state.Current = begin())
  const state: { Current: ComponentType<Props> } = { Current: begin() }
  return function Screen(props: Props) {
    return <state.Current {...props} />
  }
}

/** Lets every part that could not be loaded be asked for again when it is next drawn. */
export function retryLoads() {
  failed.forEach((restart) => restart())
  failed.clear()
}
