import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { count } from '@/lib/format'
import { lazyScreen } from '@/lib/lazy-screen'
import { usePageTitle } from '@/lib/page-title'
import { roleQuery } from '@/data/role/queries'
import { useSession } from '@/lib/session'
import { Card, Empty, PageHeader, RowsSkeleton } from '@/ui/section'
import { focusMain } from '@/ui/skip-link'
import { PageSpinner } from '@/ui/spinner'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/ui/tabs'
import { Audit } from '@/features/admin/components/audit'
import { Figures } from '@/features/admin/components/figures'
import { Reports } from '@/features/admin/components/reports'
import { UserPage } from '@/features/admin/components/user-page'
import { Users } from '@/features/admin/components/users'
import { parseTab } from '@/features/admin/model'
import { totalsQuery } from '@/data/admin/queries'

const Messages = lazyScreen(() => import('@/features/admin/components/messages'))

/** `/admin`: for users with `is_admin`. The database enforces this; the page only hides what would be refused. */
export default function AdminScreen() {
  const { user } = useSession()
  usePageTitle('Admin')
  return user && <Admin userId={user.id} />
}

function Admin({ userId }: { userId: string }) {
  const { data: role, isPending } = useQuery(roleQuery(userId))
  if (isPending) return <PageSpinner />
  if (role === 'admin') return <Administration userId={userId} />
  return (
    <div className="grid gap-6">
      <PageHeader title="Admin" />
      <Empty>This screen is for admins. Your account is not one.</Empty>
    </div>
  )
}

function Administration({ userId }: { userId: string }) {
  const [parameters, setParameters] = useSearchParams()
  const { data: totals } = useQuery(totalsQuery)
  const subject = parameters.get('user')
  useFocusAfter(subject)
  return (
    <div className="grid gap-6">
      <PageHeader title="Admin" text="Users, what they report, and how the product is used." />
      <Tabs
        value={parseTab(parameters.get('tab'))}
        onValueChange={(tab) => setParameters({ tab }, { preventScrollReset: true })}
      >
        <TabsList
          aria-label="Part of the administration"
          className="auto-cols-auto grid-flow-row grid-cols-3 sm:auto-cols-fr sm:grid-flow-col sm:grid-cols-none"
        >
          <TabsTrigger value="figures">Figures</TabsTrigger>
          <TabsTrigger value="users">Users</TabsTrigger>
          <TabsTrigger value="reports">
            Reports <Waiting number={totals?.open_reports} />
          </TabsTrigger>
          <TabsTrigger value="messages">
            Messages <Waiting number={totals?.open_messages} />
          </TabsTrigger>
          <TabsTrigger value="audit">Audit log</TabsTrigger>
        </TabsList>
        <TabsContent value="figures">
          <Figures />
        </TabsContent>
        <TabsContent value="users">
          {subject ? (
            <UserPage key={subject} id={subject} own={subject === userId} />
          ) : (
            <Card title="Users" text="Open an account to change it.">
              <Users />
            </Card>
          )}
        </TabsContent>
        <TabsContent value="reports">
          <Card title="Reports" text="What users found wrong.">
            <Reports />
          </Card>
        </TabsContent>
        <TabsContent value="messages">
          <Card title="Messages" text="From the contact page.">
            <Suspense fallback={<RowsSkeleton rows={4} />}>
              <Messages />
            </Suspense>
          </Card>
        </TabsContent>
        <TabsContent value="audit">
          <Card title="Audit log" text="Who did what, written by the database itself.">
            <Audit />
          </Card>
        </TabsContent>
      </Tabs>
    </div>
  )
}

/** How many wait to be looked at. */
function Waiting({ number }: { number: number | undefined }) {
  if (!number) return null
  return (
    <span className="ml-1 rounded-full bg-accent-soft px-1.5 text-xs tabular-nums">
      {count(number)}
      <span className="sr-only"> open</span>
    </span>
  )
}

/** Focuses the heading when an account is opened or closed, because the link that had the focus is removed. */
function useFocusAfter(subject: string | null) {
  const before = useRef(subject)
  useEffect(() => {
    if (before.current === subject) return
    before.current = subject
    if (document.activeElement === document.body) focusMain()
  }, [subject])
}
