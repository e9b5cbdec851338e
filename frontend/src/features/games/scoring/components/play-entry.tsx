import { useRef, useState } from 'react'
import { ConfirmPlay } from '@/features/games/scoring/components/confirm-play'
import { OddPlays, type Sub } from '@/features/games/scoring/components/odd-plays'
import { PitchPad } from '@/features/games/scoring/components/pitch-pad'
import { outcomeOf, recordOf } from '@/features/games/scoring/compose'
import type { Draft, Kind } from '@/features/games/scoring/kinds'
import { draftOf, oddDraft } from '@/features/games/scoring/likely'
import { endedBy } from '@/features/games/scoring/pitches'
import type { Outcome } from '@/data/games/model'
import type { Standing } from '@/features/games/scoring/standing'
import { Button } from '@/ui/button'
import { cn } from '@/ui/class-names'

type Option = readonly [kind: Kind, name: string]

const HITS: readonly Option[] = [
  ['single', '1B'],
  ['double', '2B'],
  ['triple', '3B'],
  ['home_run', 'HR'],
]
const OUTS: readonly Option[] = [
  ['strikeout', 'K swinging'],
  ['strikeout_looking', 'K looking'],
  ['ground', 'Ground out'],
  ['fly', 'Fly out'],
  ['line', 'Line out'],
  ['pop', 'Pop out'],
]
const FREE: readonly Option[] = [
  ['walk', 'Walk'],
  ['hit_by_pitch', 'Hit by pitch'],
  ['error', 'Error'],
]
const ODD: readonly Option[] = [
  ['fielders_choice', 'Fielder’s choice'],
  ['bunt', 'Bunt, out'],
  ['intentional_walk', 'Intentional walk'],
  ['dropped_third', 'Strike 3, safe'],
  ['strikeout_thrown', 'Strike 3, thrown out'],
  ['interference', 'Catcher’s interference'],
]
const WITH_RUNNERS: readonly Option[] = [
  ['double_play', 'Double play'],
  ['force', 'Force out'],
]
const RUNNERS: readonly Option[] = [
  ['steal', 'Steal'],
  ['caught', 'Caught stealing'],
  ['wild_pitch', 'Wild pitch'],
  ['passed_ball', 'Passed ball'],
  ['picked_off', 'Picked off'],
  ['balk', 'Balk'],
  ['indifference', 'Indifference'],
]
/** Choices that need no second look when nobody is on base. */
const AT_ONCE: readonly Kind[] = ['strikeout', 'strikeout_looking', 'walk', 'hit_by_pitch', 'intentional_walk']

type PlayEntryProps = {
  now: Standing
  /** How many records there are. A draft belongs to the state after them. */
  at: number
  name: (id: string) => string
  /** The pitches of this turn at bat so far. */
  pitches: string
  /** Without it pitches cannot be entered. */
  onPitches?: (pitches: string) => void
  /** The pitches, including taps that are not rendered yet. */
  latest?: () => string
  /** Asks for a second look at every play. */
  careful?: boolean
  /** Resolves to false if the play could not be kept. */
  onPlay: (record: string, outcome: Outcome) => Promise<boolean>
  /** Opens the substitution. Absent where the lineup cannot change. */
  onSub?: (sub: Sub) => void
  /** Says that another place of the order bats. */
  onOrder?: (order: number) => void
}

/** Milliseconds after a play in which a second tap is a double tap. */
const DOUBLE_TAP = 300

