import { useState } from 'react'
import { nameOf, type Game } from '@/data/games/model'
import { ConflictDialog } from '@/features/games/scoring/components/conflict-dialog'
import { rowVersion, savedAt } from '@/features/games/scoring/conflict'
import type { BookState, Scorebook, Trouble } from '@/features/games/scoring/scorebook'
import { words } from '@/features/games/words'
import { Button } from '@/ui/button'
import { Field } from '@/ui/field'
import { Input } from '@/ui/input'

type TroubleProps = { book: Scorebook; state: BookState; game: Game }

/** What the server refused, with the ways out. The plays stay on this device until the scorer decides. */
export function TroubleNotice({ book, state, game }: TroubleProps) {
  const { trouble } = state
  if (!trouble) return null
  return (
    <div role="alert" className="grid gap-3 rounded-xl bg-accent-soft p-4">
      {trouble.code === 'CONFLICT' ? (
        <Conflict book={book} state={state} game={game} />
      ) : (
        <Refused book={book} state={state} game={game} trouble={trouble} />
      )}
    </div>
  )
}

/** Two versions of the same part of the game. The dialog opens by itself, and can be closed to look at the plays. */
function Conflict(props: TroubleProps) {
  const [open, setOpen] = useState(true)
  return (
    <>
      <p>{props.state.trouble?.message}</p>
      <Button className="justify-self-start" onClick={() => setOpen(true)}>
        Compare and decide
      </Button>
      {open && <ConflictDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

function Refused({ book, state, game, trouble }: TroubleProps & { trouble: Trouble }) {
  const { queued } = state
  const name = (id: string) => nameOf(game.athletes.get(id))
  const said = (text: string) => text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, name)
  const row = queued.find(({ id }) => id === trouble.play)
  const play = row ?? state.saved?.find(({ id }) => id === trouble.play)
  const where = play?.record ? words({ record: play.record, outcome: play.outcome }, name).title : null
  const discard = (ids: readonly string[]) => void book.discard(new Set(ids))
  return (
    <>
      <p>
        {where && <span className="font-semibold">{where}: </span>}
        {said(trouble.message)}
        {trouble.resolution && `. To resolve it: ${trouble.resolution}.`}
      </p>
      {trouble.code === 'CONTRADICTION' && row && (
        <Versions
          mine={rowVersion(row, state, game, name).text}
          saved={savedAt(row, state, game, name)?.text ?? null}
          replaces={row.replaces !== undefined}
        />
      )}
      {trouble.code === 'FINAL' && <Correction onCorrect={(reason) => void book.insist({ reason })} />}
      <div className="flex flex-wrap gap-3">
        {trouble.code === 'OTHER_SCORER' && (
          <Button onClick={() => void book.insist({ takeover: true })}>Take over here</Button>
        )}
        {trouble.code === 'CONTRADICTION' && (
          <Button variant="outline" onClick={() => void book.insist({ accept: true })}>
            Save anyway
          </Button>
        )}
        {row && (
          <Button variant="outline" onClick={() => discard([row.id])}>
            Remove this play
          </Button>
        )}
        <Button variant="outline" onClick={() => void book.insist({})}>
          Try again
        </Button>
        {queued.length > 0 && trouble.code !== 'OTHER_SCORER' && (
          <Button variant="ghost" onClick={() => discard(queued.map(({ id }) => id))}>
            Discard {queued.length === 1 ? 'the unsaved entry' : `${queued.length} unsaved entries`}
          </Button>
        )}
      </div>
    </>
  )
}

type VersionsProps = { mine: string; saved: string | null; replaces: boolean }

/** The refused entry beside what is saved at its place. */
function Versions({ mine, saved, replaces }: VersionsProps) {
  return (
    <dl className="grid gap-2 rounded-lg bg-card p-3 text-sm">
      <div>
        <dt className="text-muted-foreground">On this phone</dt>
        <dd>{mine}</dd>
      </div>
      <div>
        <dt className="text-muted-foreground">{replaces ? 'Saved at this place' : 'Saved before it'}</dt>
        <dd>{saved ?? 'Nothing yet.'}</dd>
      </div>
    </dl>
  )
}

/** A final game changes only for a reason, which the audit log keeps. */
function Correction({ onCorrect }: { onCorrect: (reason: string) => void }) {
  const [reason, setReason] = useState('')
  const given = reason.trim()
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (given) onCorrect(given)
      }}
    >
      <Field id="correction-reason" label="Reason for the correction" help="It is kept in the audit log.">
        <Input
          id="correction-reason"
          aria-describedby="correction-reason-help"
          maxLength={300}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </Field>
      <Button type="submit" variant="outline" className="justify-self-start" disabled={!given}>
        Correct the final game
      </Button>
    </form>
  )
}
