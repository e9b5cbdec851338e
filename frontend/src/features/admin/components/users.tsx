import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { requiredText } from '@/lib/fields'
import { count, day } from '@/lib/format'
import { SIGNUP_ROLES } from '@/lib/role'
import { Button } from '@/ui/button'
import { RecordDialog, type RecordField } from '@/ui/record-dialog'
import { DataTable, type Column } from '@/ui/table/data-table'
import { useAdministration } from '@/features/admin/mutations'
import { usersQuery } from '@/features/admin/queries'

type User = {
  id: string
  full_name: string
  email: string | null
  role: string
  is_admin: boolean
  referral_tokens: number
  created_at: string
  suspended: boolean
}

const COLUMNS: readonly Column<User>[] = [
  { id: 'name', header: 'Name', value: (row) => row.full_name },
  { id: 'email', header: 'Email', value: (row) => row.email },
  { id: 'role', header: 'Role', value: (row) => (row.is_admin ? 'admin' : row.role) },
  {
    id: 'tokens',
    header: 'Tokens',
    numeric: true,
    value: (row) => row.referral_tokens,
    format: (row) => count(row.referral_tokens),
  },
  { id: 'since', header: 'Since', value: (row) => row.created_at, format: (row) => day(row.created_at) },
  { id: 'state', header: 'State', value: (row) => (row.suspended ? 'Suspended' : 'Active') },
]

const reason = requiredText(500, 'Please say why: it stands in the audit log.')
const REASON: RecordField = { name: 'reason', label: 'Why', type: 'textarea' }
const reasonSchema = z.object({ reason })
const roleSchema = z.object({ role: z.enum(SIGNUP_ROLES), reason })
const ROLE: RecordField = { name: 'role', label: 'Role', options: SIGNUP_ROLES.map((role) => [role, role]), wide: true }

/** Every account, with what an admin may do to it. */
export function Users() {
  const actions: Column<User> = {
    id: 'actions',
    header: '',
    value: () => null,
    cell: (row) => <UserActions user={row} />,
  }
  return (
    <DataTable
      name="Users"
      prefix="u."
      query={useQuery(usersQuery)}
      columns={[...COLUMNS, actions]}
      rowKey={(row) => row.id}
      empty="Nobody has signed up yet."
    />
  )
}

function UserActions({ user: { id, full_name, role, suspended, is_admin } }: { user: User }) {
  const { suspend, unsuspend, setRole } = useAdministration()
  return (
    <span className="flex justify-end gap-2">
      <RecordDialog
        trigger={
          <Button variant="outline" size="sm" aria-label={`Role of ${full_name}`}>
            Role
          </Button>
        }
        title={`Role of ${full_name}`}
        text="What they see and may do changes at once."
        fields={[ROLE, REASON]}
        schema={roleSchema}
        defaults={{ role, reason: '' }}
        draft={`role:${id}`}
        location="Admin"
        onSave={(values) => setRole(id, values.role, values.reason)}
      />
      {!is_admin && (
        <RecordDialog
          trigger={
            <Button variant="outline" size="sm" aria-label={`${suspended ? 'Restore' : 'Suspend'} ${full_name}`}>
              {suspended ? 'Restore' : 'Suspend'}
            </Button>
          }
          title={`${suspended ? 'Restore' : 'Suspend'} ${full_name}?`}
          text={
            suspended
              ? 'They can sign in and be seen again.'
              : 'They are signed out at once, and nobody sees their profile. They read what you write here.'
          }
          fields={[REASON]}
          schema={reasonSchema}
          defaults={{ reason: '' }}
          draft={`suspension:${id}`}
          location="Admin"
          onSave={(values) => (suspended ? unsuspend(id, values.reason) : suspend(id, values.reason))}
        />
      )}
    </span>
  )
}
