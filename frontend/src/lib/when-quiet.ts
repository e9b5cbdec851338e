import { afterPaint } from '@/lib/after-paint'

/** Milliseconds after the first paint before parts that only a click needs are loaded: on a slow line the data comes first. */
const REST = 4000

/** Loads what a click will need once the page is idle, so that it opens at once, even without a connection. */
export function whenQuiet(load: () => Promise<unknown>, rest = REST) {
  const timer = setTimeout(
    () =>
      void afterPaint()
        .then(load, () => undefined)
        .catch(() => undefined),
    rest,
  )
  return () => clearTimeout(timer)
}
