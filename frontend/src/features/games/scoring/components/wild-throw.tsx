import { Choice, Fielders } from '@/features/games/scoring/components/choices'
import { isBatted, movedRunners, type Draft, type Origin } from '@/features/games/scoring/kinds'
import { Button } from '@/ui/button'

type WildThrowProps = { draft: Draft; who: (from: Origin) => string; onChange: (draft: Draft) => void }

/** Kinds that have no throw, or name their error themselves. */
const WITHOUT = ['home_run', 'foul_error', 'infield_fly', 'fan_out', 'fan_double']

/** A throw that went wild: who threw it, and who took another base on it. */
export function WildThrow({ draft, who, onChange }: WildThrowProps) {
  const { kind, ends, wild } = draft
  const possible = (isBatted(kind) && !WITHOUT.includes(kind)) || (kind === 'steal' && movedRunners(ends).length > 0)
  if (!wild && !possible) return null
  const safe = ([3, 2, 1, 0] as const).filter((from) => typeof ends[from] === 'number')
  const change = (changes: Partial<NonNullable<Draft['wild']>>) =>
    onChange({ ...draft, wild: { by: null, runner: safe[0] ?? 0, ...wild, ...changes } })
  if (!wild) {
    return safe.length > 0 ? (
      <Button variant="outline" className="h-12" onClick={() => change({})}>
        A throw went wild
      </Button>
    ) : null
  }
  return (
    <div className="grid gap-4 rounded-xl border border-border p-3">
      <Fielders
        legend="Wild throw by"
        chosen={wild.by ? [wild.by] : []}
        single
        onChange={([by = null]) => change({ by })}
      />
      <Choice
        legend="Who took another base on it"
        options={safe.map((from) => [from, who(from)] as const)}
        chosen={wild.runner}
        onChoose={(runner) => change({ runner })}
      />
      <Button variant="ghost" className="h-12" onClick={() => onChange({ ...draft, wild: undefined })}>
        No wild throw
      </Button>
    </div>
  )
}
