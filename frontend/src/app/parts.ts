import { matchPath } from 'react-router'
import { lazyScreen } from '@/lib/lazy-screen'
import { paths } from '@/lib/paths'
import { hasStoredSession } from '@/lib/stored-session'
import { MEMBERS_SCREENS, PUBLIC_SCREENS } from '@/app/built'
import { UNBUILT } from '@/app/screens'

/** The parts of the app that are loaded when somebody needs them. */
export const Data = lazyScreen(() => import('@/app/data'))
export const Shell = lazyScreen(() => import('@/app/shell/shell'))
export const VisitorFrame = lazyScreen(() => import('@/app/visitor-frame'))
export const SignInToSee = lazyScreen(() => import('@/app/sign-in-to-see'))
export const Unbuilt = lazyScreen(() => import('@/app/unbuilt'))
export const HomeScreen = lazyScreen(() => import('@/app/home'))
export const ConsentScreen = lazyScreen(() => import('@/features/auth/routes/consent'))
export const SecondFactorScreen = lazyScreen(() => import('@/features/auth/routes/second-factor'))
export const SignInScreen = lazyScreen(() => import('@/features/auth/routes/sign-in'))

type Part = { preload: () => void }

/** Asks for everything that an address will need, at once: one after the other, each would wait for the one before. */
export function preload(pathname: string) {
  partsOf(pathname, hasStoredSession()).forEach((part) => part.preload())
}

function partsOf(pathname: string, signedIn: boolean): readonly Part[] {
  const has = ({ path }: { path: string }) => matchPath(path, pathname) !== null
  const open = PUBLIC_SCREENS.find(has)
  const own = MEMBERS_SCREENS.find(has)
  if (matchPath(paths.oauthConsent, pathname)) return [Data, ConsentScreen]
  if (matchPath(paths.signIn, pathname) && !signedIn) return [Data, SignInScreen]
  if (signedIn) return [Data, Shell, open?.Screen ?? own?.Screen ?? (UNBUILT.some(has) ? Unbuilt : HomeScreen)]
  if (open) return [Data, VisitorFrame, open.Screen]
  return own || UNBUILT.some(has) ? [Data, VisitorFrame, SignInToSee] : []
}
