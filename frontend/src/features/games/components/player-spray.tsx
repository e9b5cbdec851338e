import { useQuery } from '@tanstack/react-query'
import { battedBallsQuery } from '@/data/games/batted'
import { SprayFigure } from '@/features/games/components/spray-chart'
import { spray } from '@/features/games/spray'
import { Card, Problem } from '@/ui/section'

/** Where a player's batted balls of the last 30 games came down. Nothing is shown while no ball has a location. */
export default function PlayerSpray({ player: { id, name } }: { player: { id: string; name: string } }) {
  const query = useQuery(battedBallsQuery(id))
  if (query.isError) {
    return (
      <Card title="Spray chart">
        <Problem
          text="The batted balls could not be loaded."
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      </Card>
    )
  }
  const balls = spray(query.data ?? [])
  if (balls.length === 0) return null
  return (
    <Card title="Spray chart" text="Scorebook, last 30 public games">
      <SprayFigure balls={balls} batters={name} nameOf={() => name} />
    </Card>
  )
}
