import CoachScreen from '@/features/players/routes/coach'
import { CoachTeams } from '@/features/teams/components/coach-teams'

/** The coach's own screen, with the teams below. */
export default function Coach() {
  return <CoachScreen>{(userId) => <CoachTeams userId={userId} />}</CoachScreen>
}
