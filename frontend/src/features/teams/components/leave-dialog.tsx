import { Button } from '@/ui/button'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { useLeave } from '@/data/teams/mutations'

type LeaveDialogProps = { teamId: string; userId: string; team: string; text: string }

/** Leaves a team, once asked whether that is meant. */
export function LeaveDialog({ teamId, userId, team, text }: LeaveDialogProps) {
  const leave = useLeave()
  return (
    <ConfirmDialog
      trigger={
        <Button variant="outline" size="sm" aria-label={`Leave ${team}`}>
          Leave
        </Button>
      }
      title={`Leave ${team}?`}
      text={text}
      action="Leave team"
      working="Leaving…"
      pending={leave.isPending}
      onConfirm={() => leave.mutateAsync({ team_id: teamId, user_id: userId, done: `You have left ${team}` })}
    />
  )
}
