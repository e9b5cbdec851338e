import { coachQuery, profileQuery } from '@/data/players/queries'
import { membershipsQuery } from '@/data/teams/queries'
import type { Prefetch } from '@/lib/prefetch'
import CoachScreen from '@/features/players/routes/coach'
import { CoachTeams } from '@/features/teams/components/coach-teams'

export const prefetch: Prefetch = (begin, { userId }) => {
  if (!userId) return
  void begin(profileQuery(userId))
  void begin(coachQuery(userId))
  void begin(membershipsQuery(userId))
}

/** The coach's own screen, with the teams below. */
export default function Coach() {
  return <CoachScreen>{(userId) => <CoachTeams userId={userId} />}</CoachScreen>
}
