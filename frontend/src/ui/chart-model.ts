/** Gridlines above zero; together with zero there are three to five. */
const MOST_STEPS = 4

/** The values at the gridlines of an axis of counts: from 0, whole numbers, and a last one that no value exceeds. */
export function countTicks(greatest: number): number[] {
  const step = niceStep(Math.max(greatest, 1) / MOST_STEPS)
  const last = Math.max(Math.ceil(greatest / step), 2)
  return Array.from({ length: last + 1 }, (_, index) => index * step)
}

/** 1, 2 or 5 times a power of ten: the first that is not below `least`, and never a fraction. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)))
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? power * 10
}

/** Which of `length` points are named along the bottom: at most `most`, evenly apart, the first one among them. */
export function labelledPoints(length: number, most: number): number[] {
  const every = Math.max(1, Math.ceil(length / most))
  return Array.from({ length: Math.ceil(length / every) }, (_, index) => index * every)
}

/** The points of a polyline in a drawing of 100 × 100. A gap in the data is a gap in the line. */
export function lines(values: readonly (number | null)[], top: number): string[] {
  const found: string[][] = [[]]
  values.forEach((value, index) => {
    if (value === null) found.push([])
    else found.at(-1)?.push(`${(100 * (index + 0.5)) / values.length},${100 - (100 * value) / top}`)
  })
  // A point without neighbours is a line to itself, which round ends make a dot.
  return found
    .filter((points) => points.length > 0)
    .map(([first, ...rest]) => [first, ...(rest.length > 0 ? rest : [first])].join(' '))
}
