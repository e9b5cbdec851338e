import { FileArchive, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useDeleteAccount, useExportData } from '@/data/account/mutations'
import type { Guard } from '@/data/security/mutations'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { Dialog, DialogClose, DialogContent, DialogDescription, DialogTitle, DialogTrigger } from '@/ui/dialog'
import { Field } from '@/ui/field'
import { Input } from '@/ui/input'
import { Card } from '@/ui/section'
import { toast } from '@/ui/toast/toast-state'
import { useRecentSignIn } from '@/features/settings/components/recent-sign-in'

const WORD = 'DELETE'

/** Downloads the user's data, and deletes the account. */
export function YourData({ email }: { email: string }) {
  const [guard, confirmation] = useRecentSignIn(email)
  const exporting = useExportData({ guard, fileName: 'dugout-data.zip' })
  return (
    <Card title="Your data" text="Download or delete everything we store about you.">
      <div className="flex flex-wrap gap-3">
        <Button variant="outline" disabled={exporting.isPending} onClick={() => exporting.mutate()}>
          <FileArchive aria-hidden />
          {exporting.isPending ? 'Collecting…' : 'Download my data'}
        </Button>
        <Deletion guard={guard} />
      </div>
      {confirmation}
    </Card>
  )
}

function Deletion({ guard }: { guard: Guard }) {
  const { signOut } = useSession()
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const remove = useDeleteAccount({
    guard,
    onDeleted: async () => {
      await signOut()
      await navigate(paths.home)
      toast({ title: 'Your account is deleted', variant: 'success' })
    },
  })
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="outline" className="text-destructive">
          <Trash2 aria-hidden />
          Delete my account
        </Button>
      </DialogTrigger>
      <DialogContent role="alertdialog">
        <div className="grid gap-2">
          <DialogTitle>Delete your account?</DialogTitle>
          <DialogDescription>
            Your profile, numbers, videos, tokens and everything else of yours is gone at once and cannot be brought
            back. You may want to download your data first.
          </DialogDescription>
        </div>
        <Field id="delete-word" label={`Type ${WORD} to go on`}>
          <Input id="delete-word" autoComplete="off" value={typed} onChange={(event) => setTyped(event.target.value)} />
        </Field>
        <div className="flex flex-wrap justify-end gap-3">
          <DialogClose asChild>
            <Button variant="outline">Cancel</Button>
          </DialogClose>
          <Button
            variant="destructive"
            disabled={typed.trim() !== WORD || remove.isPending}
            onClick={() => {
              setOpen(false)
              remove.mutate()
            }}
          >
            Delete account
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  )
}
