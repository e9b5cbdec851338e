import { useQuery, useQueryClient } from '@tanstack/react-query'
import { day } from '@/lib/format'
import { Button } from '@/ui/button'
import { Empty, RowsSkeleton, Section } from '@/ui/section'
import { Person } from '@/features/home/components/people'
import { measured } from '@/data/home/feed'
import { coachTasksQuery, HOME_KEY } from '@/data/home/queries'
import { useVerifyMeasurement } from '@/data/players/mutations'
import { useAccept, useLeave } from '@/data/teams/mutations'

/** What waits for a coach, to be answered here. */
export function CoachTasks({ userId }: { userId: string }) {
  const query = useQuery(coachTasksQuery(userId))
  return (
    <Section
      title="Waiting for you"
      text="Players who ask to join your team, and numbers for you to verify."
      query={query}
      problem="What waits for you could not be loaded."
      skeleton={<RowsSkeleton rows={3} />}
    >
      {({ hasTeam, asking, unverified }) =>
        asking.length + unverified.length === 0 ? (
          <Empty>{hasTeam ? 'All done.' : 'You have no team here yet: see My Profile.'}</Empty>
        ) : (
          <ul className="divide-y divide-border">
            {asking.map(({ id, teamId, name, since }) => (
              <Person
                key={`${teamId} ${id}`}
                id={id}
                name={name ?? 'A player'}
                facts={`Asks to join your team since ${day(since)}`}
              >
                <Answer teamId={teamId} playerId={id} name={name ?? 'A player'} />
              </Person>
            ))}
            {unverified.map((row) => (
              <Person
                key={row.id}
                id={row.player_id}
                name={row.name}
                facts={`${measured(row)}, taken ${day(row.taken_at)}`}
              >
                <Verify id={row.id} playerId={row.player_id} name={`${measured(row)} of ${row.name}`} />
              </Person>
            ))}
          </ul>
        )
      }
    </Section>
  )
}

/** What was answered leaves the list. */
function useAnswered() {
  const client = useQueryClient()
  return { onSettled: () => void client.invalidateQueries({ queryKey: HOME_KEY }) }
}

function Answer({ teamId, playerId, name }: { teamId: string; playerId: string; name: string }) {
  const accept = useAccept()
  const leave = useLeave()
  const answered = useAnswered()
  const given = { team_id: teamId, user_id: playerId }
  const busy = accept.isPending || leave.isPending
  return (
    <>
      <Button
        size="sm"
        aria-label={`Accept ${name}`}
        disabled={busy}
        onClick={() => accept.mutate({ ...given, done: `${name} is on the team` }, answered)}
      >
        Accept
      </Button>
      <Button
        size="sm"
        variant="outline"
        aria-label={`Decline ${name}`}
        disabled={busy}
        onClick={() => leave.mutate({ ...given, done: 'Declined' }, answered)}
      >
        Decline
      </Button>
    </>
  )
}

function Verify({ id, playerId, name }: { id: string; playerId: string; name: string }) {
  const verify = useVerifyMeasurement(playerId)
  const answered = useAnswered()
  return (
    <Button
      size="sm"
      variant="secondary"
      aria-label={`Verify ${name}`}
      disabled={verify.isPending}
      onClick={() => verify.mutate({ measurement_id: id, verified: true }, answered)}
    >
      Verify
    </Button>
  )
}
