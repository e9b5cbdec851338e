import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { roleQuery } from '@/data/role/queries'
import { membershipsQuery } from '@/data/teams/queries'
import { Schedule } from '@/features/games/components/schedule'
import { Roster } from '@/features/teams/components/roster'
import { usePageTitle } from '@/lib/page-title'
import type { Prefetch } from '@/lib/prefetch'
import { profilePath } from '@/lib/role'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { Empty, Loading, PageHeader, Problem, RowsSkeleton } from '@/ui/section'

export const prefetch: Prefetch = (begin, { userId }) => {
  if (userId) void begin(membershipsQuery(userId))
}

/** `/team-communication`: the user's teams, each with its schedule, and for coaches with its roster. */
export default function TeamScreen() {
  const { user } = useSession()
  usePageTitle('Communication Hub')
  return user && <Teams userId={user.id} />
}

function Teams({ userId }: { userId: string }) {
  const query = useQuery(membershipsQuery(userId))
  const { data: role } = useQuery(roleQuery(userId))
  const active = query.data?.filter(({ status, teams }) => status === 'active' && teams !== null)
  const coach = active?.some(({ role }) => role === 'coach')
  // Only the profiles of players and coaches have teams.
  const joins = role === 'coach' || role === 'player'
  return (
    <div className="grid grid-cols-1 gap-6">
      <PageHeader
        title="Communication Hub"
        text={`Your teams with their games${coach ? ' and players' : ''}. Messages are coming soon.`}
      />
      {query.isPending && (
        <Loading>
          <RowsSkeleton rows={5} />
        </Loading>
      )}
      {query.isError && (
        <Problem text="Your teams could not be loaded." error={query.error} onRetry={() => void query.refetch()} />
      )}
      {active?.length === 0 && (
        <>
          <Empty>You are on no team yet.</Empty>
          {joins && (
            <div>
              <Button asChild>
                <Link to={profilePath(role)}>{role === 'coach' ? 'Create or join a team' : 'Ask to join a team'}</Link>
              </Button>
            </div>
          )}
        </>
      )}
      {active?.map(
        ({ teams, role }) =>
          teams && (
            <div key={teams.id} className="grid grid-cols-1 gap-6">
              <Schedule team={teams} coach={role === 'coach'} />
              {role === 'coach' && <Roster team={teams} userId={userId} />}
            </div>
          ),
      )}
    </div>
  )
}
