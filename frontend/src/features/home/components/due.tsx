import { shortDay } from '@/lib/format'
import { paths } from '@/lib/paths'
import { cn } from '@/ui/class-names'
import { Card } from '@/ui/section'
import { MoreLink } from '@/features/home/components/more-link'
import type { PlayerHome } from '@/data/home/queries'

/** Tasks of the college plan that are due within a week; nothing while there are none. */
export function Due({ tasks }: { tasks: PlayerHome['due'] }) {
  if (tasks.length === 0) return null
  const now = new Date().toISOString().slice(0, 10)
  return (
    <Card title="College" aside={<MoreLink to={paths.collegeBound}>All tasks</MoreLink>}>
      <ul className="-my-2 divide-y divide-border">
        {tasks.map(({ id, title, due_on }) => (
          <li key={id} className="flex min-h-10 items-center justify-between gap-3 py-2">
            <span className="wrap-anywhere">{title}</span>
            <span className={cn('text-sm whitespace-nowrap', due_on < now ? 'text-accent' : 'text-muted-foreground')}>
              {due_on < now ? `Late, ${shortDay(due_on)}` : shortDay(due_on)}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
