/** Blue to clay in nine steps, low to high within a group: light and dark, each with the colour of text on it. */
const STEPS: readonly (readonly [light: string, onLight: string, dark: string, onDark: string])[] = [
  ['#1b5a9d', '#fff', '#74b6fb', '#0b1510'],
  ['#3673b0', '#fff', '#4f93d8', '#0b1510'],
  ['#7ba6d0', '#0b1510', '#3a6c9f', '#fff'],
  ['#b3c8dc', '#0b1510', '#36526b', '#fff'],
  ['#d6d4c9', '#0b1510', '#48524c', '#fff'],
  ['#eec6a6', '#0b1510', '#70523d', '#fff'],
  ['#e0965f', '#0b1510', '#a8663a', '#fff'],
  ['#bb5520', '#fff', '#dd8443', '#0b1510'],
  ['#97320b', '#fff', '#ffa565', '#0b1510'],
]
const MIDDLE = ['#d6d4c9', '#0b1510', '#48524c', '#fff'] as const

/** For each step, light and dark: the fill of a table cell, with text in the usual color on it. */
const HEAT: readonly (readonly [light: string, dark: string])[] = [
  ['#9fb8d7', '#3e617b'],
  ['#aac3df', '#2f526d'],
  ['#c7d9ec', '#254154'],
  ['#dfe8f0', '#23353d'],
  ['#eeede8', '#2b352f'],
  ['#f8e7d9', '#3e3529'],
  ['#f4d3bc', '#573f29'],
  ['#e7b8a4', '#6e4c2e'],
  ['#d8a99a', '#7c5a3c'],
]
/** For each step, light and dark: the outline of a bubble, three to one or more against a panel. */
const OUTLINES: readonly (readonly [light: string, dark: string])[] = [
  ['#1b5a9d', '#74b6fb'],
  ['#3673b0', '#4f93d8'],
  ['#6a93bc', '#3a6c9f'],
  ['#8194a6', '#4f6b85'],
  ['#949288', '#616b65'],
  ['#ad8a6d', '#81634e'],
  ['#c67f4a', '#a8663a'],
  ['#bb5520', '#dd8443'],
  ['#97320b', '#ffa565'],
]

const stepOf = (percentile: number) =>
  Math.min(STEPS.length - 1, Math.max(0, Math.floor((percentile * STEPS.length) / 100)))

/** The fill of a table cell with a rate. */
export function percentileHeat(percentile: number): string {
  const [light, dark] = HEAT[stepOf(percentile)] ?? ['#eeede8', '#2b352f']
  return `light-dark(${light}, ${dark})`
}

export function percentileOutline(percentile: number): string {
  const [light, dark] = OUTLINES[stepOf(percentile)] ?? ['#949288', '#616b65']
  return `light-dark(${light}, ${dark})`
}

/** The colours of a percentile from 0 to 99, right is better. */
export function percentileColors(percentile: number) {
  const [light, onLight, dark, onDark] = STEPS[stepOf(percentile)] ?? MIDDLE
  return { backgroundColor: `light-dark(${light}, ${dark})`, color: `light-dark(${onLight}, ${onDark})` }
}

/** Pale colors of the track behind a percentile: both ends of the scale and its middle. */
export const percentileTrack = {
  backgroundImage:
    'linear-gradient(90deg, light-dark(#9fb8d7, #3e617b), light-dark(#eeede8, #2b352f) 50%, light-dark(#d8a99a, #7c5a3c))',
}
