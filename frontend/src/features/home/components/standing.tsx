import { useQuery } from '@tanstack/react-query'
import { Circle } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '@/lib/paths'
import { comparedWith } from '@/lib/percentiles'
import { Button } from '@/ui/button'
import { Empty, RowsSkeleton, Section } from '@/ui/section'
import { ShareBar } from '@/ui/share-bar'
import { STEP_TEXTS } from '@/features/home/model'
import { bestPercentilesQuery, missingStepsQuery } from '@/data/home/queries'

/** What a player's profile still lacks after the first tasks; nothing once it lacks nothing. */
export function MissingSteps({ userId }: { userId: string }) {
  const { data: missing = [] } = useQuery(missingStepsQuery(userId))
  if (missing.length === 0 || missing.includes('facts') || missing.includes('measurement')) return null
  return (
    <section aria-labelledby="missing-steps" className="rounded-2xl border border-border bg-card p-5 sm:p-6">
      <h2 id="missing-steps" className="text-xl font-semibold">
        Make your profile worth a look
      </h2>
      <ul className="mt-4 grid gap-4">
        {missing.map((step) => (
          <li key={step} className="flex gap-3">
            <Circle aria-hidden className="mt-1 size-4 shrink-0 text-muted-foreground" />
            <span>
              <span className="block font-medium">{STEP_TEXTS[step].title}</span>
              <span className="block text-sm text-muted-foreground">{STEP_TEXTS[step].text}</span>
            </span>
          </li>
        ))}
      </ul>
      <Button asChild className="mt-5">
        <Link to={paths.player}>Go to my profile</Link>
      </Button>
    </section>
  )
}

/** A player's highest percentiles, each with the players it was counted among. */
export function Standing({ userId }: { userId: string }) {
  const query = useQuery(bestPercentilesQuery(userId))
  return (
    <Section
      title="Where you stand"
      text="Your best percentiles."
      query={query}
      problem="The comparison could not be loaded."
      skeleton={<RowsSkeleton rows={4} />}
    >
      {(rows) =>
        rows.length === 0 ? (
          <Empty>There is nothing to compare yet: it takes a class, a position, and a measurement or a season.</Empty>
        ) : (
          <ul className="grid gap-4">
            {rows.map(({ metric, label, percentile, ...circle }) => (
              <li key={metric} className="grid gap-1.5 text-sm">
                <span className="flex justify-between gap-4">
                  <span className="font-medium">{label}</span>
                  <span className="whitespace-nowrap tabular-nums">
                    <strong>{Math.round(percentile)}</strong> <span className="text-muted-foreground">of 100</span>
                  </span>
                </span>
                <ShareBar percent={percentile} />
                <span className="text-muted-foreground tabular-nums">{comparedWith(circle)}</span>
              </li>
            ))}
          </ul>
        )
      }
    </Section>
  )
}
