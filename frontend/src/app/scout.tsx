import ScoutScreen from '@/features/players/routes/scout'
import { Watchlists } from '@/features/scouting/components/watchlists'

/** The scout's own screen, with the desk below. */
export default function Scout() {
  return <ScoutScreen>{(userId) => <Watchlists userId={userId} />}</ScoutScreen>
}
