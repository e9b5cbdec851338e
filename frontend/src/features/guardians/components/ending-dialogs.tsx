import { useQueryClient } from '@tanstack/react-query'
import { Trash2, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useDeleteAccount } from '@/data/account/mutations'
import { useEndGuardianship } from '@/data/guardians/mutations'
import type { Guard } from '@/data/security/mutations'
import type { Ward } from '@/lib/minors'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { Dialog, DialogClose, DialogContent, DialogDescription, DialogTitle, DialogTrigger } from '@/ui/dialog'
import { Field } from '@/ui/field'
import { Input } from '@/ui/input'
import { toast } from '@/ui/toast/toast-state'
import { afterRevoking } from '@/features/guardians/model'

const WORD = 'DELETE'

/** Ends a guardianship after saying what follows from it. */
export function EndGuardianshipDialog({ ward }: { ward: Ward }) {
  const navigate = useNavigate()
  const end = useEndGuardianship(() => void navigate(paths.home))
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button variant="outline">
          <UserMinus aria-hidden />
          End the guardianship
        </Button>
      </DialogTrigger>
      <DialogContent role="alertdialog">
        <div className="grid gap-2">
          <DialogTitle>End your guardianship of {ward.full_name}?</DialogTitle>
          <DialogDescription>{afterRevoking(ward)}</DialogDescription>
        </div>
        {end.problem && (
          <p role="alert" className="text-sm text-destructive">
            {end.problem}
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-3">
          <DialogClose asChild>
            <Button variant="outline">Cancel</Button>
          </DialogClose>
          <Button variant="destructive" disabled={end.isPending} onClick={() => end.mutate(ward.guardianship_id)}>
            {end.isPending ? 'Ending…' : 'End the guardianship'}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  )
}

/** Deletes a ward's account once the word was typed. */
export function DeleteWardDialog({ ward, guard }: { ward: Ward; guard: Guard }) {
  const { ward_id, full_name: name } = ward
  const navigate = useNavigate()
  const client = useQueryClient()
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const remove = useDeleteAccount({
    guard,
    wardId: ward_id,
    onDeleted: async () => {
      await navigate(paths.home)
      toast({ title: `The account of ${name} is deleted`, variant: 'success' })
      await client.invalidateQueries()
    },
  })
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="outline" className="text-destructive" disabled={remove.isPending}>
          <Trash2 aria-hidden />
          Delete the account
        </Button>
      </DialogTrigger>
      <DialogContent role="alertdialog">
        <div className="grid gap-2">
          <DialogTitle>Delete the account of {name}?</DialogTitle>
          <DialogDescription>
            The profile, numbers, videos and everything else of it are gone at once and cannot be brought back. You may
            want to download the data first.
          </DialogDescription>
        </div>
        <Field id="delete-ward-word" label={`Type ${WORD} to go on`}>
          <Input
            id="delete-ward-word"
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
        <div className="flex flex-wrap justify-end gap-3">
          <DialogClose asChild>
            <Button variant="outline">Cancel</Button>
          </DialogClose>
          <Button
            variant="destructive"
            disabled={typed.trim() !== WORD}
            onClick={() => {
              // Closed first, because the password is asked for in another dialog.
              setOpen(false)
              setTyped('')
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
