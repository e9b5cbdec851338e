import { useQuery } from '@tanstack/react-query'
import { UserRound } from 'lucide-react'
import { Link } from 'react-router'
import { day } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { Card, Row } from '@/ui/section'
import { Switch } from '@/ui/switch'
import { useAnswerInvitation, useSetWardVisibility } from '@/features/home/mutations'
import { invitationsQuery, wardsQuery } from '@/features/home/queries'

/** What a guardian has to answer, and the minors in their care; nothing for everybody else. */
export function Guardian({ userId }: { userId: string }) {
  const { data: invitations = [] } = useQuery(invitationsQuery(userId))
  const { data: wards = [] } = useQuery(wardsQuery(userId))
  const answer = useAnswerInvitation()
  const show = useSetWardVisibility()
  return (
    <>
      {invitations.length > 0 && (
        <Card title="You are asked to be a guardian" text="Accept only if you are their parent or guardian.">
          <ul className="divide-y divide-border">
            {invitations.map(({ id, ward_name, invited_at }) => (
              <Row key={id} icon={<UserRound aria-hidden />} name={ward_name} facts={`Asked ${day(invited_at)}`}>
                <Button size="sm" disabled={answer.isPending} onClick={() => answer.mutate({ id, accept: true })}>
                  Accept
                </Button>
                <Button
                  size="sm"
                  variant="outline"
                  disabled={answer.isPending}
                  onClick={() => answer.mutate({ id, accept: false })}
                >
                  Decline
                </Button>
              </Row>
            ))}
          </ul>
          {answer.problem && (
            <p role="alert" className="text-sm text-destructive">
              {answer.problem}
            </p>
          )}
        </Card>
      )}
      {wards.length > 0 && (
        <Card title="In your care" text="You see what they enter, and decide whether others do.">
          <ul className="divide-y divide-border">
            {wards.map(({ ward_id, full_name, hides_profile, until }) => (
              <Row
                key={ward_id}
                icon={<UserRound aria-hidden />}
                name={
                  <Link
                    to={paths.playerById.replace(':id', ward_id)}
                    className="text-primary underline underline-offset-4"
                  >
                    {full_name}
                  </Link>
                }
                facts={`Until ${day(until)}`}
              >
                <label className="flex items-center gap-2 text-sm">
                  <Switch
                    checked={!hides_profile}
                    disabled={show.isPending}
                    onCheckedChange={(visible) => show.mutate({ ward_id, visible })}
                  />
                  Profile shown
                </label>
              </Row>
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}
