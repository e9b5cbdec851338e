import { Tabs as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '@/ui/class-names'

export const Tabs = Radix.Root

export function TabsList({ className, ...props }: ComponentProps<typeof Radix.List>) {
  return (
    <Radix.List className={cn('grid auto-cols-fr grid-flow-col gap-1 rounded-xl bg-muted p-1', className)} {...props} />
  )
}

export function TabsTrigger({ className, ...props }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      className={cn(
        'h-9 rounded-lg text-sm font-medium text-muted-foreground transition-colors hover:text-foreground',
        'data-[state=active]:bg-raised data-[state=active]:text-foreground data-[state=active]:shadow-sm',
        className,
      )}
      {...props}
    />
  )
}

export function TabsContent({ className, ...props }: ComponentProps<typeof Radix.Content>) {
  return <Radix.Content className={cn('mt-6 outline-none', className)} {...props} />
}
