import { DoorOpen, Hourglass, Mail } from 'lucide-react'
import { Button } from '@/ui/button'
import { Row } from '@/ui/section'
import { ChoiceDialog } from '@/features/teams/components/choice-dialog'
import { useAccept, useLeave, useTeamForms } from '@/data/teams/mutations'
import { openTeamsQuery, type Membership } from '@/data/teams/queries'
import { place } from '@/features/teams/model'

/** Who answers for the member: the viewer for oneself, the viewer as a guardian, or a guardian instead of the viewer. */
export type Answering = 'self' | 'as_guardian' | 'by_guardian'

type PendingProps = { memberships: readonly Membership[]; userId: string; answering: Answering }

/** Invitations to answer, and requests that wait for an answer. */
export function Pending({ memberships, userId, answering }: PendingProps) {
  const accept = useAccept()
  const leave = useLeave()
  const waiting = memberships.filter(({ status }) => status !== 'active')
  const busy = accept.isPending || leave.isPending
  if (waiting.length === 0) return null
  return (
    <ul className="divide-y divide-border">
      {waiting.map(({ team_id, status, approved_at, teams }) => {
        const name = teams?.name ?? 'A closed team'
        const given = { team_id, user_id: userId }
        const invited = status === 'invited'
        const unapproved = answering !== 'self' && !approved_at
        const acceptable = answering !== 'by_guardian' && (invited || unapproved)
        return (
          <Row
            key={team_id}
            icon={invited ? <Mail aria-hidden /> : <Hourglass aria-hidden />}
            name={name}
            facts={[state(invited, unapproved, answering), teams && place(teams)].filter(Boolean).join(' · ')}
          >
            {acceptable && (
              <Button
                size="sm"
                aria-label={`${invited ? 'Accept' : 'Approve'} ${name}`}
                disabled={busy}
                onClick={() =>
                  accept.mutate({
                    ...given,
                    done: invited ? `On the team of ${name}` : 'Its coaches see the request now',
                  })
                }
              >
                {invited ? 'Accept' : 'Approve'}
              </Button>
            )}
            <Button
              size="sm"
              variant="outline"
              aria-label={`${invited ? 'Decline' : 'Withdraw from'} ${name}`}
              disabled={busy}
              onClick={() => leave.mutate({ ...given, done: invited ? 'Declined' : 'The request is taken back' })}
            >
              {invited ? 'Decline' : 'Withdraw'}
            </Button>
          </Row>
        )
      })}
    </ul>
  )
}

function state(invited: boolean, unapproved: boolean, answering: Answering): string {
  if (answering === 'as_guardian') {
    if (invited) return 'Invites your ward'
    return unapproved ? 'Your ward asks to join, and waits for you' : 'The request waits for a coach'
  }
  if (answering === 'by_guardian' && unapproved) {
    return invited ? 'Invites you: your guardian answers' : 'Your request waits for your guardian'
  }
  return invited ? 'Invites you' : 'Your request waits for a coach'
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
