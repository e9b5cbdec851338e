import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { count, shortDay } from '@/lib/format'
import { Figure } from '@/ui/figure'
import { Chart } from '@/ui/chart'
import { Section, Skeleton } from '@/ui/section'
import { Select } from '@/ui/select'
import { Codes, Devices, Pages } from '@/features/admin/components/figure-tables'
import { parseDays, SPANS } from '@/features/admin/model'
import { activityQuery, funnelQuery, totalsQuery, WEEKS, weeksQuery } from '@/data/admin/queries'

const TOTALS = [
  ['users', 'Users'],
  ['players', 'Players'],
  ['coaches', 'Coaches'],
  ['scouts', 'Scouts'],
  ['fans', 'Fans'],
  ['suspended', 'Suspended'],
  ['dau', 'Active today'],
  ['wau', 'Active in 7 days'],
  ['mau', 'Active in 30 days'],
  ['open_reports', 'Open reports'],
  ['open_messages', 'Open messages'],
] as const

/** How the product is used. */
export function Figures() {
  const [parameters, setParameters] = useSearchParams()
  const days = parseDays(parameters.get('days'))
  return (
    <div className="grid gap-6">
      <Totals />
      <label className="flex items-center justify-end gap-3 text-sm font-medium">
        Figures over
        <Select
          value={days}
          className="h-10 w-auto"
          onChange={(event) =>
            setParameters(
              (now) => {
                now.set('days', event.target.value)
                return now
              },
              { replace: true, preventScrollReset: true },
            )
          }
        >
          {SPANS.map((span) => (
            <option key={span} value={span}>
              {span} days
            </option>
          ))}
        </Select>
      </label>
      <Activity days={days} />
      <Weeks />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Pages days={days} />
        <Devices days={days} />
      </div>
      <Funnel days={days} />
      <Codes />
    </div>
  )
}

function Totals() {
  const totals = useQuery(totalsQuery)
  return (
    <Section
      title="Now"
      text="Everybody, and what waits to be done."
      query={totals}
      problem="The totals could not be loaded."
      skeleton={<TotalsList />}
    >
      {(figures) => <TotalsList figures={figures} />}
    </Section>
  )
}

function TotalsList({ figures }: { figures?: Partial<Record<(typeof TOTALS)[number][0], number>> | null }) {
  return (
    <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4 lg:grid-cols-6">
      {TOTALS.map(([key, name]) => (
        <div key={key} className="flex flex-col-reverse justify-end">
          <dt className="text-sm text-muted-foreground">{name}</dt>
          <dd className="font-display text-2xl font-bold tabular-nums">{count(figures?.[key])}</dd>
        </div>
      ))}
    </dl>
  )
}

function Activity({ days }: { days: number }) {
  return (
    <Section
      title="Activity"
      text={`Day by day, the last ${days} days.`}
      query={useQuery(activityQuery(days))}
      problem="The activity could not be loaded."
      skeleton={<Skeleton className="h-80" />}
    >
      {(points) => (
        <Chart
          label={`Active users, page views, sessions and new users in the last ${days} days`}
          data={points}
          x="day"
          xLabel="Day"
          formatX={(time) => shortDay(time)}
          series={[
            { key: 'active_users', label: 'Active users' },
            { key: 'page_views', label: 'Page views' },
            { key: 'sessions', label: 'Sessions' },
            { key: 'new_users', label: 'New users' },
          ]}
        />
      )}
    </Section>
  )
}

function Weeks() {
  return (
    <Section
      title="Weekly active users"
      text={`The last ${WEEKS} weeks, which begin on Monday; who returns was here in the week before.`}
      query={useQuery(weeksQuery)}
      problem="The weeks could not be loaded."
      skeleton={<Skeleton className="h-80" />}
    >
      {(weeks) => (
        <Chart
          kind="bar"
          label={`Active and returning users in the last ${WEEKS} weeks`}
          data={weeks}
          x="week"
          xLabel="Week of"
          formatX={(time) => shortDay(time)}
          series={[
            { key: 'active_users', label: 'Active users' },
            { key: 'returning_users', label: 'Returning users' },
          ]}
        />
      )}
    </Section>
  )
}

function Funnel({ days }: { days: number }) {
  return (
    <Section
      title="Referrals"
      text={`From click to account, the last ${days} days; counted once for each new account.`}
      query={useQuery(funnelQuery(days))}
      problem="The funnel could not be loaded."
      skeleton={<Skeleton className="h-96" />}
    >
      {(points) => (
        <>
          <dl className="grid grid-cols-3 divide-x divide-border text-center">
            <Figure name="Clicks" value={count(sum(points, 'clicks'))} />
            <Figure name="Sign-ups" value={count(sum(points, 'signups'))} />
            <Figure name="Counted" value={count(sum(points, 'conversions'))} />
          </dl>
          <Chart
            kind="bar"
            label={`Referral clicks, sign-ups and those that count in the last ${days} days`}
            data={points}
            x="day"
            xLabel="Day"
            formatX={(time) => shortDay(time)}
            series={[
              { key: 'clicks', label: 'Clicks' },
              { key: 'signups', label: 'Sign-ups' },
              { key: 'conversions', label: 'Counted' },
            ]}
          />
        </>
      )}
    </Section>
  )
}

const sum = <Key extends string>(points: readonly Record<Key, number>[], key: Key) =>
  points.reduce((total, point) => total + point[key], 0)
