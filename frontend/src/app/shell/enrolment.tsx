import { useQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { lazy, Suspense, useEffect } from 'react'
import { usePageTitle } from '@/lib/page-title'
import { useSession } from '@/lib/session'
import { supabase } from '@/lib/supabase'
import { Button } from '@/ui/button'
import { Logo } from '@/ui/logo'
import { PageHeader } from '@/ui/section'
import { PageSpinner } from '@/ui/spinner'
import { factorsQuery } from '@/features/settings/queries'

const SecondFactors = lazy(() =>
  import('@/features/settings/components/second-factors').then(({ SecondFactors }) => ({ default: SecondFactors })),
)

/** The only screen of an admin without a second factor: the database gives admin rights at `aal2` alone. */
export default function Enrolment({ user }: { user: { id: string; email?: string } }) {
  const { signOut } = useSession()
  const { data: factors = [] } = useQuery(factorsQuery(user.id))
  const enrolled = factors.length > 0
  usePageTitle('Add a second factor')
  useEffect(() => {
    // Added in another browser: the refreshed session knows of it, and the router asks for its code.
    if (enrolled) void supabase.auth.refreshSession()
  }, [enrolled])
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
