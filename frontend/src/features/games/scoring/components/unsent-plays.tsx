import { CloudOff } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import type { UnsentGame } from '@/data/games/kept'
import { useUnsentGames } from '@/data/games/unsent'
import { paths } from '@/lib/paths'
import { useReportUnsavedChange } from '@/lib/unsaved-changes'

/** The games with plays that only this device has: a link to each scorebook, and an entry of the logout dialog. */
export function UnsentPlays({ userId }: { userId: string }) {
  return useUnsentGames(userId).map((game) => <Unsent key={game.gameId} game={game} />)
}

function Unsent({ game: { gameId, title, count } }: { game: UnsentGame }) {
  const { pathname } = useLocation()
  const scorebook = paths.scoreGame.replace(':id', gameId)
  const plays = count === 1 ? '1 scorebook entry' : `${count} scorebook entries`
  useReportUnsavedChange(
    {
      id: `score:${gameId}`,
      description: `${plays} not sent yet, kept on this device until you log in again`,
      location: title || 'Scorebook',
    },
    true,
  )
  if (pathname === scorebook) return null
  return (
    <p className="mb-6 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-xl bg-accent-soft px-4 py-3">
      <CloudOff aria-hidden className="size-5 shrink-0" />
      <span>
        {title && `${title}: `}
        {plays} not sent yet.
      </span>
      <Link to={scorebook} className="font-medium underline underline-offset-4">
        Open the scorebook
      </Link>
    </p>
  )
}
