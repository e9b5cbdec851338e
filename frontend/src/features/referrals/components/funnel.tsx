import { useQuery } from '@tanstack/react-query'
import { shortDay } from '@/lib/format'
import { Figure } from '@/ui/figure'
import { Chart } from '@/ui/chart'
import { Empty, Section } from '@/ui/section'
import { share } from '@/features/referrals/model'
import { FUNNEL_DAYS, funnelQuery } from '@/features/referrals/queries'

/** From click to account. */
export function Funnel({ userId, clicks, conversions }: { userId: string; clicks: number; conversions: number }) {
  const query = useQuery(funnelQuery(userId))
  return (
    <Section
      title="From click to account"
      text={`The last ${FUNNEL_DAYS} days, day by day; the figures above the chart are of all time.`}
      query={query}
      problem="The funnel could not be loaded."
    >
      {(days) => (
        <>
          <dl className="grid grid-cols-3 divide-x divide-border text-center">
            <Figure name="Clicks" value={String(clicks)} />
            <Figure name="Sign-ups" value={String(conversions)} />
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
