import type { ComponentProps } from 'react'
import { cn } from '@/ui/class-names'

export const CONTROL = [
  'h-11 w-full rounded-lg border border-input/70 md:h-9 bg-card px-3 text-base shadow-xs transition-colors placeholder:text-muted-foreground sm:text-sm',
  'hover:border-input focus-visible:border-ring focus-visible:outline-offset-0 disabled:opacity-55',
  'aria-invalid:border-destructive aria-invalid:bg-destructive/4 aria-invalid:focus-visible:outline-destructive',
].join(' ')

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return <input className={cn(CONTROL, className)} {...props} />
}
