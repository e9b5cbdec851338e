import { cn } from '@/ui/class-names'

type DiamondProps = { first: boolean; second: boolean; third: boolean; className?: string }

/** The bases as three squares, the occupied ones filled. */
export function Diamond({ first, second, third, className }: DiamondProps) {
  const occupied = [first && 'first', second && 'second', third && 'third'].filter(Boolean)
  return (
    <svg
      viewBox="0 0 40 28"
      role="img"
      aria-label={occupied.length === 0 ? 'Bases empty' : `Runners on ${occupied.join(' and ')}`}
      className={cn('h-8', className)}
    >
      <Base x={30} y={17} on={first} />
      <Base x={20} y={8} on={second} />
      <Base x={10} y={17} on={third} />
    </svg>
  )
}

function Base({ x, y, on }: { x: number; y: number; on: boolean }) {
  return (
    <rect
      x={x - 5}
      y={y - 5}
      width="10"
      height="10"
      transform={`rotate(45 ${x} ${y})`}
      className={on ? 'fill-clay stroke-clay' : 'fill-transparent stroke-night-muted'}
      strokeWidth="1.5"
    />
  )
}

/** Two lamps, one lit for each out. */
export function Outs({ outs }: { outs: number }) {
  return (
    <span role="img" aria-label={outs === 1 ? '1 out' : `${outs} outs`} className="flex justify-center gap-1.5">
      {[0, 1].map((lamp) => (
        <span
          key={lamp}
          className={cn('size-2 rounded-full border border-clay', lamp < outs ? 'bg-clay' : 'bg-transparent')}
        />
      ))}
    </span>
  )
}
