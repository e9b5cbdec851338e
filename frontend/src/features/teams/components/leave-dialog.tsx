import { useState } from 'react'
import { Button } from '@/ui/button'
import { Dialog, DialogClose, DialogContent, DialogDescription, DialogTitle, DialogTrigger } from '@/ui/dialog'
import { useLeave } from '@/features/teams/mutations'

type LeaveDialogProps = { teamId: string; userId: string; team: string; text: string }

/** Leaves a team, once asked whether that is meant. */
export function LeaveDialog({ teamId, userId, team, text }: LeaveDialogProps) {
  const [open, setOpen] = useState(false)
  const leave = useLeave()
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="outline" size="sm" aria-label={`Leave ${team}`}>
          Leave
        </Button>
      </DialogTrigger>
      <DialogContent role="alertdialog">
        <div className="grid gap-2">
          <DialogTitle className="wrap-anywhere">Leave {team}?</DialogTitle>
          <DialogDescription>{text}</DialogDescription>
        </div>
        <div className="flex flex-wrap justify-end gap-3">
          <DialogClose asChild>
            <Button variant="outline">Cancel</Button>
          </DialogClose>
          <Button
            variant="destructive"
            disabled={leave.isPending}
            onClick={() =>
              leave.mutate(
                { team_id: teamId, user_id: userId, done: `You have left ${team}` },
                { onSettled: () => setOpen(false) },
              )
            }
          >
            {leave.isPending ? 'Leaving…' : 'Leave team'}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  )
}
