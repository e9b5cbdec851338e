import { useState } from 'react'
import { half, nameOf, shortNameOf, type Game, type GameRecord, type Outcome } from '@/data/games/model'
import type { ScoreReply } from '@/data/games/scoring'
import { PlayEntry } from '@/features/games/scoring/components/play-entry'
import { changesOf, type Change } from '@/features/games/scoring/edit'
import { pitchesOf } from '@/features/games/scoring/pitches'
import type { Scorebook } from '@/features/games/scoring/scorebook'
import { standingOf, type Standing } from '@/features/games/scoring/standing'
import { words } from '@/features/games/words'
import { messageOf } from '@/lib/errors'
import { Button } from '@/ui/button'
import { Loading, RowsSkeleton } from '@/ui/section'

type EditPlayProps = {
  game: Game
  book: Scorebook
  records: readonly GameRecord[]
  /** The record of a play. */
  id: string
  onDone: () => void
}

type Proposal = { record: string; outcome: Outcome; reply: ScoreReply | null; problem: string | null }

/** Enters a play of the past again, and shows what that changes before it is saved. */
export function EditPlay({ game, book, records, id, onDone }: EditPlayProps) {
  const [proposal, setProposal] = useState<Proposal | null>(null)
  const at = records.findIndex((record) => record.id === id)
  const old = records[at]
  if (!old?.outcome) return null
  const { inning, batting, batter, outsBefore } = old.outcome
  const before = standingOf(game, records.slice(0, at))
  const now: Standing = { ...before, inning, batting, batter, outs: outsBefore }
  // Without the last pitch, which the new play brings.
  const pitches = pitchesOf(old.record).slice(0, old.outcome.turn ? -1 : undefined)
  const name = (one: string) => shortNameOf(game.athletes.get(one))
  const propose = async (record: string, outcome: Outcome) => {
    const proposed = { record, outcome }
    setProposal({ ...proposed, reply: null, problem: null })
    try {
      setProposal({ ...proposed, reply: await book.preview(id, proposed.record), problem: null })
    } catch (error) {
      setProposal({ ...proposed, reply: null, problem: messageOf(error, 'The preview could not be computed.') })
    }
    return true
  }
  return (
    <div className="grid gap-4">
      <h2 className="text-xl font-semibold">
        Edit {half(inning, batting, game.home_bats_first)}, {nameOf(game.athletes.get(batter))}
      </h2>
      <p className="rounded-xl bg-muted px-4 py-3">
        Now: <span className="font-semibold">{words(old, name).title}.</span>
      </p>
      {proposal ? (
        <Preview
          {...{ game, records, proposal, name }}
          title={words(proposal, name).title}
          onBack={() => setProposal(null)}
          onSave={async (accept) => {
            if (await book.replace(id, proposal.record, proposal.outcome, accept)) onDone()
          }}
        />
      ) : (
        <PlayEntry now={now} at={at} name={name} pitches={pitches} careful onPlay={propose} />
      )}
      <Button variant="ghost" size="lg" onClick={onDone}>
        Cancel
      </Button>
    </div>
  )
}

type PreviewProps = {
  game: Game
  records: readonly GameRecord[]
  proposal: Proposal
  title: string
  name: (id: string) => string
  onSave: (accept: boolean) => Promise<void>
  onBack: () => void
}

function Preview({ game, records, proposal, title, name, onSave, onBack }: PreviewProps) {
  const { reply, problem } = proposal
  const contradiction = reply?.contradictions[0]
  const place = reply?.records.find(({ id }) => id === contradiction?.play)
  const said = (text: string) => text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, name)
  return (
    <section aria-label="What changes" className="grid gap-4">
      <p>
        New: <span className="font-semibold">{title}.</span>
      </p>
      {!reply && !problem && (
        <Loading>
          <RowsSkeleton rows={3} />
        </Loading>
      )}
      {problem && <p role="alert">{problem} What follows from the change is checked when it is sent.</p>}
      {reply && <Changes changes={changesOf(records, reply.records, name)} homeFirst={game.home_bats_first} />}
      {contradiction && (
        <p role="alert" className="rounded-xl bg-accent-soft p-4">
          {place?.outcome && (
            <span className="font-semibold">
              {half(place.outcome.inning, place.outcome.batting, game.home_bats_first)}, {words(place, name).title}
              :{' '}
            </span>
          )}
          {said(contradiction.problem)}. To resolve it: {contradiction.resolution}.
        </p>
      )}
      <div className="grid grid-cols-2 gap-3">
        <Button variant="outline" size="lg" onClick={onBack}>
          Back
        </Button>
        <Button size="lg" disabled={!reply && !problem} onClick={() => void onSave(contradiction !== undefined)}>
          {contradiction ? 'Save anyway' : 'Save change'}
        </Button>
      </div>
    </section>
  )
}

function Changes({ changes, homeFirst }: { changes: readonly Change[]; homeFirst: boolean }) {
  if (changes.length === 0) return <p>Nothing else changes.</p>
  return (
    <ul aria-label="Later plays that change" className="divide-y divide-border">
      {changes.map(({ id, inning, batting, before, after }) => (
        <li key={id} className="grid grid-cols-[4.5rem_1fr] gap-3 py-2">
          <span className="text-sm text-muted-foreground">{half(inning, batting, homeFirst)}</span>
          <span>
            <del className="text-muted-foreground">{before}</del>{' '}
            <ins className="font-medium no-underline">{after}</ins>
          </span>
        </li>
      ))}
    </ul>
  )
}
