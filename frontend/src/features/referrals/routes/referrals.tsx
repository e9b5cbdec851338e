import { useQuery } from '@tanstack/react-query'
import type { Prefetch } from '@/lib/prefetch'
import { count, moment } from '@/lib/format'
import { usePageTitle } from '@/lib/page-title'
import { useSession } from '@/lib/session'
import { Card, Empty, PageHeader, Problem } from '@/ui/section'
import { DataTable, type Column } from '@/ui/table/data-table'
import { Funnel } from '@/features/referrals/components/funnel'
import { InviteCard } from '@/features/referrals/components/invite-card'
import { balance, reasonText, withBalance, type LedgerLine } from '@/features/referrals/model'
import { funnelQuery, ledgerQuery, ownCodeQuery } from '@/data/referrals/queries'

export const prefetch: Prefetch = (begin, { userId }) => {
  if (!userId) return
  void begin(ownCodeQuery(userId))
  void begin(ledgerQuery(userId))
  void begin(funnelQuery(userId))
}

type Line = LedgerLine & { after: number }

const COLUMNS: readonly Column<Line>[] = [
  { id: 'when', header: 'When', value: (line) => line.created_at, format: (line) => moment(line.created_at) },
  { id: 'reason', header: 'For', value: (line) => reasonText(line.reason) },
  {
    id: 'amount',
    header: 'Tokens',
    numeric: true,
    value: (line) => line.amount,
    format: (line) => (line.amount > 0 ? `+${count(line.amount)}` : count(line.amount)),
  },
  {
    id: 'after',
    header: 'Balance',
    numeric: true,
    value: (line) => line.after,
    format: (line) => count(line.after),
  },
]

/** `/referrals`: the user's link, what came of it, and every token with its reason. */
export default function ReferralsScreen() {
  const { user } = useSession()
  usePageTitle('Tokens')
  return user && <Referrals userId={user.id} />
}

function Referrals({ userId }: { userId: string }) {
  const code = useQuery(ownCodeQuery(userId))
  const ledger = useQuery({ ...ledgerQuery(userId), select: withBalance })
  return (
    <div className="grid gap-6">
      <PageHeader title="Tokens" text="Invite players, earn tokens" />
      <Card title="Balance" text="The sum of every line of the ledger below.">
        <p className="font-display text-5xl font-bold tabular-nums" aria-busy={ledger.isPending}>
          {ledger.data ? count(balance(ledger.data)) : '—'}
        </p>
      </Card>
      {code.isError && (
        <Problem text="Your link could not be loaded." error={code.error} onRetry={() => void code.refetch()} />
      )}
      {(code.isPending || code.data) && <InviteCard code={code.data?.code} />}
      {code.data === null && <Empty>You have no referral code yet. It is made with your account; please reload.</Empty>}
      {(code.isPending || code.data) && <Funnel userId={userId} code={code.data} />}
      <Card title="Ledger" text="Token history">
        <DataTable
          name="Token ledger"
          query={ledger}
          columns={COLUMNS}
          rowKey={(line) => line.id}
          empty="No token activity yet"
        />
      </Card>
    </div>
  )
}
