/** Where a ball came down, in feet from the plate: `x` to the right, `y` towards center. */
export type Spot = { x: number; y: number }

type Sector = readonly [zone: string, from: number, to: number]

/** Degrees from the line through second base; the foul lines are at −45 and 45. */
const OUTFIELD: readonly Sector[] = [
  ['7L', -45, -37],
  ['7', -37, -22],
  ['78', -22, -9],
  ['8', -9, 9],
  ['89', 9, 22],
  ['9', 22, 37],
  ['9L', 37, 45],
]
const INFIELD: readonly Sector[] = [
  ['5', -45, -33],
  ['56', -33, -23],
  ['6', -23, -9],
  ['6M', -9, 0],
  ['4M', 0, 9],
  ['4', 9, 23],
  ['34', 23, 33],
  ['3', 33, 45],
]
const NEAR: readonly Sector[] = [
  ['15', -45, -14],
  ['1', -14, 14],
  ['13', 14, 45],
]
const FOUL: readonly Sector[] = [
  ['7LF', -90, -45],
  ['9LF', 45, 90],
]

type Ring = { sectors: readonly Sector[]; suffix: string; from: number; to: number }

/** Retrosheet's zones of hits, from the plate outwards. */
const RINGS: readonly Ring[] = [
  { sectors: [['2', -45, 45]], suffix: '', from: 0, to: 25 },
  { sectors: NEAR, suffix: '', from: 25, to: 75 },
  { sectors: INFIELD, suffix: 'S', from: 75, to: 105 },
  { sectors: INFIELD, suffix: '', from: 105, to: 140 },
  { sectors: INFIELD, suffix: 'D', from: 140, to: 180 },
  { sectors: OUTFIELD, suffix: 'S', from: 180, to: 240 },
  { sectors: OUTFIELD, suffix: '', from: 240, to: 310 },
  { sectors: OUTFIELD, suffix: 'D', from: 310, to: 365 },
  { sectors: OUTFIELD, suffix: 'XD', from: 365, to: 450 },
]
const FOUL_RINGS: readonly Ring[] = [
  {
    sectors: [
      ['5F', -90, -45],
      ['3F', 45, 90],
    ],
    suffix: '',
    from: 40,
    to: 160,
  },
  { sectors: FOUL, suffix: '', from: 160, to: 450 },
]
/** Behind and beside the plate. */
const BEHIND = '2F'

const degrees = ({ x, y }: Spot) => (Math.atan2(x, y) * 180) / Math.PI

/** The zone of a spot in Retrosheet's notation, such as `78D`. */
export function zoneOf(spot: Spot): string {
  const [angle, distance] = [degrees(spot), Math.min(Math.hypot(spot.x, spot.y), 449)]
  const rings = Math.abs(angle) <= 45 ? RINGS : FOUL_RINGS
  const ring = rings.find(({ from, to }) => distance >= from && distance < to)
  const sector = ring?.sectors.find(([, from, to]) => angle >= from && angle <= to)
  return ring && sector ? sector[0] + ring.suffix : BEHIND
}

/** The middle of a zone; null for one that this diagram does not have. */
export function spotOf(zone: string): Spot | null {
  if (zone === BEHIND) return { x: 0, y: -20 }
  for (const { sectors, suffix, from, to } of [...RINGS, ...FOUL_RINGS]) {
    const sector = sectors.find(([name]) => name + suffix === zone)
    if (sector) {
      const [angle, distance] = [((sector[1] + sector[2]) / 2) * (Math.PI / 180), (from + to) / 2]
      return { x: Math.sin(angle) * distance, y: Math.cos(angle) * distance }
    }
  }
  return null
}

/** All zones, from the plate outwards. */
export const ZONES: readonly string[] = [
  BEHIND,
  ...[...RINGS, ...FOUL_RINGS].flatMap(({ sectors, suffix }) => sectors.map(([name]) => name + suffix)),
]

/** Where fielders usually stand, by position. */
const FIELDERS: readonly Spot[] = [
  { x: 0, y: 60 },
  { x: 0, y: -4 },
  { x: 75, y: 85 },
  { x: 40, y: 140 },
  { x: -75, y: 85 },
  { x: -40, y: 140 },
  { x: -140, y: 230 },
  { x: 0, y: 310 },
  { x: 140, y: 230 },
]

/** The position of the fielder nearest to a spot. */
export function nearestFielder(spot: Spot): number {
  const distances = FIELDERS.map(({ x, y }) => Math.hypot(x - spot.x, y - spot.y))
  return distances.indexOf(Math.min(...distances)) + 1
}

export type Trajectory = 'G' | 'L' | 'F' | 'P'

/** Trajectory and zone of an event's batted ball: `L78D` of `D8/L78D.1-H`. */
export function ballOf(event: string): { trajectory: Trajectory; zone: string } | null {
  const [basic = ''] = event.split('.')
  const found = /\/B?([GLFP])(\d[\dA-Z]*)/.exec(basic)
  return found ? { trajectory: found[1] as Trajectory, zone: found[2] ?? '' } : null
}
