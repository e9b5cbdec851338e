import { useState } from 'react'
import type { Board, Level as LevelRow } from '@/data/college/model'
import { useSavePlan } from '@/data/college/mutations'
import { ordinal } from '@/lib/ordinal'
import { Button } from '@/ui/button'
import { Card } from '@/ui/section'
import { levelName, levelsOf, percentileOf, scaleOf } from '@/features/college/model'

/** A what-if: where a freshman with this number would stand among those of Division I. The fit of the cards follows from it. */
export function Level({ board, levels }: { board: Board; levels: readonly LevelRow[] }) {
  const save = useSavePlan(board.playerId)
  const scale = scaleOf(board)
  const [moving, setMoving] = useState<number | null>(null)
  const value = moving ?? board.whatIf ?? scale.start
  const settle = () => {
    if (moving !== null && moving !== board.whatIf) {
      save.mutate({ what_if: moving }, { onSettled: () => setMoving(null) })
    }
  }
  const share = (x: number) => Math.min(100, Math.max(0, (100 * (x - scale.least)) / (scale.most - scale.least)))
  return (
    <Card title="What if" text={`You as a Division I freshman with a ${scale.label} of ${scale.format(value)}`}>
      {board.writes && (
        <div className="flex flex-wrap items-center gap-3">
          <input
            type="range"
            aria-label={`${scale.label} as a freshman`}
            aria-valuetext={scale.format(value)}
            className="h-6 min-w-0 grow accent-primary"
            min={scale.least}
            max={scale.most}
            step={scale.step}
            value={value}
            onChange={({ target }) => setMoving(Number(target.value))}
            onPointerUp={settle}
            onKeyUp={settle}
            onBlur={settle}
          />
          {board.whatIf === null && moving === null && (
            <Button
              size="sm"
              variant="outline"
              disabled={save.isPending}
              onClick={() => save.mutate({ what_if: value })}
            >
              Use {scale.format(value)}
            </Button>
          )}
        </div>
      )}
      <ul className="grid gap-3 text-sm">
        {levelsOf(board, levels).map((level) => (
          <Comparison key={level.first_rank} level={level} value={value} share={share} />
        ))}
      </ul>
      <p className="text-sm text-muted-foreground">
        Bars: the middle 80% of freshmen, seasons 2021 to 2026, by place in RPI; the line is the median. Reach is below
        the 25th percentile, likely above the 75th. It is a comparison of numbers, not a forecast of you, and no promise
        of an offer.
      </p>
    </Card>
  )
}

type ComparisonProps = { level: LevelRow; value: number; share: (value: number) => number }

/** Where the number stands among the freshmen of a level. `share` gives its place on the bar, in percent. */
function Comparison({ level, value, share }: ComparisonProps) {
  return (
    <li className="grid grid-cols-[8.5rem_minmax(0,1fr)_3rem] items-center gap-3">
      <span>
        {levelName(level)}
        <span className="block text-xs text-muted-foreground">n = {level.n}</span>
      </span>
      <span aria-hidden className="relative block h-4">
        <span
          className="absolute inset-y-0.5 rounded-sm bg-primary/30"
          style={{
            left: `${share(level.quantiles[1] ?? 0)}%`,
            right: `${100 - share(level.quantiles[17] ?? 0)}%`,
          }}
        />
        <span
          className="absolute inset-y-0 border-l-2 border-primary"
          style={{ left: `${share(level.quantiles[9] ?? 0)}%` }}
        />
        <span
          className="absolute top-1/2 size-3 -translate-1/2 rounded-full border-2 border-card bg-foreground"
          style={{ left: `${share(value)}%` }}
        />
      </span>
      <strong className="text-right tabular-nums">{ordinal(percentileOf(value, level.quantiles))}</strong>
    </li>
  )
}
