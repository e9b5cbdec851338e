import { cn } from '@/ui/class-names'

/** A ball field seen from above, in lines: the quiet picture behind headings. Decoration only. */
export function DiamondArt({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 400 400" aria-hidden fill="none" className={cn('stroke-current', className)}>
      <path d="M200 372 28 200a243 243 0 0 1 344 0Z" strokeWidth="1.5" />
      <path d="M60 200a198 198 0 0 1 280 0" strokeWidth="1" strokeDasharray="2 7" />
      <path d="M200 372 118 290a116 116 0 0 1 164 0Z" strokeWidth="1.5" />
      <path d="m200 360 62-62-62-62-62 62Z" strokeWidth="1.5" />
      <circle cx="200" cy="298" r="10" strokeWidth="1.5" />
      {[
        [200, 236],
        [262, 298],
        [138, 298],
      ].map(([x, y]) => (
        <rect
          key={`${x},${y}`}
          x={Number(x) - 5}
          y={Number(y) - 5}
          width="10"
          height="10"
          transform={`rotate(45 ${x} ${y})`}
          className="fill-current"
        />
      ))}
    </svg>
  )
}
