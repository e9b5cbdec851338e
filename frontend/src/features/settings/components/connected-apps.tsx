import { useQuery } from '@tanstack/react-query'
import { AppWindow } from 'lucide-react'
import { day } from '@/lib/format'
import { Empty, Row, Section } from '@/ui/section'
import { grantsQuery, useRevokeGrant } from '@/features/settings/account'
import { RemovalDialog } from '@/ui/removal-dialog'

/** Other apps that may use the account. */
export function ConnectedApps({ userId }: { userId: string }) {
  const query = useQuery(grantsQuery(userId))
  const revoke = useRevokeGrant(userId)
  return (
    <Section
      title="Connected apps"
      text="Other apps that you let use your account."
      query={query}
      problem="Your connected apps could not be loaded."
    >
      {(grants) =>
        !grants?.length ? (
          <Empty>{grants ? 'No app uses your account.' : 'This server lets no other app use its accounts.'}</Empty>
        ) : (
          <ul className="divide-y divide-border">
            {grants.map(({ client, scopes, granted_at }) => {
              const name = client.name || 'An app without a name'
              return (
                <Row
                  key={client.id}
                  icon={<AppWindow aria-hidden />}
                  name={name}
                  facts={`Since ${day(granted_at)} · ${scopes.join(', ')}`}
                >
                  <RemovalDialog
                    name={name}
                    text="It is signed out at once, and has to ask you again."
                    pending={revoke.isPending}
                    onRemove={() => revoke.mutateAsync(client.id)}
                  />
                </Row>
              )
            })}
          </ul>
        )
      }
    </Section>
  )
}
