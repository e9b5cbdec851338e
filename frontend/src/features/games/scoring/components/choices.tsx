import { Delete } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '@/ui/button'
import { cn } from '@/ui/class-names'

type ChoiceProps<Value> = {
  legend: ReactNode
  options: readonly (readonly [Value, string])[]
  chosen: Value | undefined
  onChoose: (value: Value) => void
}

/** One of a few, side by side. */
export function Choice<Value extends string | number>({ legend, options, chosen, onChoose }: ChoiceProps<Value>) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm">{legend}</legend>
      <div className="grid auto-cols-fr grid-flow-col gap-1 rounded-xl bg-muted p-1">
        {options.map(([value, name]) => (
          <Button
            key={value}
            variant={value === chosen ? 'default' : 'ghost'}
            className="h-12 px-1"
            aria-pressed={value === chosen}
            onClick={() => onChoose(value)}
          >
            {name}
          </Button>
        ))}
      </div>
    </fieldset>
  )
}

/** Columns and rows of the positions on the field, seen from the plate. */
const SPOTS: readonly (readonly [position: number, name: string])[] = [
  [7, 'LF'],
  [8, 'CF'],
  [9, 'RF'],
  [6, 'SS'],
  [1, 'P'],
  [4, '2B'],
  [5, '3B'],
  [2, 'C'],
  [3, '1B'],
]

type FieldersProps = {
  legend: string
  chosen: readonly number[]
  single?: boolean
  onChange: (chosen: number[]) => void
}

/** Who handled the ball, one or several in order. */
export function Fielders({ legend, chosen, single = false, onChange }: FieldersProps) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 flex w-full items-center justify-between text-sm">
        <span>
          {legend}: <span className="font-semibold">{chosen.join('-')}</span>
        </span>
      </legend>
      <div className="grid grid-cols-3 gap-1.5 rounded-xl bg-night p-2">
        {SPOTS.map(([position, name]) => (
          <Button
            key={position}
            variant="secondary"
            className={cn('h-12', chosen.includes(position) && 'bg-clay text-night hover:bg-clay')}
            aria-pressed={chosen.includes(position)}
            onClick={() => onChange(single ? [position] : [...chosen, position])}
          >
            {position} <span className="text-xs font-normal">{name}</span>
          </Button>
        ))}
      </div>
      {!single && chosen.length > 0 && (
        <Button variant="ghost" className="h-12" onClick={() => onChange([])}>
          <Delete aria-hidden />
          Clear fielders
        </Button>
      )}
    </fieldset>
  )
}
