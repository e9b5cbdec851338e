import type { Scorebook } from '@/features/games/scoring/scorebook'
import { Button } from '@/ui/button'

/** Why this page cannot score the game now. */
export function Blocked({ book, reason }: { book: Scorebook; reason: 'tab' | 'storage' }) {
  return (
    <div role="alert" className="grid justify-items-start gap-3 rounded-xl bg-accent-soft p-4">
      {reason === 'tab' ? (
        <p>This game is open in another tab. Score it there, or close that tab to go on here.</p>
      ) : (
        <>
          <p>
            This browser could not store the last change, so it is not recorded. Free some space or leave private
            browsing, then try again.
          </p>
          <Button variant="outline" onClick={() => void book.restart()}>
            Try again
          </Button>
        </>
      )}
    </div>
  )
}
