import { useState } from 'react'
import type { Athlete, Game, Side } from '@/data/games/model'
import { nameOf, SIDES } from '@/data/games/model'
import { FIELD, positionName } from '@/features/games/scoring/lineup'
import type { Standing } from '@/features/games/scoring/standing'
import { Button } from '@/ui/button'
import { Field } from '@/ui/field'
import { Select } from '@/ui/select'

type SubstitutionProps = { game: Game; now: Standing; onSub: (record: string) => Promise<boolean>; onDone: () => void }

/** Somebody comes in, or changes position. */
export function Substitution({ game, now, onSub, onDone }: SubstitutionProps) {
  const [side, setSide] = useState<Side>(now.batting === 0 ? 1 : 0)
  const slots = [...now.slots[side]].sort(([one], [other]) => one - other)
  const [order, setOrder] = useState('')
  const [entering, setEntering] = useState('')
  const [position, setPosition] = useState('')
  const placed = slots.find(([place]) => String(place) === order)?.[1]
  const name = (id: string) => nameOf(game.athletes.get(id))
  const playing = new Set(slots.map(([, slot]) => slot.athlete))
  const bench: Athlete[] = [...game.athletes.values()].filter((one) => one.side === side && !playing.has(one.id))
  const batting = side === now.batting
  const positions = [
    ...FIELD.slice(1),
    ...(batting
      ? ([
          ['11', 'Pinch-hitter'],
          ['12', 'Pinch-runner'],
        ] as const)
      : []),
  ]
  const save = async () => {
    if (await onSub(`sub,${entering},"",${side},${order},${position}`)) onDone()
  }
  const choosePlace = (place: string) => {
    setOrder(place)
    const slot = slots.find(([one]) => String(one) === place)?.[1]
    setPosition(String(slot?.position ?? ''))
  }
  return (
    <div className="grid gap-4">
      <div className="grid auto-cols-fr grid-flow-col gap-1 rounded-xl bg-muted p-1" role="group" aria-label="Team">
        {SIDES.map((one) => (
          <Button
            key={one}
            variant={one === side ? 'default' : 'ghost'}
            className="h-12 min-w-0 truncate"
            aria-pressed={one === side}
            onClick={() => {
              setSide(one)
              setOrder('')
              setEntering('')
            }}
          >
            {one === 0 ? game.visitor_name : game.home_name}
          </Button>
        ))}
      </div>
      <Field id="sub-out" label="Place of">
        <Select id="sub-out" value={order} onChange={({ target }) => choosePlace(target.value)}>
          <option value="">Choose</option>
          {slots.map(([place, slot]) => (
            <option key={place} value={place}>
              {`${place || 'Pitcher'} · ${name(slot.athlete)} ${positionName(slot.position)}`}
            </option>
          ))}
        </Select>
      </Field>
      <Field
        id="sub-in"
        label="Comes in"
        help={bench.length === 0 ? 'Nobody is on the bench. Add players under Lineups.' : ''}
      >
        <Select id="sub-in" value={entering} onChange={({ target }) => setEntering(target.value)}>
          <option value="">Choose</option>
          {placed && <option value={placed.athlete}>{`${name(placed.athlete)} (changes position)`}</option>}
          {bench.map((one) => (
            <option key={one.id} value={one.id}>
              {nameOf(one)}
            </option>
          ))}
        </Select>
      </Field>
      <Field id="sub-position" label="Position">
        <Select id="sub-position" value={position} onChange={({ target }) => setPosition(target.value)}>
          <option value="">Choose</option>
          {positions.map(([number, short]) => (
            <option key={number} value={number}>
              {short}
            </option>
          ))}
        </Select>
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Button variant="outline" size="lg" onClick={onDone}>
          Back
        </Button>
        <Button size="lg" disabled={!order || !entering || !position} onClick={() => void save()}>
          Save
        </Button>
      </div>
    </div>
  )
}
