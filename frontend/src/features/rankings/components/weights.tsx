import { useState } from 'react'
import type { Run, Weights } from '@/data/rankings/model'
import { Button } from '@/ui/button'
import { partName, sameWeights } from '@/features/rankings/model'

type WeightsProps = {
  run: Run
  /** The reader's own; null for the run's. */
  weights: Weights | null
  onChange: (weights: Weights | null) => void
}

const KINDS = [
  ['hitter', 'Position players'],
  ['pitcher', 'Pitchers'],
] as const
const STEP = 5

/** Sliders for the weights. The list follows when one is let go. */
export function WeightsPanel({ run, weights, onChange }: WeightsProps) {
  const usual = run.params.weights
  const [moving, setMoving] = useState<Weights | null>(null)
  const parts = run.params.parts
  if (!usual || !parts) return null
  const shown = moving ?? weights ?? usual
  const settle = () => {
    if (moving) onChange(sameWeights(moving, usual) ? null : moving)
    setMoving(null)
  }
  const set = (kind: keyof Weights, part: number, weight: number) => {
    const list = shown[kind].map((old, index) => (index === part ? weight : old))
    // Not all of them can be 0.
    if (list.some((weight) => weight > 0)) setMoving({ ...shown, [kind]: list })
  }
  return (
    <section
      id="weights"
      aria-label="Weights"
      className="grid gap-x-10 gap-y-4 rounded-2xl border border-border bg-card p-4 md:grid-cols-2"
    >
      {KINDS.map(([kind, title]) => {
        const total = shown[kind].reduce((sum, weight) => sum + weight, 0)
        return (
          <fieldset key={kind} className="grid min-w-0 gap-1">
            <legend className="mb-1 text-sm font-semibold">{title}</legend>
            {parts[kind].map((part, index) => {
              const weight = shown[kind][index] ?? 0
              const share = `${Math.round((100 * weight) / total)}%`
              return (
                <label key={part} className="grid grid-cols-[8.5rem_minmax(0,1fr)_3rem] items-center gap-2 text-sm">
                  {partName(part)}
                  <input
                    type="range"
                    className="h-6 w-full accent-primary"
                    aria-label={`${title}: ${partName(part)}`}
                    aria-valuetext={share}
                    min={0}
                    max={100}
                    step={STEP}
                    value={weight}
                    onChange={({ target }) => set(kind, index, Number(target.value))}
                    onPointerUp={settle}
                    onKeyUp={settle}
                    onBlur={settle}
                  />
                  <strong className="text-right tabular-nums">{share}</strong>
                </label>
              )
            })}
          </fieldset>
        )
      })}
      <div className="flex flex-wrap items-center gap-3 md:col-span-2">
        <Button variant="outline" size="sm" disabled={weights === null} onClick={() => onChange(null)}>
          Use the usual weights
        </Button>
        {weights && <p className="text-sm text-muted-foreground">Arrows show moves against the usual weights.</p>}
      </div>
    </section>
  )
}
