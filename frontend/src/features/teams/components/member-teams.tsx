import { useQuery } from '@tanstack/react-query'
import { inCareQuery } from '@/data/minors/queries'
import { Empty, Row, Section } from '@/ui/section'
import { LeaveDialog } from '@/features/teams/components/leave-dialog'
import { AskToJoin, Pending } from '@/features/teams/components/pending'
import { TeamCrest } from '@/features/teams/components/team-crest'
import { place } from '@/features/teams/model'
import { membershipsQuery, type Membership } from '@/data/teams/queries'

/** A player's own teams: being in one, asking, and answering an invitation. */
export function MemberTeams({ userId }: { userId: string }) {
  const query = useQuery(membershipsQuery(userId))
  const { data: inCare } = useQuery(inCareQuery(userId))
  return (
    <Section
      title="Teams"
      text={
        inCare
          ? 'The verified coaches of your team see your profile. Your guardian says yes to each team.'
          : 'The coaches of your team see your profile, and can measure you and verify.'
      }
      query={query}
      problem="Your teams could not be loaded."
      actions={<AskToJoin />}
    >
      {(memberships) => (
        <>
          {inCare !== undefined && (
            <Pending memberships={memberships} userId={userId} answering={inCare ? 'by_guardian' : 'self'} />
          )}
          <ul className="divide-y divide-border">
            {memberships
              .filter(({ status }) => status === 'active')
              .map((membership) => {
                const name = membership.teams?.name ?? 'A closed team'
                return (
                  <Row
                    key={membership.team_id}
                    icon={<TeamCrest team={membership.teams} />}
                    name={name}
                    facts={facts(membership)}
                  >
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

/** A ward's teams: requests that wait for the guardian's answer, and teams that the guardian can end. */
export function WardTeams({ userId }: { userId: string }) {
  const query = useQuery(membershipsQuery(userId))
  return (
    <Section
      title="Teams"
      text="You answer for your ward. Only verified coaches invite players under 18, and see them."
      query={query}
      problem="The teams could not be loaded."
    >
      {(memberships) => (
        <>
          <Pending memberships={memberships} userId={userId} answering="as_guardian" />
          <ul className="divide-y divide-border">
            {memberships
              .filter(({ status }) => status === 'active')
              .map((membership) => (
                <Row
                  key={membership.team_id}
                  icon={<TeamCrest team={membership.teams} />}
                  name={membership.teams?.name ?? 'A closed team'}
                  facts={facts(membership)}
                >
                  <LeaveDialog
                    teamId={membership.team_id}
                    userId={userId}
                    team={membership.teams?.name ?? 'A closed team'}
                    text="Its coaches no longer see your ward. What they have verified stays."
                  />
                </Row>
              ))}
          </ul>
          {memberships.length === 0 && <Empty>Your ward is in no team, and none waits for your answer.</Empty>}
        </>
      )}
    </Section>
  )
}

/** A person's teams as others see them; renders nothing if there are none. */
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
              icon={<TeamCrest team={membership.teams} />}
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
