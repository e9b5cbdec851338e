import { useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { Empty, Row, Section } from '@/ui/section'
import { LeaveDialog } from '@/features/teams/components/leave-dialog'
import { AskToJoin, Pending } from '@/features/teams/components/pending'
import { place } from '@/features/teams/model'
import { membershipsQuery, type Membership } from '@/features/teams/queries'

/** A player's own teams: being in one, asking, and answering an invitation. */
export function MemberTeams({ userId }: { userId: string }) {
  const query = useQuery(membershipsQuery(userId))
  return (
    <Section
      title="Teams"
      text="The coaches of your team see your profile, and can measure you and verify."
      query={query}
      problem="Your teams could not be loaded."
      actions={<AskToJoin />}
    >
      {(memberships) => (
        <>
          <Pending memberships={memberships} userId={userId} />
          <ul className="divide-y divide-border">
            {memberships
              .filter(({ status }) => status === 'active')
              .map((membership) => {
                const name = membership.teams?.name ?? 'A closed team'
                return (
                  <Row key={membership.team_id} icon={<Users aria-hidden />} name={name} facts={facts(membership)}>
                    <LeaveDialog
                      teamId={membership.team_id}
                      userId={userId}
                      team={name}
                      text="Its coaches no longer see what you keep private. What they have verified stays."
                    />
                  </Row>
                )
              })}
          </ul>
          {memberships.length === 0 && <Empty>You are in no team yet. Ask to join yours.</Empty>}
        </>
      )}
    </Section>
  )
}

/** The teams somebody is in, for others to see; nothing where there are none. */
export function TeamsOf({ userId }: { userId: string }) {
  const query = useQuery(membershipsQuery(userId))
  const open = (query.data ?? []).filter(({ status, teams }) => status === 'active' && teams?.active)
  if (query.isSuccess && open.length === 0) return null
  return (
    <Section title="Teams" text="Where they play or coach." query={query} problem="The teams could not be loaded.">
      {() => (
        <ul className="divide-y divide-border">
          {open.map((membership) => (
            <Row
              key={membership.team_id}
              icon={<Users aria-hidden />}
              name={membership.teams?.name}
              facts={facts(membership)}
            >
              {null}
            </Row>
          ))}
        </ul>
      )}
    </Section>
  )
}

const facts = ({ teams, role, jersey }: Membership) =>
  [
    role === 'coach' ? 'Coach' : jersey ? `Player, #${jersey}` : 'Player',
    teams && place(teams),
    teams && !teams.active && 'closed: it has no coach',
  ]
    .filter(Boolean)
    .join(' · ')
