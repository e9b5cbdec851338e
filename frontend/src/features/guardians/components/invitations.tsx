import { useQuery } from '@tanstack/react-query'
import { UserRound } from 'lucide-react'
import { day } from '@/lib/format'
import { birthDateQuery } from '@/data/minors/queries'
import { Button } from '@/ui/button'
import { Card, Problem, Row } from '@/ui/section'
import { isAdult } from '@/features/guardians/model'
import { useAnswerInvitation } from '@/data/guardians/mutations'
import { invitationsQuery } from '@/data/guardians/queries'

/** Open invitations to be a guardian; renders nothing if there are none. */
export function Invitations({ userId }: { userId: string }) {
  const query = useQuery(invitationsQuery(userId))
  const { data: birthDate } = useQuery(birthDateQuery(userId))
  const answer = useAnswerInvitation()
  if (query.isError) {
    return (
      <Problem
        text="Whether somebody asks you to be a guardian could not be loaded."
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    )
  }
  if (!query.data?.length) return null
  return (
    <Card
      title="You are asked to be a guardian"
      text="Accept only if you are their parent or guardian: you then see all of their profile, decide whether others do, and answer for the account."
    >
      <ul className="divide-y divide-border">
        {query.data.map(({ id, ward_name, invited_at }) => (
          <Row
            key={id}
            icon={<UserRound aria-hidden />}
            name={ward_name || 'A player'}
            facts={`Asked ${day(invited_at)}`}
          >
            <Button
              size="sm"
              aria-label={`Accept ${ward_name || 'a player'}`}
              disabled={answer.isPending || isMinor(birthDate)}
              onClick={() => answer.mutate({ id, accept: true })}
            >
              Accept
            </Button>
            <Button
              size="sm"
              variant="outline"
              aria-label={`Decline ${ward_name || 'a player'}`}
              disabled={answer.isPending}
              onClick={() => answer.mutate({ id, accept: false })}
            >
              Decline
            </Button>
          </Row>
        ))}
      </ul>
      <p className="text-sm text-muted-foreground empty:hidden">{whatIsMissing(birthDate)}</p>
      {answer.problem && (
        <p role="alert" className="text-sm text-destructive">
          {answer.problem}
        </p>
      )}
    </Card>
  )
}

const isMinor = (birthDate: string | null | undefined) => typeof birthDate === 'string' && !isAdult(birthDate)

function whatIsMissing(birthDate: string | null | undefined): string | null {
  if (birthDate === null) return 'A guardian is an adult: give your own birth date first, in the card above.'
  return isMinor(birthDate) ? 'A guardian is an adult, so that you can only decline.' : null
}
