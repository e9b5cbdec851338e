import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { count, day, duration } from '@/lib/format'
import { Card, Section } from '@/ui/section'
import { Spinner } from '@/ui/spinner'
import { DataTable, type Column } from '@/ui/table/data-table'
import {
  activityQuery,
  codesQuery,
  DAYS,
  devicesQuery,
  funnelQuery,
  pagesQuery,
  totalsQuery,
} from '@/features/admin/queries'

const Chart = lazy(() => import('@/ui/chart'))

const TOTALS = {
  users: 'Users',
  dau: 'Active today',
  wau: 'Active in 7 days',
  mau: 'Active in 30 days',
  suspended: 'Suspended',
  open_reports: 'Open reports',
  open_messages: 'Open messages',
} as const

type Device = { device_type: string; sessions: number; users: number; average_seconds: number }
type Page = { page_path: string; views: number; users: number }
type Code = { code: string; owner_name: string | null; clicks: number; conversions: number }

const DEVICES: readonly Column<Device>[] = [
  { id: 'device', header: 'Device', value: (row) => row.device_type },
  { id: 'sessions', header: 'Sessions', numeric: true, value: (row) => row.sessions },
  { id: 'users', header: 'Users', numeric: true, value: (row) => row.users },
  {
    id: 'length',
    header: 'On average',
    numeric: true,
    value: (row) => row.average_seconds,
    format: (row) => duration(row.average_seconds),
  },
]
const PAGES: readonly Column<Page>[] = [
  { id: 'path', header: 'Page', value: (row) => row.page_path },
  { id: 'views', header: 'Views', numeric: true, value: (row) => row.views, format: (row) => count(row.views) },
  { id: 'users', header: 'Users', numeric: true, value: (row) => row.users, format: (row) => count(row.users) },
]
const CODES: readonly Column<Code>[] = [
  { id: 'code', header: 'Code', value: (row) => row.code },
  { id: 'owner', header: 'Owner', value: (row) => row.owner_name },
  { id: 'clicks', header: 'Clicks', numeric: true, value: (row) => row.clicks },
  { id: 'conversions', header: 'Sign-ups', numeric: true, value: (row) => row.conversions },
]

/** How the product is used. */
export function Figures() {
  const totals = useQuery(totalsQuery)
  const activity = useQuery(activityQuery)
  const funnel = useQuery(funnelQuery)
  return (
    <div className="grid gap-6">
      <Section
        title="Now"
        text="Everybody, and what waits to be done."
        query={totals}
        problem="The totals could not be loaded."
      >
        {(figures) => (
          <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
            {Object.entries(TOTALS).map(([key, name]) => (
              <div key={key} className="flex flex-col-reverse">
                <dt className="text-sm text-muted-foreground">{name}</dt>
                <dd className="font-display text-2xl font-bold tabular-nums">
                  {count(figures?.[key as keyof typeof TOTALS])}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Section>
      <Section
        title="Activity"
        text={`The last ${DAYS} days.`}
        query={activity}
        problem="The activity could not be loaded."
      >
        {(days) => (
          <Suspense fallback={<Spinner />}>
            <Chart
              label={`Active users, sessions and new users in the last ${DAYS} days`}
              data={days}
              x="day"
              formatX={day}
              series={[
                { key: 'active_users', label: 'Active users' },
                { key: 'sessions', label: 'Sessions' },
                { key: 'new_users', label: 'New users' },
              ]}
            />
          </Suspense>
        )}
      </Section>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Card title="Pages" text="What is opened most.">
          <DataTable
            name="Page views"
            prefix="v."
            query={useQuery(pagesQuery)}
            columns={PAGES}
            rowKey={(row) => row.page_path}
            empty="Nobody has opened a page yet."
          />
        </Card>
        <Card title="Sessions" text="By kind of device.">
          <DataTable
            name="Sessions by device"
            prefix="d."
            query={useQuery(devicesQuery)}
            columns={DEVICES}
            rowKey={(row) => row.device_type}
            empty="There is no session yet."
            searchable={false}
          />
        </Card>
      </div>
      <Section
        title="Referrals"
        text={`From click to account, the last ${DAYS} days.`}
        query={funnel}
        problem="The funnel could not be loaded."
      >
        {(days) => (
          <Suspense fallback={<Spinner />}>
            <Chart
              kind="bar"
              label={`Referral clicks and sign-ups in the last ${DAYS} days`}
              data={days}
              x="day"
              formatX={day}
              series={[
                { key: 'clicks', label: 'Clicks' },
                { key: 'signups', label: 'Sign-ups' },
              ]}
            />
          </Suspense>
        )}
      </Section>
      <Card title="Referral codes" text="Whose link brings people.">
        <DataTable
          name="Referral codes"
          prefix="c."
          query={useQuery(codesQuery)}
          columns={CODES}
          rowKey={(row) => row.code}
          empty="There is no referral code yet."
        />
      </Card>
    </div>
  )
}
