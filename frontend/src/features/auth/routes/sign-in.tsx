import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { OnSignedUp } from '@/data/auth/sign-up'
import { AWAITING_KEY, COACH_DRAFT } from '@/data/auth/storage'
import { forgetDraft, hasDraft } from '@/lib/draft-storage'
import { usePageTitle } from '@/lib/page-title'
import { paths } from '@/lib/paths'
import { Logo } from '@/ui/logo'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/ui/tabs'
import { NO_ACCOUNT, type AccountInput } from '@/features/auth/components/account-fields'
import { AwaitingConfirmation } from '@/features/auth/components/awaiting-confirmation'
import { CoachRegistrationForm } from '@/features/auth/components/coach-registration-form'
import { SignInForm } from '@/features/auth/components/sign-in-form'
import { SignUpForm } from '@/features/auth/components/sign-up-form'
import { WelcomePanel } from '@/features/auth/components/welcome-panel'

const SIGN_IN = 'sign-in'
const SIGN_UP = 'sign-up'

/** `/signin`: Sign In and Sign Up in tabs; a coach's sign-up goes on in a form of its own. */
export default function SignInScreen({ onSignedUp }: { onSignedUp: OnSignedUp }) {
  const wanted: unknown = useLocation().state
  const [tab, setTab] = useState(wanted === SIGN_UP ? SIGN_UP : SIGN_IN)
  const [coach, setCoach] = useState<AccountInput | null>(() => (hasDraft(COACH_DRAFT) ? NO_ACCOUNT : null))
  const [awaiting, setAwaiting] = useState(() => sessionStorage.getItem(AWAITING_KEY))
  usePageTitle(awaiting ? 'Check your email' : coach ? 'Coach Registration' : tab === SIGN_UP ? 'Sign Up' : 'Sign In')
  function leaveCoach() {
    forgetDraft(COACH_DRAFT)
    setCoach(null)
  }
  function awaitConfirmation(email: string | null) {
    if (email === null) sessionStorage.removeItem(AWAITING_KEY)
    else sessionStorage.setItem(AWAITING_KEY, email)
    setAwaiting(email)
  }
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)]">
      <main className="flex justify-center px-5 py-10 sm:px-10 lg:items-center">
        <div className="w-full max-w-md">
          <Link to={paths.home} aria-label="Dugout, home" className="mb-10 inline-block rounded-lg lg:hidden">
            <Logo />
          </Link>
          {awaiting ? (
            <>
              <Heading title="Check your email" text="Confirm your address to finish signing up." />
              <AwaitingConfirmation email={awaiting} onBack={() => awaitConfirmation(null)} />
            </>
          ) : coach ? (
            <>
              <Heading title="Coach Registration" text="Add your team to finish." />
              <CoachRegistrationForm
                typed={coach}
                onSignedUp={onSignedUp}
                onAwaiting={awaitConfirmation}
                onBack={leaveCoach}
              />
            </>
          ) : (
            <>
              <Heading
                title={tab === SIGN_UP ? 'Join the club' : 'Welcome to the clubhouse'}
                text={
                  tab === SIGN_UP
                    ? 'Free to start. Every new account gets 150 tokens.'
                    : 'Sign in to pick up where you left off.'
                }
              />
              <Tabs value={tab} onValueChange={setTab}>
                <TabsList aria-label="Sign in or sign up">
                  <TabsTrigger value={SIGN_IN}>Sign In</TabsTrigger>
                  <TabsTrigger value={SIGN_UP}>Sign Up</TabsTrigger>
                </TabsList>
                <TabsContent value={SIGN_IN}>
                  <SignInForm onAwaiting={awaitConfirmation} />
                </TabsContent>
                <TabsContent value={SIGN_UP}>
                  <SignUpForm onSignedUp={onSignedUp} onAwaiting={awaitConfirmation} onCoach={setCoach} />
                </TabsContent>
              </Tabs>
            </>
          )}
        </div>
      </main>
      <WelcomePanel />
    </div>
  )
}

function Heading({ title, text }: { title: string; text: string }) {
  return (
    <header className="mb-6">
      <h1 className="text-3xl font-bold tracking-tight">{title}</h1>
      <p className="mt-1.5 text-muted-foreground">{text}</p>
    </header>
  )
}
