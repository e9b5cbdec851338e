import { Circle } from 'lucide-react'
import { Link } from 'react-router'
import { decimal, rate } from '@/lib/format'
import { paths } from '@/lib/paths'
import { comparedWith } from '@/lib/percentiles'
import { Evidence } from '@/ui/evidence'
import { PercentileSlider } from '@/ui/percentile-slider'
import { Card, Empty } from '@/ui/section'
import { MoreLink } from '@/features/home/components/more-link'
import { STEP_TEXTS } from '@/features/home/model'
import { bestOf, type ProfileStep } from '@/data/home/feed'
import type { PlayerHome } from '@/data/home/queries'

/** What a player's profile still lacks after the first tasks; nothing once it lacks nothing. */
export function MissingSteps({ missing }: { missing: readonly ProfileStep[] }) {
  if (missing.length === 0 || missing.includes('facts') || missing.includes('measurement')) return null
  return (
    <Card title="Make your profile worth a look" aside={<MoreLink to={paths.player}>Go to my profile</MoreLink>}>
      <ul className="grid gap-3">
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
    </Card>
  )
}

/** Rates of the game, which are written without a leading zero. */
const RATES = ['avg', 'obp', 'slg', 'ops']

/** A player's highest percentiles. The card's text names the group they are compared with, if it is the same for all. */
export function Standing({ percentiles }: { percentiles: PlayerHome['percentiles'] }) {
  const rows = bestOf(percentiles)
  const circles = [...new Set(rows.map(comparedWith))]
  return (
    <Card title="Your best numbers" text={circles.length === 1 ? circles[0] : undefined}>
      {rows.length === 0 ? (
        <Empty>
          <Link to={paths.player} className="font-medium text-primary underline underline-offset-4">
            Add class, position and one number
          </Link>{' '}
          to see percentiles
        </Empty>
      ) : (
        <ul className="grid gap-3">
          {rows.map((row) => (
            <li key={row.metric} className="grid grid-cols-[1fr_auto] items-baseline gap-x-3 gap-y-1 text-sm">
              <span className="font-medium">{row.label}</span>
              <span className="inline-flex items-baseline gap-1.5 tabular-nums">
                <strong className="font-display text-base">
                  {RATES.includes(row.metric)
                    ? rate(row.value)
                    : decimal(row.value, Number.isInteger(row.value) ? 0 : 2)}
                </strong>
                <span className="text-muted-foreground">{row.unit}</span>
                <Evidence source={row.source} verified={row.verified} />
              </span>
              <PercentileSlider percentile={row.percentile} className="col-span-2" />
              {circles.length > 1 && (
                <span className="col-span-2 text-xs text-muted-foreground tabular-nums">{comparedWith(row)}</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
