import { lazy, Suspense } from 'react'
import PlayerScreen from '@/features/players/routes/player'

const Care = lazy(() => import('@/app/care'))

/** The player's screen, with a guardian's part above the profile of a ward. */
export default function Player() {
  return (
    <PlayerScreen
      slots={{
        care: (ward) => (
          <Suspense>
            <Care ward={ward} />
          </Suspense>
        ),
        teams: () => null,
        desk: () => null,
      }}
    />
  )
}
