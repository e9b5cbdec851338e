import type { Game } from '@/data/games/model'
import { nameOf } from '@/data/games/model'
import { words } from '@/features/games/words'
import type { BookState, Scorebook } from '@/features/games/scoring/scorebook'
import { Button } from '@/ui/button'

type TroubleProps = { book: Scorebook; state: BookState; game: Game }

/** What the server refused, with the ways out. The plays stay on this device until the scorer decides. */
export function TroubleNotice({ book, state, game }: TroubleProps) {
  const { trouble, queued } = state
  if (!trouble) return null
  const name = (id: string) => nameOf(game.athletes.get(id))
  const said = (text: string) => text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, name)
  const play = queued.find(({ id }) => id === trouble.play) ?? state.saved?.find(({ id }) => id === trouble.play)
  const where = play?.record ? words({ record: play.record, outcome: play.outcome }, name).title : null
  const isNew = queued.some(({ id }) => id === trouble.play)
  return (
    <div role="alert" className="grid gap-3 rounded-xl bg-accent-soft p-4">
      <p>
        {where && <span className="font-semibold">{where}: </span>}
        {said(trouble.message)}
        {trouble.resolution && `. To resolve it: ${trouble.resolution}.`}
      </p>
      <div className="flex flex-wrap gap-3">
        {trouble.code === 'OTHER_SCORER' && (
          <Button onClick={() => void book.insist({ takeover: true })}>Take over here</Button>
        )}
        {trouble.code === 'CONTRADICTION' && (
          <Button variant="outline" onClick={() => void book.insist({ accept: true })}>
            Save anyway
          </Button>
        )}
        {trouble.code === 'FINAL' && (
          <Button variant="outline" onClick={() => void book.insist({ reason: 'Correction by the scorer' })}>
            Correct the final game
          </Button>
        )}
        {isNew && trouble.play && (
          <Button variant="outline" onClick={() => void book.discard(new Set([trouble.play ?? '']))}>
            Remove this play
          </Button>
        )}
        <Button variant="outline" onClick={() => void book.insist({})}>
          Try again
        </Button>
        {queued.length > 0 && trouble.code !== 'OTHER_SCORER' && (
          <Button variant="ghost" onClick={() => void book.discard(new Set(queued.map(({ id }) => id)))}>
            Discard {queued.length === 1 ? 'the unsaved entry' : `${queued.length} unsaved entries`}
          </Button>
        )}
      </div>
    </div>
  )
}
