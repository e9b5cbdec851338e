import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { securityReason } from '@/data/security/messages'
import { freeName, KIND_NAMES } from '@/data/security/model'
import { useAddKey } from '@/data/security/mutations'
import { Button } from '@/ui/button'
import { Dialog, DialogContent, DialogDescription, DialogTitle, DialogTrigger } from '@/ui/dialog'
import { NameForm } from '@/features/settings/components/name-form'

/** Adds a security key as a second factor. */
export function KeyDialog({ userId, taken }: { userId: string; taken: readonly string[] }) {
  const [open, setOpen] = useState(false)
  const add = useAddKey(userId)
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next)
        add.reset()
      }}
    >
      <DialogTrigger asChild>
        <Button variant="outline">
          <KeyRound aria-hidden />
          Add security key
        </Button>
      </DialogTrigger>
      <DialogContent>
        <div className="grid gap-2">
          <DialogTitle>Add a security key</DialogTitle>
          <DialogDescription>
            {add.isPending
              ? 'Touch your key when the browser asks.'
              : 'Plug it in or hold it ready, and give it a name.'}
          </DialogDescription>
        </div>
        <NameForm
          draft={{ id: `key:${userId}`, description: 'A name for a security key' }}
          name={freeName(KIND_NAMES.webauthn, taken)}
          submit="Register key"
          pending={add.isPending}
          problem={add.isError ? securityReason(add.error) : null}
          onSubmit={(name) => add.mutateAsync(name).then(() => setOpen(false))}
        />
      </DialogContent>
    </Dialog>
  )
}
