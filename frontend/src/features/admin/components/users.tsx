import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { count, day } from '@/lib/format'
import { PagedTable } from '@/ui/table/paged-table'
import type { Column } from '@/ui/table/grid'
import type { Filter } from '@/ui/table/model'
import { useTableView } from '@/ui/table/view'
import { userAddress } from '@/features/admin/addresses'
import { usersList } from '@/data/admin/lists'

type User = {
  id: string
  full_name: string
  email: string | null
  role: string | null
  tier: string | null
  referral_tokens: number
  created_at: string
  suspended_at: string | null
}

const COLUMNS: readonly Column<User>[] = [
  {
    id: 'name',
    header: 'Name',
    value: (row) => row.full_name,
    cell: (row) => (
      <Link
        to={userAddress(row.id)}
        className="font-medium whitespace-nowrap text-primary underline underline-offset-4"
      >
        {row.full_name || 'Unnamed'}
      </Link>
    ),
  },
  { id: 'email', header: 'Email', value: (row) => row.email },
  { id: 'role', header: 'Role', value: (row) => row.role },
  { id: 'tier', header: 'Membership', value: (row) => row.tier },
  {
    id: 'tokens',
    header: 'Tokens',
    numeric: true,
    value: (row) => row.referral_tokens,
    format: (row) => count(row.referral_tokens),
  },
  { id: 'since', header: 'Since', value: (row) => row.created_at, format: (row) => day(row.created_at) },
  {
    id: 'state',
    header: 'State',
    value: (row) => (row.suspended_at ? 'Suspended' : 'Active'),
    cell: (row) => (row.suspended_at ? <span className="text-destructive">Suspended</span> : 'Active'),
  },
]

const FILTERS: readonly Filter[] = [
  {
    id: 'role',
    label: 'Role',
    options: [
      ['player', 'Players'],
      ['coach', 'Coaches'],
      ['scout', 'Scouts'],
      ['fan', 'Fans'],
      ['admin', 'Admins'],
    ],
  },
  {
    id: 'state',
    label: 'State',
    options: [
      ['active', 'Active'],
      ['suspended', 'Suspended'],
      ['unverified', 'Scouts to verify'],
    ],
  },
]

/** Every account; each leads to its own page. */
export function Users() {
  const table = useTableView('u.', FILTERS)
  return (
    <PagedTable
      name="Users"
      query={useQuery(usersList.page(table.view))}
      columns={COLUMNS}
      rowKey={(row) => row.id}
      empty="Nobody has signed up yet."
      filters={FILTERS}
      everyRow={() => usersList.everyRow(table.view)}
      view={table.view}
      change={table.change}
    />
  )
}
