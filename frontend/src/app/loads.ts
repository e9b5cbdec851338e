import { paths, patternOf, type Path } from '@/lib/paths'
import { hasStoredSession } from '@/lib/stored-session'

/*
 * How the parts of the app are loaded. Nothing here needs React, so that src/start.ts can ask for what an address needs
 * while React itself is still on its way.
 */

export const data = () => import('@/app/data')
export const shell = () => import('@/app/shell/shell')
export const visitorFrame = () => import('@/app/visitor-frame')
export const signInToSee = () => import('@/app/sign-in-to-see')
export const unbuilt = () => import('@/app/unbuilt')
export const home = () => import('@/app/home')
export const consent = () => import('@/features/auth/routes/consent')
export const secondFactor = () => import('@/features/auth/routes/second-factor')
export const signIn = () => import('@/features/auth/routes/sign-in')
export const player = () => import('@/app/player')
export const coach = () => import('@/app/coach')
export const scout = () => import('@/app/scout')
export const admin = () => import('@/features/admin/routes/admin')
export const settings = () => import('@/app/settings')
export const referrals = () => import('@/features/referrals/routes/referrals')
export const followedPlayers = () => import('@/features/players/routes/followed-players')
export const pricing = () => import('@/features/pricing/routes/pricing')
export const contact = () => import('@/features/contact/routes/contact')
export const privacyPolicy = () => import('@/features/legal/routes/privacy-policy')
export const termsOfService = () => import('@/features/legal/routes/terms-of-service')
export const resetPassword = () => import('@/features/auth/routes/reset-password')

type Load = () => Promise<unknown>
type Loads = Partial<Record<Path, Load>>

const FOR_EVERYBODY: Loads = {
  [paths.pricing]: pricing,
  [paths.contact]: contact,
  [paths.privacyPolicy]: privacyPolicy,
  [paths.termsOfService]: termsOfService,
  [paths.resetPassword]: resetPassword,
  [paths.playerById]: player,
}

const FOR_MEMBERS: Loads = {
  [paths.home]: home,
  [paths.player]: player,
  [paths.playerProfile]: player,
  [paths.coach]: coach,
  [paths.scout]: scout,
  [paths.admin]: admin,
  [paths.settings]: settings,
  [paths.referrals]: referrals,
  [paths.followedPlayers]: followedPlayers,
}

/** Begins to load everything that an address will need: otherwise each part would wait for the one that asks for it. */
export function preload(pathname: string) {
  // Only fills the browser's cache of modules; drawing a part reports what goes wrong.
  loadsOf(pathname, hasStoredSession()).forEach((load) => void load().catch(() => undefined))
}

function loadsOf(pathname: string, signedIn: boolean): readonly Load[] {
  const path = Object.values(paths).find((path) => patternOf(path).test(pathname))
  const open = path && FOR_EVERYBODY[path]
  if (path === paths.oauthConsent) return [data, consent]
  if (path === paths.swingShare) return [unbuilt]
  if (path === paths.signIn && !signedIn) return [data, signIn]
  if (signedIn) return [data, shell, open ?? membersScreen(path)]
  if (open) return [data, visitorFrame, open]
  return path && path !== paths.home ? [data, visitorFrame, signInToSee] : []
}

/** What stands at an address for users; an unknown one is Home. */
function membersScreen(path: Path | undefined): Load {
  if (!path || path === paths.signIn) return home
  return FOR_MEMBERS[path] ?? unbuilt
}
