import { nameOf, shortNameOf, type Game, type GameRecord } from '@/data/games/model'
import { Finish } from '@/features/games/scoring/components/finish'
import type { Sub } from '@/features/games/scoring/components/odd-plays'
import { Matchup, PitchStop } from '@/features/games/scoring/components/pitching'
import { PlayEntry } from '@/features/games/scoring/components/play-entry'
import { pitcherOf } from '@/features/games/scoring/pitch-check'
import { warningOf } from '@/features/games/scoring/pitch-limits'
import { interruption } from '@/features/games/scoring/pitches'
import type { BookState, Scorebook } from '@/features/games/scoring/scorebook'
import type { Standing } from '@/features/games/scoring/standing'
import { words } from '@/features/games/words'
import { Button } from '@/ui/button'

type CurrentProps = {
  game: Game
  book: Scorebook
  state: BookState
  records: readonly GameRecord[]
  now: Standing
  decided: boolean
  pitches: string
  latest: () => string
  onPitches: (pitches: string) => void
  onSub: (sub?: Sub) => void
  onEndHalf: () => void
  onFinish: () => void
  onDone: () => void
}

/** The last play and the next one. */
export function Current(props: CurrentProps) {
  const { game, book, state, records, now, decided, onEndHalf, onFinish, onDone } = props
  const name = (id: string) => shortNameOf(game.athletes.get(id))
  const last = records.at(-1)
  return (
    <>
      <Last text={last ? words(last, name) : null} retired={now.sideRetired && !decided} />
      {decided ? (
        <Finish game={game} book={book} state={state} decided onDone={onDone} />
      ) : now.runnerDue ? (
        <ExtraRunner {...now.runnerDue} game={game} onPlace={(record) => book.add(record, null)} />
      ) : (
        <>
          <Next {...props} name={name} />
          <div className="grid grid-cols-2 gap-3">
            <Button variant="ghost" className="h-12" disabled={!now.begun} onClick={onEndHalf}>
              End the half-inning
            </Button>
            <Button variant="ghost" className="h-12" onClick={onFinish}>
              End the game
            </Button>
          </div>
        </>
      )}
    </>
  )
}

/** The entry of the next play, or a stop while the pitcher may not face the batter. */
function Next({
  game,
  book,
  state,
  records,
  now,
  pitches,
  latest,
  onPitches,
  onSub,
  name,
}: CurrentProps & { name: (id: string) => string }) {
  const id = now.pitcher ?? ''
  const pitcher = pitcherOf(game, state, records, { id, name: nameOf(game.athletes.get(id)) }, pitches)
  const warning = warningOf(pitcher, pitches === '' && interruption(records) === null)
  return (
    <>
      <Matchup batter={nameOf(game.athletes.get(now.batter ?? ''))} pitcher={pitcher} />
      {warning ? (
        <PitchStop
          key={`${warning.athlete}:${warning.rule}`}
          warning={warning}
          onChange={() => onSub()}
          onContinue={(reason) => book.override(warning.athlete, warning.rule, reason)}
        />
      ) : (
        <PlayEntry
          now={now}
          at={records.length}
          pitches={pitches}
          onPitches={onPitches}
          latest={latest}
          name={name}
          onPlay={(record, outcome) => book.add(record, outcome)}
          onSub={onSub}
          onOrder={(order) => void book.add(`ladj,${now.batting},${order}`, null)}
        />
      )}
    </>
  )
}

type ExtraRunnerProps = NonNullable<Standing['runnerDue']> & { game: Game; onPlace: (record: string) => void }

/** Places the runner with whom an extra inning begins: the player who bats before the first batter. */
function ExtraRunner({ athlete, base, game, onPlace }: ExtraRunnerProps) {
  const on = ['', 'first', 'second', 'third'][base]
  return (
    <div className="grid gap-4">
      <p>
        By the rules of this game the inning begins with{' '}
        <span className="font-semibold">{nameOf(game.athletes.get(athlete))}</span> on {on}.
      </p>
      <Button size="lg" onClick={() => onPlace(`radj,${athlete},${base}`)}>
        Place the runner
      </Button>
    </div>
  )
}

/** The last play in words, and the end of a half-inning. */
function Last({ text, retired }: { text: { title: string; detail: string } | null; retired: boolean }) {
  return (
    <p role="status" className="min-h-12 rounded-xl bg-muted px-4 py-3">
      {text ? (
        <>
          <span className="font-semibold">{text.title}.</span> {text.detail && `${text.detail}. `}
          {retired && 'Side retired.'}
        </>
      ) : (
        'The first play of the game.'
      )}
    </p>
  )
}
