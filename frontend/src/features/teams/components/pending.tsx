import { DoorOpen, Hourglass, Mail } from 'lucide-react'
import { Button } from '@/ui/button'
import { Row } from '@/ui/section'
import { ChoiceDialog } from '@/features/teams/components/choice-dialog'
import { useAccept, useLeave, useTeamForms } from '@/features/teams/mutations'
import { openTeamsQuery, type Membership } from '@/features/teams/queries'
import { place } from '@/features/teams/model'

/** Invitations to answer, and requests that wait for a coach's answer. */
export function Pending({ memberships, userId }: { memberships: readonly Membership[]; userId: string }) {
  const accept = useAccept()
  const leave = useLeave()
  const waiting = memberships.filter(({ status }) => status !== 'active')
  const busy = accept.isPending || leave.isPending
  if (waiting.length === 0) return null
  return (
    <ul className="divide-y divide-border">
      {waiting.map(({ team_id, status, teams }) => {
        const name = teams?.name ?? 'A closed team'
        const given = { team_id, user_id: userId }
        const invited = status === 'invited'
        return (
          <Row
            key={team_id}
            icon={invited ? <Mail aria-hidden /> : <Hourglass aria-hidden />}
            name={name}
            facts={[invited ? 'Invites you' : 'Your request waits for a coach', teams && place(teams)]
              .filter(Boolean)
              .join(' · ')}
          >
            {invited && (
              <Button
                size="sm"
                aria-label={`Accept ${name}`}
                disabled={busy}
                onClick={() => accept.mutate({ ...given, done: `You are on the team of ${name}` })}
              >
                Accept
              </Button>
            )}
            <Button
              size="sm"
              variant="outline"
              aria-label={`${invited ? 'Decline' : 'Withdraw from'} ${name}`}
              disabled={busy}
              onClick={() => leave.mutate({ ...given, done: invited ? 'Declined' : 'Your request is taken back' })}
            >
              {invited ? 'Decline' : 'Withdraw'}
            </Button>
          </Row>
        )
      })}
    </ul>
  )
}

/** Finds a team by name and asks its coaches. */
export function AskToJoin() {
  const { ask } = useTeamForms()
  return (
    <ChoiceDialog
      trigger={
        <Button variant="outline">
          <DoorOpen aria-hidden />
          Ask to join a team
        </Button>
      }
      title="Ask to join a team"
      text="You are on the team once one of its coaches accepts."
      label="Team"
      action="Ask to join"
      search={openTeamsQuery}
      onChoose={ask}
    />
  )
}
