import { Suspense } from 'react'
import { lazyScreen } from '@/lib/lazy-screen'
import PlayerScreen from '@/features/players/routes/player'
import { ScoutDesk } from '@/features/scouting/components/scout-desk'
import { CoachTeams } from '@/features/teams/components/coach-teams'
import { MemberTeams, TeamsOf, WardTeams } from '@/features/teams/components/member-teams'

const Care = lazyScreen(() => import('@/app/care'))

/** Anybody's page: with a guardian's part above the profile of a ward, the teams, and what a scout keeps about a player. */
export default function Player() {
  return (
    <PlayerScreen
      slots={{
        care: (ward) => (
          <Suspense>
            <Care ward={ward} />
          </Suspense>
        ),
        teams: ({ id, role, own, inCare }) => {
          if (inCare) return <WardTeams userId={id} />
          if (!own) return <TeamsOf userId={id} />
          return role === 'coach' ? <CoachTeams userId={id} /> : <MemberTeams userId={id} />
        },
        desk: (player) => <ScoutDesk player={player} />,
      }}
    />
  )
}
