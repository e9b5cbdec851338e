import { scoutQuery, profileQuery } from '@/data/players/queries'
import { watchlistsQuery } from '@/data/scouting/queries'
import type { Prefetch } from '@/lib/prefetch'
import ScoutScreen from '@/features/players/routes/scout'
import { Watchlists } from '@/features/scouting/components/watchlists'

export const prefetch: Prefetch = (begin, { userId }) => {
  if (!userId) return
  void begin(profileQuery(userId))
  void begin(scoutQuery(userId))
  void begin(watchlistsQuery(userId))
}

/** The scout's own screen, with the desk below. */
export default function Scout() {
  return <ScoutScreen>{(userId) => <Watchlists userId={userId} />}</ScoutScreen>
}
