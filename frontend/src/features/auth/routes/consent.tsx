import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { requestFailure } from '@/data/auth/messages'
import { authorizationQuery } from '@/data/auth/queries'
import { leave } from '@/lib/leave'
import { usePageTitle } from '@/lib/page-title'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { Logo } from '@/ui/logo'
import { PageSpinner } from '@/ui/spinner'
import { ConsentForm } from '@/features/auth/components/consent-form'
import { SignInForm } from '@/features/auth/components/sign-in-form'

/** `/oauth/consent`: another app asks to use the account of the user, who may have to sign in first. */
export default function ConsentScreen() {
  const { user, loading } = useSession()
  const authorizationId = useSearchParams()[0].get('authorization_id')
  usePageTitle('Allow Access')
  if (loading) return <PageSpinner />
  return (
    <main className="flex min-h-dvh justify-center px-5 py-10 sm:items-center">
      <div className="w-full max-w-md">
        <Link to={paths.home} aria-label="Dugout, home" className="mb-8 inline-block rounded-lg">
          <Logo />
        </Link>
        <Page authorizationId={authorizationId} userId={user?.id} />
      </div>
    </main>
  )
}

function Page({ authorizationId, userId }: { authorizationId: string | null; userId?: string }) {
  if (!authorizationId) {
    return <Heading title="This link is incomplete" text="Go back to the app you came from and begin again." />
  }
  if (!userId) {
    return (
      <>
        <Heading title="Sign in to go on" text="Another app asks to use your account. First say who you are." />
        <SignInForm />
      </>
    )
  }
  return <Request authorizationId={authorizationId} userId={userId} />
}

function Request({ authorizationId, userId }: { authorizationId: string; userId: string }) {
  const { signOut } = useSession()
  const { data, error, isPending, refetch } = useQuery(authorizationQuery(authorizationId, userId))
  const decided = data && 'redirect_url' in data ? data.redirect_url : undefined
  useEffect(() => {
    if (decided) leave(decided)
  }, [decided])
  if (error) {
    const { title, description } = requestFailure(error)
    return (
      <div role="alert">
        <Heading title={title} text={description} />
        <Button variant="outline" onClick={() => void refetch()}>
          <RotateCw aria-hidden />
          Try again
        </Button>
      </div>
    )
  }
  if (isPending || 'redirect_url' in data) return <PageSpinner />
  const name = data.client.name || 'An app without a name'
  return (
    <>
      <Heading title={`${name} asks for access`} text="It wants to use your Dugout account." />
      <ConsentForm request={data} onOtherAccount={() => void signOut()} />
    </>
  )
}

function Heading({ title, text }: { title: ReactNode; text: ReactNode }) {
  return (
    <header className="mb-6">
      <h1 className="text-3xl font-bold tracking-tight wrap-anywhere">{title}</h1>
      <p className="mt-1.5 text-muted-foreground">{text}</p>
    </header>
  )
}
