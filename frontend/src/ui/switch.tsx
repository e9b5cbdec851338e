import { Switch as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '@/ui/class-names'

export function Switch({ className, ...props }: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root
      className={cn(
        'inline-flex h-6 w-11 shrink-0 items-center rounded-full border border-input/70 bg-muted p-0.5 transition-colors',
        'disabled:opacity-55 data-[state=checked]:border-primary data-[state=checked]:bg-primary',
        className,
      )}
      {...props}
    >
      <Radix.Thumb className="size-4.5 rounded-full bg-muted-foreground transition-transform data-[state=checked]:translate-x-5 data-[state=checked]:bg-primary-foreground" />
    </Radix.Root>
  )
}
