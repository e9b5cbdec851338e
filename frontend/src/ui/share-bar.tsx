import { cn } from '@/ui/class-names'

/** A bar from 0 to 100, next to its number. */
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
