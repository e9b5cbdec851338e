import { useQuery } from '@tanstack/react-query'
import { Fingerprint, Pencil } from 'lucide-react'
import { useState } from 'react'
import { securityReason } from '@/data/security/messages'
import type { Passkey } from '@/data/security/model'
import { useAddPasskey, useRemovePasskey, useRenamePasskey } from '@/data/security/mutations'
import { passkeysQuery } from '@/data/security/queries'
import { hasAuthenticators } from '@/lib/authenticators'
import { Button } from '@/ui/button'
import { Dialog, DialogContent, DialogDescription, DialogTitle, DialogTrigger } from '@/ui/dialog'
import { NameForm } from '@/features/settings/components/name-form'
import { RemovalDialog } from '@/ui/removal-dialog'
import { Empty, Row, Section } from '@/ui/section'
import { day } from '@/features/settings/model'

/** Signing in without a password. */
export function Passkeys({ userId }: { userId: string }) {
  const query = useQuery(passkeysQuery(userId))
  const add = useAddPasskey(userId)
  const remove = useRemovePasskey(userId)
  const canAdd = query.data !== null && hasAuthenticators()
  return (
    <Section
      title="Passkeys"
      text="Sign in with your fingerprint, your face or the lock of your screen, without a password."
      query={query}
      problem="Your passkeys could not be loaded."
      actions={
        canAdd && (
          <Button variant="outline" disabled={add.isPending} onClick={() => add.mutate()}>
            <Fingerprint aria-hidden />
            {add.isPending ? 'Waiting for your device…' : 'Add passkey'}
          </Button>
        )
      }
    >
      {(passkeys) =>
        !passkeys?.length ? (
          <Empty>{passkeys ? 'You have no passkey yet.' : 'Passkeys are switched off on this server.'}</Empty>
        ) : (
          <ul className="divide-y divide-border">
            {passkeys.map((passkey) => (
              <Row key={passkey.id} icon={<Fingerprint aria-hidden />} name={passkey.name} facts={facts(passkey)}>
                <RenameDialog userId={userId} passkey={passkey} />
                <RemovalDialog
                  name={passkey.name}
                  text="It no longer signs you in here. Your device may still offer it until you delete it there, too."
                  pending={remove.isPending}
                  onRemove={() => remove.mutateAsync(passkey.id)}
                />
              </Row>
            ))}
          </ul>
        )
      }
    </Section>
  )
}

const facts = ({ since, lastUsed }: Passkey) =>
  `Since ${day(since)} · ${lastUsed ? `last used ${day(lastUsed)}` : 'not used yet'}`

function RenameDialog({ userId, passkey }: { userId: string; passkey: Passkey }) {
  const [open, setOpen] = useState(false)
  const rename = useRenamePasskey(userId)
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next)
        rename.reset()
      }}
    >
      <DialogTrigger asChild>
        <Button variant="ghost" size="icon" aria-label={`Rename ${passkey.name}`}>
          <Pencil aria-hidden />
        </Button>
      </DialogTrigger>
      <DialogContent>
        <div className="grid gap-2">
          <DialogTitle>Rename passkey</DialogTitle>
          <DialogDescription>Only you see the name.</DialogDescription>
        </div>
        <NameForm
          draft={{ id: `passkey:${passkey.id}`, description: 'A new name for a passkey' }}
          name={passkey.name}
          submit="Rename"
          pending={rename.isPending}
          problem={rename.isError ? securityReason(rename.error) : null}
          onSubmit={(name) => rename.mutateAsync({ id: passkey.id, name }).then(() => setOpen(false))}
        />
      </DialogContent>
    </Dialog>
  )
}
