import { count } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Card } from '@/ui/section'
import { MoreLink } from '@/features/home/components/more-link'
import type { AdminTotals } from '@/data/home/queries'

/** What an admin looks at first. */
export function Totals({ totals }: { totals: AdminTotals }) {
  return (
    <Card title="The club today" aside={<MoreLink to={paths.admin}>Go to Admin</MoreLink>}>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-5 sm:grid-cols-3">
        <Figure name="Open reports" value={totals.open_reports} />
        <Figure name="Open messages" value={totals.open_messages} />
        <Figure name="Suspended" value={totals.suspended} />
        <Figure name="Active today" value={totals.dau} />
        <Figure name="Active this week" value={totals.wau} />
        <Figure name="Users" value={totals.users} />
      </dl>
    </Card>
  )
}

function Figure({ name, value }: { name: string; value: number }) {
  return (
    <div className="flex flex-col-reverse justify-end">
      <dt className="text-sm text-muted-foreground">{name}</dt>
      <dd className="font-display text-2xl font-bold tabular-nums">{count(value)}</dd>
    </div>
  )
}
