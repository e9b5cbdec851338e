import { cn } from '@/ui/class-names'

/** Names and values, as many beside one another as fit. */
export function Facts({ facts, className }: { facts: readonly (readonly [string, string])[]; className?: string }) {
  return (
    <dl className={cn('grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-6 gap-y-4', className)}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className="text-sm text-muted-foreground">{name}</dt>
          <dd className="font-medium wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
