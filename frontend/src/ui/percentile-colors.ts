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

/** The colours of a percentile from 0 to 99, right is better. */
export function percentileColors(percentile: number) {
  const step = Math.min(STEPS.length - 1, Math.max(0, Math.floor((percentile * STEPS.length) / 100)))
  const [light, onLight, dark, onDark] = STEPS[step] ?? MIDDLE
  return { backgroundColor: `light-dark(${light}, ${dark})`, color: `light-dark(${onLight}, ${onDark})` }
}

/** Pale colors of the track behind a percentile: both ends of the scale and its middle. */
export const percentileTrack = {
  backgroundImage:
    'linear-gradient(90deg, light-dark(#9fb8d7, #3e617b), light-dark(#eeede8, #2b352f) 50%, light-dark(#d8a99a, #7c5a3c))',
}
