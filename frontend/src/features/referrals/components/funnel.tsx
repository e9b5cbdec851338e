import { useQuery } from '@tanstack/react-query'
import { shortDay, UNKNOWN } from '@/lib/format'
import { Figure } from '@/ui/figure'
import { Chart } from '@/ui/chart'
import { Empty, Section, Skeleton } from '@/ui/section'
import { share } from '@/features/referrals/model'
import { FUNNEL_DAYS, funnelQuery } from '@/data/referrals/queries'

type FunnelProps = {
  userId: string
  /** The counters of the user's code, once they are here. */
  code: { clicks: number; conversions: number } | null | undefined
}

/** From click to account. */
export function Funnel({ userId, code }: FunnelProps) {
  const query = useQuery(funnelQuery(userId))
  const { clicks, conversions } = code ?? { clicks: 0, conversions: 0 }
  return (
    <Section
      title="From click to account"
      text={`The last ${FUNNEL_DAYS} days, day by day; the figures above the chart are of all time.`}
      query={query}
      problem="The funnel could not be loaded."
      skeleton={<Skeleton className="h-80" />}
    >
      {(days) => (
        <>
          <dl className="grid grid-cols-3 divide-x divide-border text-center">
            <Figure name="Clicks" value={code ? String(clicks) : UNKNOWN} />
            <Figure name="Sign-ups" value={code ? String(conversions) : UNKNOWN} />
            <Figure name="Rate" value={share(conversions, clicks)} />
          </dl>
          {days.some(({ clicks, signups }) => clicks + signups > 0) ? (
            <Chart
              label={`Clicks and sign-ups of your link in the last ${FUNNEL_DAYS} days`}
              data={days}
              x="day"
              xLabel="Day"
              formatX={(time) => shortDay(time)}
              series={[
                { key: 'clicks', label: 'Clicks' },
                { key: 'signups', label: 'Sign-ups' },
              ]}
            />
          ) : (
            <Empty>No clicks in {FUNNEL_DAYS} days. Send your link to a teammate.</Empty>
          )}
        </>
      )}
    </Section>
  )
}
