import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { count } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { Section } from '@/ui/section'
import { totalsQuery } from '@/data/home/queries'

/** What an admin looks at first. */
export function Totals({ userId }: { userId: string }) {
  const query = useQuery(totalsQuery(userId))
  return (
    <Section
      title="The club today"
      text="What is open, and who was here."
      query={query}
      problem="The figures could not be loaded."
      skeleton={<Figures totals={null} />}
      actions={
        <Button asChild>
          <Link to={paths.admin}>Go to Admin</Link>
        </Button>
      }
    >
      {(totals) => <Figures totals={totals} />}
    </Section>
  )
}

type Totals = Record<'open_reports' | 'open_messages' | 'suspended' | 'dau' | 'wau' | 'users', number>

function Figures({ totals }: { totals: Totals | null }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-5 sm:grid-cols-3">
      <Figure name="Open reports" value={totals?.open_reports} />
      <Figure name="Open messages" value={totals?.open_messages} />
      <Figure name="Suspended" value={totals?.suspended} />
      <Figure name="Active today" value={totals?.dau} />
      <Figure name="Active this week" value={totals?.wau} />
      <Figure name="Users" value={totals?.users} />
    </dl>
  )
}

function Figure({ name, value }: { name: string; value: number | undefined }) {
  return (
    <div className="flex flex-col-reverse justify-end">
      <dt className="text-sm text-muted-foreground">{name}</dt>
      <dd className="font-display text-3xl font-bold tabular-nums">{count(value)}</dd>
    </div>
  )
}
