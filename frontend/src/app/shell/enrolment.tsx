import { useQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { lazy, Suspense, useEffect } from 'react'
import { useRefreshSession } from '@/data/security/mutations'
import { factorsQuery } from '@/data/security/queries'
import { usePageTitle } from '@/lib/page-title'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { Logo } from '@/ui/logo'
import { PageHeader } from '@/ui/section'
import { PageSpinner } from '@/ui/spinner'

const SecondFactors = lazy(() =>
  import('@/features/settings/components/second-factors').then(({ SecondFactors }) => ({ default: SecondFactors })),
)

/** The only screen of an admin without a second factor: the database gives admin rights at `aal2` alone. */
export default function Enrolment({ user }: { user: { id: string; email?: string } }) {
  const { signOut } = useSession()
  const { data: factors = [] } = useQuery(factorsQuery(user.id))
  const { mutate: refresh } = useRefreshSession()
  const enrolled = factors.length > 0
  usePageTitle('Add a second factor')
  useEffect(() => {
    // Enrolled in another browser: the refreshed session lists the factor, and the router then asks for its code.
    if (enrolled) refresh()
  }, [enrolled, refresh])
  return (
    <main className="mx-auto grid max-w-3xl gap-6 px-5 py-8 sm:py-10">
      <Logo />
      <PageHeader
        title="Add a second factor"
        text="Admins sign in with a code besides the password. Your admin rights begin once you have added one."
      />
      <Suspense fallback={<PageSpinner />}>
        <SecondFactors userId={user.id} />
      </Suspense>
      <Button variant="link" className="justify-self-center" onClick={() => void signOut()}>
        <LogOut aria-hidden />
        Sign out of {user.email}
      </Button>
    </main>
  )
}