/** Enters a play: what happened, then who fielded it and where everybody ends. */
export function PlayEntry({
  now,
  at,
  name,
  pitches,
  onPitches,
  latest = () => pitches,
  careful = false,
  onPlay,
  onSub,
  onOrder,
}: PlayEntryProps) {
  const [begun, setBegun] = useState<{ draft: Draft; pitches: string; at: number } | null>(null)
  const [odd, setOdd] = useState<number | null>(null)
  const draft = begun?.at === at ? begun.draft : null
  const runners = now.bases.some((runner) => runner !== null)
  const { resting, keep } = useKeeping((play: Draft, pitches) =>
    onPlay(recordOf(play, now, pitches), outcomeOf(play, now)),
  )
  const enter = async (play: Draft, pitches: string) => {
    if (await keep(play, pitches)) setBegun(null)
  }
  const choose = (kind: Kind, all = latest()) => {
    const play = draftOf(kind, now.bases, now.outs, now.toWin)
    if (AT_ONCE.includes(kind) && !runners && !careful) void enter(play, all)
    else setBegun({ draft: play, pitches: all, at })
  }
  const pitch = (letter: string) => {
    const all = latest() + letter
    const end = endedBy(all)
    if (end) choose(end, all)
    else onPitches?.(all)
  }
  if (begun && draft) {
    return (
      <ConfirmPlay
        draft={draft}
        now={now}
        name={name}
        pitches={begun.pitches}
        onChange={(draft) => setBegun({ ...begun, draft })}
        onSave={() => enter(draft, begun.pitches)}
        onBack={() => setBegun(null)}
      />
    )
  }
  if (odd === at) {
    return (
      <OddPlays
        {...{ now, name, onSub, onOrder }}
        onChoose={(choice) => {
          setOdd(null)
          setBegun({ draft: oddDraft(choice, now), pitches: latest(), at })
        }}
        onBack={() => setOdd(null)}
      />
    )
  }
  return (
    // Not `disabled`, which would flash.
    <div className={cn('grid gap-3', resting && 'pointer-events-none')}>
      {onPitches && <PitchPad pitches={pitches} onPitch={pitch} />}
      <Kinds runners={runners} outs={now.outs} onChoose={choose} />
      <Button variant="outline" className="h-14 text-base" onClick={() => setOdd(at)}>
        Odd plays
      </Button>
    </div>
  )
}

/** Keeps one play at a time, and rests after each. `keep` resolves to false if the play was not kept. */
function useKeeping(onPlay: (play: Draft, pitches: string) => Promise<boolean>) {
  const [resting, setResting] = useState(false)
  const entering = useRef(false)
  const rest = () => {
    entering.current = false
    setResting(false)
  }
  const keep = async (play: Draft, pitches: string) => {
    if (entering.current) return false
    entering.current = true
    setResting(true)
    const kept = await onPlay(play, pitches).catch(() => false)
    if (kept) setTimeout(rest, DOUBLE_TAP)
    else rest()
    return kept
  }
  return { resting, keep }
}

type KindsProps = { runners: boolean; outs: number; onChoose: (kind: Kind) => void }

function Kinds({ runners, outs, onChoose }: KindsProps) {
  return (
    <>
      <Options options={HITS} onChoose={onChoose} className="grid-cols-4" strong />
      <Options options={OUTS} onChoose={onChoose} className="grid-cols-2" />
      <Options options={FREE} onChoose={onChoose} className="grid-cols-3" />
      {runners && outs < 2 && <Options options={WITH_RUNNERS} onChoose={onChoose} className="grid-cols-2" />}
      {runners && outs === 2 && <Options options={WITH_RUNNERS.slice(1)} onChoose={onChoose} className="grid-cols-1" />}
      <More title="More for the batter" options={ODD} onChoose={onChoose} />
      {runners && <More title="Runners" options={RUNNERS} onChoose={onChoose} />}
    </>
  )
}

type OptionsProps = { options: readonly Option[]; onChoose: (kind: Kind) => void; className: string; strong?: boolean }

function Options({ options, onChoose, className, strong = false }: OptionsProps) {
  return (
    <div className={cn('grid gap-2', className)}>
      {options.map(([kind, name]) => (
        <Button
          key={kind}
          variant={strong ? 'default' : 'outline'}
          className="h-14 px-1 text-base whitespace-normal"
          onClick={() => onChoose(kind)}
        >
          {name}
        </Button>
      ))}
    </div>
  )
}

function More({ title, ...props }: { title: string; options: readonly Option[]; onChoose: (kind: Kind) => void }) {
  return (
    <details className="rounded-lg border border-border bg-card">
      <summary className="cursor-pointer px-4 py-3.5 font-medium">{title}</summary>
      <div className="px-2 pb-2">
        <Options {...props} className="grid-cols-2" />
      </div>
    </details>
  )
}
