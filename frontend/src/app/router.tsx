import { Suspense, useEffect } from 'react'
import { createBrowserRouter, Navigate, Outlet, ScrollRestoration, useLocation, type RouteObject } from 'react-router'
import { LandingScreen } from '@/features/landing/routes/landing'
import {
  awaitsConversion,
  expectConfirmation,
  expectConversion,
  forgetConfirmed,
  keepReferral,
} from '@/data/referrals/kept-code'
import { afterPaint } from '@/lib/after-paint'
import { needsSecondFactor } from '@/lib/assurance'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { hasStoredSession } from '@/lib/stored-session'
import { PageSpinner } from '@/ui/spinner'
import { MEMBERS_SCREENS, PUBLIC_SCREENS } from '@/app/built'
import { ErrorPage } from '@/app/error-page'
import { Later } from '@/app/later'
import { MembersOnly, SignedInLayout, VisitorLayout } from '@/app/layout'
import { ConsentScreen, HomeScreen, SecondFactorScreen, SignInScreen, Unbuilt } from '@/app/parts'
import { RouteFocus } from '@/app/route-focus'
import { UNBUILT, UNBUILT_OUTSIDE_SHELL } from '@/app/screens'

/** Section 9; the database awards it. */
const WELCOME_BONUS = 150

export const routes: RouteObject[] = [
  {
    element: <Root />,
    errorElement: <ErrorPage />,
    children: [
      {
        element: <SecondStep />,
        children: [
          { path: paths.signIn, element: <SignIn /> },
          { path: paths.oauthConsent, element: <Consent /> },
          { path: UNBUILT_OUTSIDE_SHELL.path, element: <OutsideShell /> },
          {
            element: <SignedInLayout />,
            children: [
              { path: paths.home, element: <HomeOrLanding /> },
              // Section 2: an unknown path shows what / shows.
              { path: '*', element: <HomeOrLanding /> },
              {
                element: <VisitorLayout />,
                children: [
                  ...PUBLIC_SCREENS.map(built),
                  {
                    element: <MembersOnly />,
                    children: [...MEMBERS_SCREENS.map(built), ...UNBUILT.map(unbuilt)],
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
]

function built({ path, title, Screen }: (typeof MEMBERS_SCREENS)[number]): RouteObject {
  return { path, element: <Screen />, handle: { title } }
}

function unbuilt({ path, title }: { path: string; title: string }): RouteObject {
  return { path, element: <Unbuilt title={title} />, handle: { title } }
}

export const createRouter = () => createBrowserRouter(routes)

/** Of a visit by a mailed link that has a message. Most visits have none, so its code is not in the first file. */
function linkMessage() {
  const { hash } = window.location
  if (!/[#&](error_description|message)=/.test(hash)) return
  void import('@/app/link-message')
    .then(({ showLinkMessage }) => {
      const { pathname, search } = window.location
      showLinkMessage({ hash, pathname, search })
    })
    // Without the file the page works, but for its message.
    .catch(() => undefined)
}

function Root() {
  const { search } = useLocation()
  useEffect(linkMessage, [])
  useEffect(() => {
    const code = keepReferral(search, localStorage)
    if (code === null) return
    void afterPaint()
      .then(referrals)
      .then(({ captureReferral }) => captureReferral(code))
  }, [search])
  return (
    <>
      <Outlet />
      <RouteFocus />
      <ScrollRestoration />
    </>
  )
}

/** Blocks every route until the second factor is verified. */
function SecondStep() {
  const { session } = useSession()
  const userId = session?.user.id
  useEffect(() => {
    if (userId) forgetConfirmed(userId)
    // A referral whose recording failed is recorded with the next session.
    if (userId && awaitsConversion(userId)) void referrals().then(({ convertReferral }) => convertReferral(userId))
  }, [userId])
  if (!needsSecondFactor(session)) return <Outlet />
  return (
    <Later>
      <SecondFactorScreen session={session} />
    </Later>
  )
}

function OutsideShell() {
  return (
    <main>
      <Suspense fallback={<PageSpinner />}>
        <Unbuilt title={UNBUILT_OUTSIDE_SHELL.title} />
      </Suspense>
    </main>
  )
}

/** Without a stored session the landing page shows at once: visitors do not wait for the session check. */
function HomeOrLanding() {
  const { user, loading } = useSession()
  if (user) return <HomeScreen />
  return loading && hasStoredSession() ? <PageSpinner /> : <LandingScreen />
}

function onSignedUp(userId: string, signedIn: boolean) {
  void import('@/features/notifications/store').then(({ notify }) =>
    notify({
      type: 'success',
      title: 'Welcome to Dugout',
      description: `${WELCOME_BONUS} tokens are yours to begin with.`,
    }),
  )
  if (signedIn) {
    expectConversion(userId)
    void referrals().then(({ convertReferral }) => convertReferral(userId))
  } else expectConfirmation(userId)
}

/** Loaded only for visitors with a referral code. */
const referrals = () => import('@/data/referrals/mutations')

/** The consent screen has no frame, so that no link leads away from the question. */
function Consent() {
  return (
    <Later>
      <ConsentScreen />
    </Later>
  )
}

/** Section 2: signed-in users are sent from here to /, the only redirect there is. */
function SignIn() {
  const { user, loading } = useSession()
  if (loading) return <PageSpinner />
  if (user) return <Navigate to={paths.home} replace />
  return (
    <Later>
      <SignInScreen onSignedUp={onSignedUp} />
    </Later>
  )
}
