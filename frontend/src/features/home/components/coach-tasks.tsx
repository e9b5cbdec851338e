import { useQueryClient } from '@tanstack/react-query'
import { day, decimal, shortDay } from '@/lib/format'
import { Button } from '@/ui/button'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { Card, Empty } from '@/ui/section'
import { Person } from '@/features/home/components/people'
import { measured } from '@/data/home/feed'
import { HOME_KEY, type Claim, type CoachTasks as Tasks } from '@/data/home/queries'
import { useVerifyMeasurement } from '@/data/players/mutations'
import { useAccept, useLeave } from '@/data/teams/mutations'

/** What waits for a coach, to be answered here. */
export function CoachTasks({ tasks: { has_team, waiting, asking, unverified } }: { tasks: Tasks }) {
  const shown = asking.length + unverified.length
  return (
    <Card
      title="Waiting for you"
      aside={shown < waiting && <span className="text-sm text-muted-foreground">{`${shown} of ${waiting}`}</span>}
    >
      {waiting === 0 ? (
        <Empty>{has_team ? 'All done.' : 'You have no team here yet: see My Profile.'}</Empty>
      ) : (
        <ul className="-my-2 divide-y divide-border">
          {asking.map(({ id, team_id, full_name, created_at }) => (
            <Person
              key={`${team_id} ${id}`}
              id={id}
              name={full_name ?? 'A player'}
              facts={`Asks to join your team since ${day(created_at)}`}
            >
              <Answer teamId={team_id} playerId={id} name={full_name ?? 'A player'} />
            </Person>
          ))}
          {unverified.map((claim) => (
            <Person key={claim.id} id={claim.player_id} name={claim.full_name} facts={claimWords(claim)}>
              <Verify id={claim.id} playerId={claim.player_id} name={`${measured(claim)} of ${claim.full_name}`} />
            </Person>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** `60-yard dash 6.94 s, was 7.08 · Apr 25` */
function claimWords(claim: Claim): string {
  const before = claim.was === null ? 'first' : `was ${decimal(claim.was, claim.decimals)}`
  return `${measured(claim)}, ${before} · ${shortDay(claim.taken_at)}`
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
      <ConfirmDialog
        trigger={
          <Button size="sm" variant="outline" aria-label={`Decline ${name}`} disabled={busy}>
            Decline
          </Button>
        }
        title={`Decline ${name}?`}
        text="The request is deleted. Players can ask again."
        action="Decline"
        working="Declining…"
        pending={leave.isPending}
        onConfirm={() => leave.mutateAsync({ ...given, done: 'Declined' }, answered)}
      />
    </>
  )
}

function Verify({ id, playerId, name }: { id: string; playerId: string; name: string }) {
  const verify = useVerifyMeasurement(playerId)
  return (
    <Button
      size="sm"
      variant="secondary"
      aria-label={`Verify ${name}`}
      disabled={verify.isPending}
      onClick={() => verify.mutate({ measurement_id: id, verified: true })}
    >
      Verify
    </Button>
  )
}
