import { cn } from '@/ui/class-names'

/** How far somebody has come of a hundred; the number stands beside it. */
export function ShareBar({ percent, className }: { percent: number; className?: string }) {
  return (
    <span aria-hidden className={cn('block h-2.5 overflow-hidden rounded-full bg-muted print:border', className)}>
      <span
        className="block h-full rounded-full bg-primary [print-color-adjust:exact]"
        style={{ width: `${percent}%` }}
      />
    </span>
  )
}
