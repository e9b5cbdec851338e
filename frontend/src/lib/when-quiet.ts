import { afterPaint } from '@/lib/after-paint'

/** Milliseconds after the page stands before what only a click needs is loaded: on a slow line the screen's data comes first. */
const REST = 4000

/** Loads what a click will need once the page has come to rest, so that it is there without a wait and without a connection. */
export function whenQuiet(load: () => Promise<unknown>) {
  const timer = setTimeout(
    () =>
      void afterPaint()
        .then(load, () => undefined)
        .catch(() => undefined),
    REST,
  )
  return () => clearTimeout(timer)
}
