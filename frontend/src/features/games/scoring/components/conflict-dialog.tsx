import { nameOf, type Game } from '@/data/games/model'
import { placesOf, type Version } from '@/features/games/scoring/conflict'
import type { BookState, Scorebook } from '@/features/games/scoring/scorebook'
import { Button } from '@/ui/button'
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/ui/dialog'

type ConflictDialogProps = { book: Scorebook; state: BookState; game: Game; onClose: () => void }

/** Both versions of the same part of the game, and which to keep. Not loaded on demand, because the scorebook works offline. */
export function ConflictDialog({ book, state, game, onClose }: ConflictDialogProps) {
  const places = placesOf(state, game, (id) => nameOf(game.athletes.get(id)))
  const settle = (keep: 'mine' | 'theirs' | 'both') => void book.settle(keep).then(onClose, () => undefined)
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-lg p-4 sm:p-6" onInteractOutside={(event) => event.preventDefault()}>
        <div className="grid gap-2">
          <DialogTitle>Two phones scored this game</DialogTitle>
          <DialogDescription>
            Another phone saved plays while this one could not. Compare them and choose which to keep.
          </DialogDescription>
        </div>
        <table className="w-full table-fixed text-sm">
          <thead>
            <tr className="text-left">
              <th scope="col" className="w-1/2 py-1.5 pr-3 font-semibold">
                This phone
              </th>
              <th scope="col" className="w-1/2 py-1.5 font-semibold">
                Saved by the other phone
              </th>
            </tr>
          </thead>
          <tbody>
            {places.map(({ mine, theirs, same }, index) => (
              <tr key={mine?.id ?? theirs?.id ?? index} className="border-t border-border align-top">
                <td className="py-2 pr-3 wrap-anywhere">
                  <Said version={mine} />
                </td>
                <td className="py-2 wrap-anywhere">
                  <Said version={theirs} />
                  {same && <span className="block text-muted-foreground">The same play</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <div className="grid gap-2">
          <Button size="lg" variant="outline" onClick={() => settle('theirs')}>
            Keep the saved plays
          </Button>
          <Button size="lg" variant="outline" onClick={() => settle('mine')}>
            Keep this phone’s plays
          </Button>
          <Button size="lg" variant="outline" onClick={() => settle('both')}>
            Keep both, this phone’s last
          </Button>
          <p className="text-sm text-muted-foreground">
            Plays that are not kept leave the game; the log still has those that were saved.
          </p>
        </div>
      </DialogContent>
    </Dialog>
  )
}

function Said({ version }: { version: Version | null }) {
  if (!version) return <span className="text-muted-foreground">Nothing</span>
  return (
    <>
      <span className="block text-muted-foreground">{version.when}</span>
      {version.text}
    </>
  )
}
