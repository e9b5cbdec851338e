import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { Link } from 'react-router'
import { count, day, moment } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { Card, Empty, Problem, Section } from '@/ui/section'
import { Spinner } from '@/ui/spinner'
import { auditAddress, profileAddress } from '@/features/admin/addresses'
import { Sentence } from '@/features/admin/components/sentence'
import { UserActions } from '@/features/admin/components/user-actions'
import { words } from '@/features/admin/model'
import { historyQuery, LATEST, ledgerQuery, userQuery } from '@/data/admin/queries'

/** One account: what an admin may know of it and do to it, and what was done. */
export function UserPage({ id, own }: { id: string; own: boolean }) {
  const user = useQuery(userQuery(id))
  return (
    <div className="grid gap-6">
      <Button asChild variant="ghost" className="justify-self-start">
        <Link to={`${paths.admin}?tab=users`}>
          <ArrowLeft aria-hidden />
          All users
        </Link>
      </Button>
      {user.isPending && <Spinner />}
      {user.isError && (
        <Problem text="This account could not be loaded." error={user.error} onRetry={() => void user.refetch()} />
      )}
      {user.data === null && <Empty>There is no such account. It may have been deleted.</Empty>}
      {user.data && (
        <>
          <Card
            title={user.data.full_name || 'Unnamed'}
            text={[user.data.email, `since ${day(user.data.created_at)}`].filter(Boolean).join(', ')}
            aside={
              <Button asChild variant="outline">
                <Link to={profileAddress(id)}>Open profile</Link>
              </Button>
            }
          >
            <UserActions user={user.data} own={own} />
          </Card>
          <div className="grid items-start gap-6 lg:grid-cols-2">
            <History id={id} />
            <Ledger id={id} balance={user.data.referral_tokens} />
          </div>
        </>
      )}
    </div>
  )
}

function History({ id }: { id: string }) {
  return (
    <Section
      title="What was done"
      text={`The last ${LATEST} lines of the audit log about this account.`}
      query={useQuery(historyQuery(id))}
      problem="The audit log could not be loaded."
      actions={
        <>
          <Button asChild variant="outline" size="sm">
            <Link to={auditAddress('subject', id)}>All about them</Link>
          </Button>
          <Button asChild variant="outline" size="sm">
            <Link to={auditAddress('actor', id)}>All they did</Link>
          </Button>
        </>
      }
    >
      {(lines) =>
        lines.length === 0 ? (
          <Empty>Nothing was done to this account yet.</Empty>
        ) : (
          <ol className="grid gap-4">
            {lines.map((line) => (
              <li key={line.id} className="text-sm wrap-anywhere">
                <p>
                  <Sentence line={line} />
                </p>
                {line.reason && <p className="text-muted-foreground">“{line.reason}”</p>}
                <p className="text-muted-foreground">{moment(line.created_at)}</p>
              </li>
            ))}
          </ol>
        )
      }
    </Section>
  )
}

function Ledger({ id, balance }: { id: string; balance: number }) {
  return (
    <Section
      title="Tokens"
      text={`${count(balance)} now, the sum of the ledger; its last ${LATEST} lines.`}
      query={useQuery(ledgerQuery(id))}
      problem="The ledger could not be loaded."
    >
      {(lines) =>
        lines.length === 0 ? (
          <Empty>No token activity yet</Empty>
        ) : (
          <ol className="grid gap-3 text-sm">
            {lines.map(({ id, amount, reason, created_at }) => (
              <li key={id} className="flex justify-between gap-4">
                <span>
                  {words(reason)} <span className="text-muted-foreground">{day(created_at)}</span>
                </span>
                <span className="font-medium tabular-nums">{amount > 0 ? `+${count(amount)}` : count(amount)}</span>
              </li>
            ))}
          </ol>
        )
      }
    </Section>
  )
}
