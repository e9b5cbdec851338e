import { useState } from 'react'
import { Link } from 'react-router'
import type { Game } from '@/data/games/model'
import type { ScoreRequest } from '@/data/games/scoring'
import type { BookState, Scorebook } from '@/features/games/scoring/scorebook'
import { messageOf } from '@/lib/errors'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { Field } from '@/ui/field'
import { Input } from '@/ui/input'

type FinishProps = { book: Scorebook; state: BookState; game: Game; decided: boolean; onDone: () => void }

const ENDINGS = [
  ['called', 'Called by the umpires'],
  ['timelimit', 'Time limit'],
  ['forfeit_visitor', 'Forfeit, visitors win'],
  ['forfeit_home', 'Forfeit, home team wins'],
] as const

/** Makes a game final, or opens a final one again with a reason. */
export function Finish({ book, state, game, decided, onDone }: FinishProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [reason, setReason] = useState('')
  const save = async (members: Pick<ScoreRequest, 'status' | 'ended' | 'reason'>) => {
    setBusy(true)
    setProblem(null)
    try {
      await book.save(members)
      onDone()
    } catch (error) {
      setProblem(messageOf(error, 'That could not be saved. Please try again.'))
    } finally {
      setBusy(false)
    }
  }
  const waiting = state.queued.length > 0
  return (
    <div className="grid gap-4">
      {game.status === 'final' ? (
        <>
          <p>This game is final.</p>
          <Button asChild size="lg">
            <Link to={paths.gameById.replace(':id', game.id)}>Open the game’s page</Link>
          </Button>
          <Field id="reopen-reason" label="Reason to reopen">
            <Input
              id="reopen-reason"
              maxLength={300}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
            />
          </Field>
          <Button
            variant="outline"
            size="lg"
            disabled={busy || reason.trim() === ''}
            onClick={() => void save({ status: 'live', reason: reason.trim() })}
          >
            Reopen the game
          </Button>
        </>
      ) : game.status === 'suspended' ? (
        <>
          <p>This game is suspended. It goes on where it stopped.</p>
          <Button size="lg" disabled={busy} onClick={() => void save({ status: 'live' })}>
            Resume the game
          </Button>
        </>
      ) : (
        <>
          <p>{decided ? 'The game is over.' : 'By its rules this game is not over. Say how it ended.'}</p>
          {waiting && <p>It can be made final once all plays are saved.</p>}
          {decided ? (
            <Button size="lg" disabled={busy || waiting} onClick={() => void save({ status: 'final' })}>
              Make it final
            </Button>
          ) : (
            ENDINGS.map(([ended, name]) => (
              <Button
                key={ended}
                variant="outline"
                size="lg"
                disabled={busy || waiting}
                onClick={() => void save({ status: 'final', ended })}
              >
                {name}
              </Button>
            ))
          )}
          {!decided && (
            <>
              <Button
                variant="outline"
                size="lg"
                disabled={busy || waiting}
                onClick={() => void save({ status: 'suspended' })}
              >
                Suspended, to be continued
              </Button>
              <Button variant="ghost" size="lg" onClick={onDone}>
                Back to scoring
              </Button>
            </>
          )}
        </>
      )}
      {problem && (
        <p role="alert" className="text-destructive">
          {problem}
        </p>
      )}
    </div>
  )
}
