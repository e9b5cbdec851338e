import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { gameQuery } from '@/data/games/queries'
import { canScoreQuery } from '@/data/games/scoring'
import { Book } from '@/features/games/scoring/components/book'
import { usePageTitle } from '@/lib/page-title'
import { useSession } from '@/lib/session'
import { Empty, Loading, PageHeader, Problem, Skeleton } from '@/ui/section'

/** `/games/{id}/score`: for the coaches of the team. */
export default function ScoreScreen() {
  const { id = '' } = useParams()
  const { user } = useSession()
  usePageTitle('Scorebook')
  return user && <Loader id={id} userId={user.id} />
}

function Loader({ id, userId }: { id: string; userId: string }) {
  const query = useQuery(gameQuery(id))
  const game = query.data
  const allowed = useQuery({ ...canScoreQuery(game?.owner_team_id ?? null, userId), enabled: Boolean(game) })
  if (game && allowed.data) return <Book key={id} game={game} userId={userId} />
  const failed = query.isError ? query : allowed.isError ? allowed : null
  return (
    <div className="grid gap-6">
      <PageHeader title="Scorebook" />
      {failed ? (
        <Problem text="The game could not be loaded." error={failed.error} onRetry={() => void failed.refetch()} />
      ) : query.isPending || (game && allowed.isPending) ? (
        <Loading>
          <Skeleton className="h-96 rounded-2xl" />
        </Loading>
      ) : (
        <Empty>Only the coaches of the team score this game.</Empty>
      )}
    </div>
  )
}
