import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { usePageTitle } from '@/lib/page-title'
import { roleQuery } from '@/lib/role'
import { useSession } from '@/lib/session'
import { Card, Empty, PageHeader } from '@/ui/section'
import { PageSpinner } from '@/ui/spinner'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/ui/tabs'
import { Figures } from '@/features/admin/components/figures'
import { Inbox } from '@/features/admin/components/inbox'
import { Users } from '@/features/admin/components/users'

/** `/admin`: for those whose row says `is_admin`. The database refuses everybody else, whatever this page shows. */
export default function AdminScreen() {
  const { user } = useSession()
  usePageTitle('Admin')
  return user && <Admin userId={user.id} />
}

function Admin({ userId }: { userId: string }) {
  const { data: role, isPending } = useQuery(roleQuery(userId))
  const [parameters, setParameters] = useSearchParams()
  if (isPending) return <PageSpinner />
  if (role !== 'admin') {
    return (
      <div className="grid gap-6">
        <PageHeader title="Admin" />
        <Empty>This screen is for admins. Your account is not one.</Empty>
      </div>
    )
  }
  return (
    <div className="grid gap-6">
      <PageHeader title="Admin" text="Users, what they report, and how the product is used." />
      <Tabs
        value={parameters.get('tab') ?? 'figures'}
        onValueChange={(tab) => setParameters({ tab }, { replace: true })}
      >
        <TabsList aria-label="Part of the administration">
          <TabsTrigger value="figures">Figures</TabsTrigger>
          <TabsTrigger value="users">Users</TabsTrigger>
          <TabsTrigger value="inbox">Inbox</TabsTrigger>
        </TabsList>
        <TabsContent value="figures">
          <Figures />
        </TabsContent>
        <TabsContent value="users">
          <Card title="Users" text="The newest accounts.">
            <Users />
          </Card>
        </TabsContent>
        <TabsContent value="inbox">
          <Inbox />
        </TabsContent>
      </Tabs>
    </div>
  )
}
