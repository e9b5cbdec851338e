import { useState } from 'react'
import { nameOf, SIDES, type Game, type GameRecord, type Side } from '@/data/games/model'
import { benchLabel, benchOf, courtesyPlace } from '@/features/games/scoring/bench'
import type { Sub } from '@/features/games/scoring/components/odd-plays'
import { EntryCheck } from '@/features/games/scoring/components/pitching'
import { FIELD, positionName } from '@/features/games/scoring/lineup'
import type { PitchCheck } from '@/features/games/scoring/pitch-check'
import type { PitchWarning } from '@/features/games/scoring/pitch-limits'
import type { Standing } from '@/features/games/scoring/standing'
import { Button } from '@/ui/button'
import { Field } from '@/ui/field'
import { Select } from '@/ui/select'

type SubstitutionProps = {
  game: Game
  records: readonly GameRecord[]
  /** A substitution that was chosen among the odd plays, with its place and position filled in. */
  wanted: Sub | null
  now: Standing
  check: PitchCheck
  onSub: (record: string) => Promise<boolean>
  onDone: () => void
}

/** Positions that exist only for the side at bat. */
const PINCH = [
  ['11', 'Pinch-hitter'],
  ['12', 'Pinch-runner'],
] as const

const HELP: Readonly<Record<Sub, string>> = {
  courtesy: 'Put the courtesy runner in the place of the pitcher or catcher on base, who returns to it in the field.',
  extra: 'The extra hitter bats after the last place of the order.',
  reentry: 'Choose the place that the player left, then who comes back.',
}

/** The place after the last one. */
const newPlace = ({ slots }: Standing, side: Side) => Math.max(0, ...slots[side].keys()) + 1

function startOf(now: Standing, wanted: Sub | null) {
  const fielding: Side = now.batting === 0 ? 1 : 0
  if (wanted === 'extra') return { side: now.batting, order: String(newPlace(now, now.batting)), position: '10' }
  if (wanted === 'courtesy') return { side: now.batting, order: String(courtesyPlace(now) ?? ''), position: '12' }
  return { side: wanted ? now.batting : fielding, order: '', position: '' }
}

/** Who comes in, where, and at which position. */
function useEntrant(now: Standing, wanted: Sub | null) {
  const [start] = useState(() => startOf(now, wanted))
  const [side, setSide] = useState<Side>(start.side)
  const [order, setOrder] = useState(start.order)
  const [entering, setEntering] = useState('')
  const [position, setPosition] = useState(start.position)
  const slots = [...now.slots[side]].sort(([one], [other]) => one - other)
  const extra = String(newPlace(now, side))
  const chooseSide = (one: Side) => {
    setSide(one)
    setOrder('')
    setEntering('')
  }
  const choosePlace = (place: string) => {
    setOrder(place)
    const slot = slots.find(([one]) => String(one) === place)?.[1]
    if (wanted !== 'courtesy') setPosition(place === extra ? '10' : String(slot?.position ?? ''))
  }
  return { side, slots, extra, order, entering, position, chooseSide, choosePlace, setEntering, setPosition }
}

/** Somebody comes in, or changes position. */
export function Substitution({ game, records, wanted, now, check, onSub, onDone }: SubstitutionProps) {
  const entrant = useEntrant(now, wanted)
  const { side, slots, extra, order, entering, position } = entrant
  const [warning, setWarning] = useState<PitchWarning | null>(null)
  const placed = slots.find(([place]) => String(place) === order)?.[1]
  const name = (id: string) => nameOf(game.athletes.get(id))
  const bench = benchOf(game, records, now, side)
  const save = async () => {
    const found = position === '1' ? check.warn({ id: entering, name: name(entering) }) : null
    setWarning(found)
    if (found) return
    if (await onSub(`sub,${entering},"",${side},${order},${position}`)) onDone()
  }
  return (
    <div className="grid gap-4">
      {wanted && <p className="rounded-xl bg-muted px-4 py-3">{HELP[wanted]}</p>}
      <Sides game={game} side={side} onChange={entrant.chooseSide} />
      <Choice
        id="sub-out"
        label="Place of"
        value={order}
        options={[
          ...slots.map(
            ([place, slot]) =>
              [String(place), `${place || 'Pitcher'} · ${name(slot.athlete)} ${positionName(slot.position)}`] as const,
          ),
          [extra, `${extra} · new place, extra hitter`] as const,
        ]}
        onChange={entrant.choosePlace}
      />
      <Choice
        id="sub-in"
        label="Comes in"
        help={bench.length === 0 ? 'Nobody is on the bench. Add players under Lineups.' : ''}
        value={entering}
        options={[
          ...(placed ? [[placed.athlete, `${name(placed.athlete)} (changes position)`] as const] : []),
          ...bench.map((one) => [one.athlete.id, benchLabel(one)] as const),
        ]}
        onChange={entrant.setEntering}
      />
      <Choice
        id="sub-position"
        label="Position"
        value={position}
        options={side === now.batting ? [...FIELD.slice(1), ...PINCH] : FIELD.slice(1)}
        onChange={entrant.setPosition}
      />
      <div className="grid grid-cols-2 gap-3">
        <Button variant="outline" size="lg" onClick={onDone}>
          Back
        </Button>
        <Button size="lg" disabled={!order || !entering || !position} onClick={() => void save()}>
          Save
        </Button>
      </div>
      <EntryCheck
        warning={warning}
        onClose={() => setWarning(null)}
        onContinue={async (over, reason) => {
          const kept = await check.override(over, reason)
          if (kept) await save()
          return kept
        }}
      />
    </div>
  )
}

type SidesProps = { game: Game; side: Side; onChange: (side: Side) => void }

function Sides({ game, side, onChange }: SidesProps) {
  return (
    <div className="grid auto-cols-fr grid-flow-col gap-1 rounded-xl bg-muted p-1" role="group" aria-label="Team">
      {SIDES.map((one) => (
        <Button
          key={one}
          variant={one === side ? 'default' : 'ghost'}
          className="h-12 min-w-0 truncate"
          aria-pressed={one === side}
          onClick={() => onChange(one)}
        >
          {one === 0 ? game.visitor_name : game.home_name}
        </Button>
      ))}
    </div>
  )
}

type ChoiceProps = {
  id: string
  label: string
  help?: string
  value: string
  options: readonly (readonly [value: string, text: string])[]
  onChange: (value: string) => void
}

function Choice({ id, label, help, value, options, onChange }: ChoiceProps) {
  return (
    <Field id={id} label={label} help={help ?? ''}>
      <Select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">Choose</option>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </Select>
    </Field>
  )
}
