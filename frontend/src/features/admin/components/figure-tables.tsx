import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { count, duration } from '@/lib/format'
import { Card } from '@/ui/section'
import { DataTable, type Column } from '@/ui/table/data-table'
import { userAddress } from '@/features/admin/addresses'
import { codesQuery, devicesQuery, pagesQuery } from '@/data/admin/queries'

type Device = { device_type: string; sessions: number; users: number; average_seconds: number }
type Page = { page_path: string; views: number; users: number }
type Code = { code: string; owner_id: string | null; owner_name: string | null; clicks: number; conversions: number }

const DEVICES: readonly Column<Device>[] = [
  { id: 'device', header: 'Device', value: (row) => row.device_type },
  {
    id: 'sessions',
    header: 'Sessions',
    numeric: true,
    value: (row) => row.sessions,
    format: (row) => count(row.sessions),
  },
  { id: 'users', header: 'Users', numeric: true, value: (row) => row.users, format: (row) => count(row.users) },
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
  {
    id: 'code',
    header: 'Code',
    value: (row) => row.code,
    cell: ({ code }) => <span className="whitespace-nowrap">{code}</span>,
  },
  {
    id: 'owner',
    header: 'Owner',
    value: (row) => row.owner_name,
    cell: ({ owner_id, owner_name }) =>
      owner_id === null ? (
        'Nobody'
      ) : (
        <Link
          to={userAddress(owner_id)}
          className="font-medium whitespace-nowrap text-primary underline underline-offset-4"
        >
          {owner_name || 'Unnamed'}
        </Link>
      ),
  },
  { id: 'clicks', header: 'Clicks', numeric: true, value: (row) => row.clicks, format: (row) => count(row.clicks) },
  {
    id: 'conversions',
    header: 'Sign-ups',
    numeric: true,
    value: (row) => row.conversions,
    format: (row) => count(row.conversions),
  },
]

export function Pages({ days }: { days: number }) {
  return (
    <Card title="Page views" text={`The fifty pages opened most in the last ${days} days.`}>
      <DataTable
        name="Page views"
        prefix="v."
        query={useQuery(pagesQuery(days))}
        columns={PAGES}
        rowKey={(row) => row.page_path}
        empty="Nobody has opened a page in this time."
      />
    </Card>
  )
}

export function Devices({ days }: { days: number }) {
  return (
    <Card title="Sessions" text={`By kind of device, the last ${days} days.`}>
      <DataTable
        name="Sessions by device"
        prefix="d."
        query={useQuery(devicesQuery(days))}
        columns={DEVICES}
        rowKey={(row) => row.device_type}
        empty="There was no session in this time."
        searchable={false}
      />
    </Card>
  )
}

export function Codes() {
  return (
    <Card title="Referral codes" text="Whose link brings people: the 200 that brought most.">
      <DataTable
        name="Referral codes"
        prefix="c."
        query={useQuery(codesQuery)}
        columns={CODES}
        rowKey={(row) => row.code}
        empty="No code has been followed yet."
      />
    </Card>
  )
}
