import { useEffect, useState } from 'react'
import { onKeptChange, unsentGames, type UnsentGame } from '@/data/games/kept'

/** The user's games on this device with plays that are not sent, whichever page is open. */
export function useUnsentGames(userId: string): readonly UnsentGame[] {
  const [games, setGames] = useState<readonly UnsentGame[]>([])
  useEffect(() => {
    let left = false
    const show = (found: readonly UnsentGame[]) => {
      if (!left) setGames(found)
    }
    // A browser that cannot read them has kept none.
    const look = () => void unsentGames(userId).then(show, () => show([]))
    look()
    const unsubscribe = onKeptChange(look)
    // Another tab may have sent them.
    window.addEventListener('focus', look)
    return () => {
      left = true
      unsubscribe()
      window.removeEventListener('focus', look)
    }
  }, [userId])
  return games
}
