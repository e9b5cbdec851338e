import { Popover as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '@/ui/class-names'

export const Popover = Radix.Root
export const PopoverAnchor = Radix.Anchor

export function PopoverContent({ className, ...props }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        sideOffset={8}
        collisionPadding={12}
        className={cn(
          'z-40 w-96 max-w-(--radix-popover-content-available-width) rounded-2xl border border-border bg-card shadow-xl outline-none',
          'data-[state=open]:animate-pop-in',
          className,
        )}
        {...props}
      />
    </Radix.Portal>
  )
}
