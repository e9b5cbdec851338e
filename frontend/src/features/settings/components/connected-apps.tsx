import { useQuery } from '@tanstack/react-query'
import { AppWindow } from 'lucide-react'
import { useState } from 'react'
import { useRevokeGrant } from '@/data/account/mutations'
import { grantsQuery } from '@/data/account/queries'
import { day } from '@/lib/format'
import { Button } from '@/ui/button'
import { Card, Empty, Row, Section } from '@/ui/section'
import { RemovalDialog } from '@/ui/removal-dialog'

const TITLE = 'Connected apps'
const TEXT = 'Other apps that can use your account.'

/** Other apps that may use the account. */
export function ConnectedApps({ userId }: { userId: string }) {
  const [asked, setAsked] = useState(false)
  const query = useQuery({ ...grantsQuery(userId), enabled: asked })
  const revoke = useRevokeGrant(userId)
  // A server whose OAuth server is off refuses this request, so it is sent only on demand.
  if (!asked) {
    return (
      <Card title={TITLE} text={TEXT}>
        <Button variant="outline" className="justify-self-start" onClick={() => setAsked(true)}>
          <AppWindow aria-hidden />
          Show connected apps
        </Button>
      </Card>
    )
  }
  return (
    <Section title={TITLE} text={TEXT} query={query} problem="Your connected apps could not be loaded.">
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
                    text="Signs the app out. It has to ask you again."
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
