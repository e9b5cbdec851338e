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

type Change = Pick<ScoreRequest, 'status' | 'ended' | 'reason'>

/** Makes a game final, or opens a final one again with a reason. */
export function Finish({ book, state, game, decided, onDone }: FinishProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const save = async (members: Change) => {
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
  return (
    <div className="grid gap-4">
      {game.status === 'final' ? (
        <Reopen gameId={game.id} busy={busy} onSave={save} />
      ) : game.status === 'suspended' ? (
        <>
          <p>This game is suspended. It goes on where it stopped.</p>
          <Button size="lg" disabled={busy} onClick={() => void save({ status: 'live' })}>
            Resume the game
          </Button>
        </>
      ) : (
        <End busy={busy} waiting={state.queued.length > 0} decided={decided} onSave={save} onDone={onDone} />
      )}
      {problem && (
        <p role="alert" className="text-destructive">
          {problem}
        </p>
      )}
    </div>
  )
}

type ReopenProps = { gameId: string; busy: boolean; onSave: (change: Change) => Promise<void> }

/** Opens a final game again, with a reason. */
function Reopen({ gameId, busy, onSave }: ReopenProps) {
  const [reason, setReason] = useState('')
  return (
    <>
      <p>This game is final.</p>
      <Button asChild size="lg">
        <Link to={paths.gameById.replace(':id', gameId)}>Open the game’s page</Link>
      </Button>
      <Field id="reopen-reason" label="Reason to reopen">
        <Input id="reopen-reason" maxLength={300} value={reason} onChange={({ target }) => setReason(target.value)} />
      </Field>
      <Button
        variant="outline"
        size="lg"
        disabled={busy || reason.trim() === ''}
        onClick={() => void onSave({ status: 'live', reason: reason.trim() })}
      >
        Reopen the game
      </Button>
    </>
  )
}

type EndProps = {
  busy: boolean
  /** Whether some plays are not saved yet. */
  waiting: boolean
  decided: boolean
  onSave: (change: Change) => Promise<void>
  onDone: () => void
}

/** Makes a game final, or suspends it. */
function End({ busy, waiting, decided, onSave, onDone }: EndProps) {
  return (
    <>
      <p>{decided ? 'The game is over.' : 'By its rules this game is not over. Say how it ended.'}</p>
      {waiting && <p>It can be made final once all plays are saved.</p>}
      {decided ? (
        <Button size="lg" disabled={busy || waiting} onClick={() => void onSave({ status: 'final' })}>
          Make it final
        </Button>
      ) : (
        ENDINGS.map(([ended, name]) => (
          <Button
            key={ended}
            variant="outline"
            size="lg"
            disabled={busy || waiting}
            onClick={() => void onSave({ status: 'final', ended })}
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
            onClick={() => void onSave({ status: 'suspended' })}
          >
            Suspended, to be continued
          </Button>
          <Button variant="ghost" size="lg" onClick={onDone}>
            Back to scoring
          </Button>
        </>
      )}
    </>
  )
}
