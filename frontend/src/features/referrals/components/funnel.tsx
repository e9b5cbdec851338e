import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { day } from '@/lib/format'
import { Empty, Section } from '@/ui/section'
import { Spinner } from '@/ui/spinner'
import { share } from '@/features/referrals/model'
import { FUNNEL_DAYS, funnelQuery } from '@/features/referrals/queries'

const Chart = lazy(() => import('@/ui/chart'))

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
            <Step name="Clicks" value={String(clicks)} />
            <Step name="Sign-ups" value={String(conversions)} />
            <Step name="Rate" value={share(conversions, clicks)} />
          </dl>
          {days.some(({ clicks, signups }) => clicks + signups > 0) ? (
            <Suspense fallback={<Spinner />}>
              <Chart
                label={`Clicks and sign-ups of your link in the last ${FUNNEL_DAYS} days`}
                data={days}
                x="day"
                xLabel="Day"
                formatX={day}
                series={[
                  { key: 'clicks', label: 'Clicks' },
                  { key: 'signups', label: 'Sign-ups' },
                ]}
              />
            </Suspense>
          ) : (
            <Empty>Nobody has followed your link lately. Copy it above and hand it to a teammate.</Empty>
          )}
        </>
      )}
    </Section>
  )
}

function Step({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex flex-col-reverse">
      <dt className="text-sm text-muted-foreground">{name}</dt>
      <dd className="font-display text-2xl font-bold tabular-nums">{value}</dd>
    </div>
  )
}
