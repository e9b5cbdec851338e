import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from '@/ui/class-names'
import { CONTROL } from '@/ui/input'

/** The browser's own list: with fifty options it is the quickest by keyboard and by thumb. */
export function Select({ className, ...props }: ComponentProps<'select'>) {
  return (
    <span className="relative block">
      <select className={cn(CONTROL, 'appearance-none pr-9', className)} {...props} />
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted-foreground"
      />
    </span>
  )
}
