import { useRef, useState, type KeyboardEvent } from 'react'
import type { Program } from '@/data/college/model'
import { count } from '@/lib/format'
import { stateName } from '@/lib/us-states'
import { cn } from '@/ui/class-names'
import { countByState, shadeOf, tileBeside, TILES, type Tile } from '@/features/college/state-map'

const SHADES = [
  'bg-muted text-muted-foreground',
  'bg-primary/10',
  'bg-primary/20',
  'bg-primary/35',
  'bg-primary text-primary-foreground',
]

type MapProps = {
  /** The programs that match all filters except the state. */
  programs: readonly Program[]
  /** The state filtered by; empty for all. */
  state: string
  onState: (state: string) => void
}

/** A tile map with the number of programs in each state. Choosing a tile filters the list below. */
export function ProgramMap({ programs, state, onState }: MapProps) {
  const counts = countByState(programs)
  const largest = Math.max(...counts.values(), 1)
  const [reached, setReached] = useState('CA')
  const tiles = useRef<HTMLDivElement>(null)
  const unknown = programs.filter((program) => program.state === null).length
  function move(event: KeyboardEvent, from: Tile) {
    const next = tileBeside(from, event.key)
    if (!next) return
    event.preventDefault()
    setReached(next.code)
    tiles.current?.querySelector<HTMLElement>(`[data-state-code=${next.code}]`)?.focus()
  }
  return (
    <figure className="grid justify-items-center gap-2 rounded-2xl border border-border bg-card p-3 sm:p-4">
      <div
        ref={tiles}
        role="group"
        aria-label="Programs by state; arrow keys move"
        className="grid w-full max-w-136 grid-cols-11 gap-0.5 sm:gap-1"
      >
        {TILES.map((tile) => {
          const { code, row, column } = tile
          const amount = counts.get(code) ?? 0
          const chosen = code === state
          return (
            <button
              key={code}
              type="button"
              data-state-code={code}
              tabIndex={code === reached ? 0 : -1}
              aria-pressed={chosen}
              aria-label={`${stateName(code)}: ${amount === 1 ? '1 program' : `${count(amount)} programs`}`}
              style={{ gridRow: row + 1, gridColumn: column + 1 }}
              className={cn(
                'grid aspect-square content-center justify-items-center rounded text-[11px]/tight font-semibold sm:text-xs/tight',
                SHADES[shadeOf(amount, largest)],
                chosen && 'outline-2 outline-offset-1 outline-foreground',
              )}
              onFocus={() => setReached(code)}
              onKeyDown={(event) => move(event, tile)}
              onClick={() => onState(chosen ? '' : code)}
            >
              {code}
              <span aria-hidden className="font-normal tabular-nums max-sm:hidden">
                {amount > 0 && amount}
              </span>
            </button>
          )
        })}
      </div>
      <figcaption className="text-center text-xs text-muted-foreground">
        A stronger green means more programs{unknown > 0 && `; state unknown: ${count(unknown)}`}.
      </figcaption>
    </figure>
  )
}
