import { Dialog as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '@/ui/class-names'

export const Dialog = Radix.Root
export const DialogTrigger = Radix.Trigger
export const DialogClose = Radix.Close

const OVERLAY =
  'fixed inset-0 z-40 bg-night/60 backdrop-blur-[2px] data-[state=open]:animate-overlay-in data-[state=closed]:animate-overlay-out'

export function DialogContent({ className, children, ...props }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Overlay className={OVERLAY} />
      <Radix.Content
        className={cn(
          'fixed top-1/2 left-1/2 z-50 grid w-[calc(100vw-2rem)] max-w-md -translate-1/2 gap-5 rounded-2xl bg-card p-6 shadow-2xl',
          'max-h-[calc(100dvh-2rem)] overflow-y-auto outline-none data-[state=open]:animate-pop-in data-[state=closed]:animate-overlay-out',
          className,
        )}
        {...props}
      >
        {children}
      </Radix.Content>
    </Radix.Portal>
  )
}

export function DialogTitle({ className, ...props }: ComponentProps<typeof Radix.Title>) {
  return <Radix.Title className={cn('text-xl font-semibold', className)} {...props} />
}

export function DialogDescription({ className, ...props }: ComponentProps<typeof Radix.Description>) {
  return <Radix.Description className={cn('text-muted-foreground', className)} {...props} />
}

type SheetContentProps = ComponentProps<typeof Radix.Content> & { side: 'left' | 'right' }

const SIDES = {
  left: 'left-0 data-[state=open]:animate-slide-in-left data-[state=closed]:animate-slide-out-left',
  right: 'right-0 data-[state=open]:animate-slide-in-right data-[state=closed]:animate-slide-out-right',
}

/** A dialog that slides in from an edge: menus. */
export function SheetContent({ side, className, children, ...props }: SheetContentProps) {
  return (
    <Radix.Portal>
      <Radix.Overlay className={OVERLAY} />
      <Radix.Content
        aria-describedby={undefined}
        className={cn(
          'fixed inset-y-0 z-50 flex w-80 max-w-[calc(100vw-2.5rem)] flex-col bg-card shadow-2xl outline-none',
          SIDES[side],
          className,
        )}
        {...props}
      >
        {children}
      </Radix.Content>
    </Radix.Portal>
  )
}
