import { Suspense } from 'react'
import { matchPath } from 'react-router'
import { wardsQuery } from '@/data/minors/queries'
import {
  battingQuery,
  commitmentsQuery,
  kindsQuery,
  measurementsQuery,
  percentilesQuery,
  pitchingQuery,
  playerQuery,
  profileQuery,
  videosQuery,
} from '@/data/players/queries'
import { scorebookQuery } from '@/data/players/scorebook'
import { membershipsQuery } from '@/data/teams/queries'
import { paths } from '@/lib/paths'
import type { Prefetch } from '@/lib/prefetch'
import { lazyScreen } from '@/lib/lazy-screen'
import PlayerScreen, { isId } from '@/features/players/routes/player'
import { ScoutDesk } from '@/features/scouting/components/scout-desk'
import { CoachTeams } from '@/features/teams/components/coach-teams'
import { MemberTeams, TeamsOf, WardTeams } from '@/features/teams/components/member-teams'

/** In the order in which they are shown: a browser sends six requests at a time. */
export const prefetch: Prefetch = (begin, { pathname, userId }) => {
  const named = matchPath(paths.playerById, pathname)?.params.id
  const id = named ?? userId
  if (!id || !isId(id)) return
  void begin(profileQuery(id))
  void begin(playerQuery(id))
  if (userId && id !== userId) void begin(wardsQuery(userId))
  void begin(percentilesQuery(id))
  void begin(membershipsQuery(id))
  void begin(measurementsQuery(id))
  void begin(kindsQuery)
  void begin(battingQuery(id))
  void begin(pitchingQuery(id))
  void begin(videosQuery(id))
  void begin(commitmentsQuery(id))
  void begin(scorebookQuery(id))
}

const Care = lazyScreen(() => import('@/app/care'))
// Its drawings are part of the screens of games, which the top of a profile need not wait for.
const PlayerSpray = lazyScreen(() => import('@/features/games/components/player-spray'))

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
        spray: (player) => (
          <Suspense>
            <PlayerSpray key={player.id} player={player} />
          </Suspense>
        ),
      }}
    />
  )
}
