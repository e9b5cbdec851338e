/** Where each position stands on a drawing of 92 × 86. */
const SPOTS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  P: [46, 52],
  C: [46, 78],
  '1B': [72, 50],
  '2B': [61, 36],
  SS: [31, 36],
  '3B': [20, 50],
  LF: [14, 20],
  CF: [46, 9],
  RF: [78, 20],
}
const OUTFIELD = ['LF', 'CF', 'RF']
const INFIELD = ['1B', '2B', 'SS', '3B']
/** What a position without a place of its own stands for. */
const GROUPS: Readonly<Record<string, readonly string[]>> = { OF: OUTFIELD, IF: INFIELD }

/** The field with a player's positions: the first one filled, the others as rings. Nothing for a hitter without a position. */
export function PositionDiamond({ positions }: { positions: readonly string[] }) {
  const [first = '', ...others] = positions
  const spots = (position: string) => GROUPS[position] ?? [position]
  const filled = spots(first).filter((name) => name in SPOTS)
  const rings = others.flatMap(spots).filter((name) => name in SPOTS && !filled.includes(name))
  if (filled.length + rings.length === 0) return null
  return (
    <svg viewBox="0 0 92 86" width="92" height="86" role="img" aria-label={`Positions: ${positions.join(', ')}`}>
      <path d="M46 80 L4 38 A58 58 0 0 1 88 38 Z" className="fill-none stroke-night-muted/50" />
      <path d="M46 80 L24 58 L46 36 L68 58 Z" className="fill-none stroke-night-muted/50" />
      {Object.entries(SPOTS).map(([name, [x, y]]) => {
        if (!filled.includes(name)) {
          const ring = rings.includes(name)
          return (
            <circle
              key={name}
              cx={x}
              cy={y}
              r={ring ? 6 : 2}
              className={ring ? 'fill-none stroke-clay' : 'fill-night-muted/70'}
              strokeWidth="2"
            />
          )
        }
        return (
          <g key={name}>
            <circle cx={x} cy={y} r="9" className="fill-clay" />
            <text x={x} y={y + 3} textAnchor="middle" className="fill-night text-[8px] font-bold">
              {name}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
