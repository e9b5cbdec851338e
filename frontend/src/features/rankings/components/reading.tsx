import type { Kind, Run } from '@/data/rankings/model'
import { day } from '@/lib/format'
import { Interval, Proof } from '@/features/rankings/components/interval'
import { axisOf } from '@/features/rankings/model'

const EXAMPLE = { value: 60, sd: 4 }

/** What the marks mean, and how the run was computed. */
export function Reading({ kind, run }: { kind: Kind; run: Run }) {
  return (
    <section aria-label="How to read this" className="grid gap-3 rounded-2xl border border-border bg-card p-4 text-sm">
      <h2 className="text-base font-semibold">How to read this</h2>
      <div>
        <Interval {...EXAMPLE} axis={axisOf([EXAMPLE])} />
        <p className="flex justify-between text-xs text-muted-foreground">
          <span>9 in 10</span>
          <span>1 in 2</span>
          <strong className="text-foreground">estimate</strong>
          <span>1 in 2</span>
          <span>9 in 10</span>
        </p>
      </div>
      {kind === 'players' ? (
        <p className="text-muted-foreground">
          <Proof parts={[1, 1, 1, null, null]} /> Parts measured. Missing parts widen the range; below half of the
          weights there is no rank.
        </p>
      ) : (
        <p className="text-muted-foreground">
          Provisional: fewer than {run.params.least_games ?? 10} games. {run.params.games ?? 0} public final games
          count.
        </p>
      )}
      <details>
        <summary className="w-fit cursor-pointer rounded text-muted-foreground hover:text-foreground">Method</summary>
        <p className="mt-2 text-muted-foreground">{run.method}</p>
        <p className="mt-2 text-xs wrap-anywhere text-muted-foreground">
          Computed {day(run.created_at)}. Data SHA-256 <code>{run.data_hash}</code>
        </p>
      </details>
    </section>
  )
}
