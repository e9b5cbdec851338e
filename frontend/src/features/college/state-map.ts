import type { Program } from '@/data/college/model'

/** A tile map of the states: each row of text is a row of the map. */
const ROWS = [
  'AK .  .  .  .  .  .  .  .  .  ME',
  '.  .  .  .  .  WI .  .  .  VT NH',
  'WA ID MT ND MN IL MI .  NY MA .',
  'OR NV WY SD IA IN OH PA NJ CT RI',
  'CA UT CO NE MO KY WV VA MD DE .',
  '.  AZ NM KS AR TN NC SC DC .  .',
  '.  .  .  OK LA MS AL GA .  .  .',
  'HI .  .  TX .  .  .  .  FL .  .',
]

export type Tile = { code: string; row: number; column: number }

export const TILES: readonly Tile[] = ROWS.flatMap((line, row) =>
  line.split(/\s+/).flatMap((code, column) => (code === '.' ? [] : [{ code, row, column }])),
)

/** The tile that an arrow key leads to: the nearest one in that direction, where a step aside counts four times. */
export function tileBeside(from: Tile, key: string): Tile | undefined {
  const ahead = (tile: Tile) => {
    const [right, down] = [tile.column - from.column, tile.row - from.row]
    switch (key) {
      case 'ArrowRight':
        return [right, down] as const
      case 'ArrowLeft':
        return [-right, down] as const
      case 'ArrowDown':
        return [down, right] as const
      case 'ArrowUp':
        return [-down, right] as const
      default:
        return [0, 0] as const
    }
  }
  const distance = (tile: Tile) => {
    const [steps, aside] = ahead(tile)
    return steps + 4 * Math.abs(aside)
  }
  return TILES.filter((tile) => ahead(tile)[0] > 0).sort((a, b) => distance(a) - distance(b))[0]
}

/** How many programs each state has. */
export function countByState(programs: readonly Pick<Program, 'state'>[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { state } of programs) if (state !== null) counts.set(state, (counts.get(state) ?? 0) + 1)
  return counts
}

/** The shade of an amount, from 0 (none) to 4 (three quarters of the largest, and more). */
export const shadeOf = (amount: number, largest: number) =>
  amount === 0 ? 0 : Math.min(4, 1 + Math.floor((4 * amount) / Math.max(1, largest)))
