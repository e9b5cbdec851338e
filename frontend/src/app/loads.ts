import { loadPart } from '@/lib/arrived'
import { needsSecondFactor } from '@/lib/assurance'
import { paths, patternOf, type Path } from '@/lib/paths'
import type { Prefetch, Visit } from '@/lib/prefetch'
import { storedSession } from '@/lib/stored-session'

/*
 * How the parts of the app are loaded. Nothing here imports React, so that src/start.ts can request what an address needs
 * while React itself is still being loaded.
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
export const game = () => import('@/features/games/routes/game')
export const scoreGame = () => import('@/features/games/routes/score')
export const team = () => import('@/app/team')
export const player = () => import('@/app/player')
export const coach = () => import('@/app/coach')
export const scout = () => import('@/app/scout')
export const admin = () => import('@/features/admin/routes/admin')
export const settings = () => import('@/app/settings')
export const referrals = () => import('@/features/referrals/routes/referrals')
export const followedPlayers = () => import('@/features/players/routes/followed-players')
export const leaderboard = () => import('@/features/leaderboard/routes/leaderboard')
export const collegeBound = () => import('@/features/college/routes/college-bound')
export const rankings = () => import('@/features/rankings/routes/rankings')
export const timeline = () => import('@/features/timeline/routes/timeline')
export const newsroom = () => import('@/features/newsroom/routes/newsroom')
export const article = () => import('@/features/newsroom/routes/article')
export const search = () => import('@/features/search/routes/search')
export const pricing = () => import('@/features/pricing/routes/pricing')
export const contact = () => import('@/features/contact/routes/contact')
export const privacyPolicy = () => import('@/features/legal/routes/privacy-policy')
export const termsOfService = () => import('@/features/legal/routes/terms-of-service')
export const resetPassword = () => import('@/features/auth/routes/reset-password')

type Load = () => Promise<{ default: unknown; prefetch?: Prefetch }>
type Loads = Partial<Record<Path, Load>>

const FOR_EVERYBODY: Loads = {
  [paths.pricing]: pricing,
  [paths.contact]: contact,
  [paths.privacyPolicy]: privacyPolicy,
  [paths.termsOfService]: termsOfService,
  [paths.resetPassword]: resetPassword,
  [paths.playerById]: player,
  [paths.gameById]: game,
  [paths.newsReel]: newsroom,
  [paths.articleById]: article,
}

const FOR_MEMBERS: Loads = {
  [paths.home]: home,
  [paths.player]: player,
  [paths.scoreGame]: scoreGame,
  [paths.teamCommunication]: team,
  [paths.playerProfile]: player,
  [paths.coach]: coach,
  [paths.scout]: scout,
  [paths.admin]: admin,
  [paths.settings]: settings,
  [paths.referrals]: referrals,
  [paths.followedPlayers]: followedPlayers,
  [paths.search]: search,
  [paths.leaderboard]: leaderboard,
  [paths.rankings]: rankings,
  [paths.collegeBound]: collegeBound,
  [paths.timeline]: timeline,
}

/** Milliseconds for which the first rendering waits for the parts it needs; then it shows a spinner instead. */
const PATIENCE = 500

let preloaded: Promise<unknown> = Promise.resolve()

/**
 * Starts to load all parts that an address needs, and their first queries. Otherwise each part would be requested only when
 * the one around it is rendered.
 */
export function preload(pathname: string) {
  const session = storedSession()
  const visit = { pathname, userId: session?.user.id }
  // Without the second factor the server refuses all queries.
  const early = needsSecondFactor(session) ? null : visit
  // A failure is reported when the part is rendered.
  preloaded = Promise.allSettled(loadsOf(pathname, session !== null).map((load) => begin(load, early)))
}

async function begin(load: Load, visit: Visit | null) {
  const [{ prefetchFor }, part] = await Promise.all([loadPart(data), loadPart(load)])
  if (visit) prefetchFor(part, visit)
}

/** Resolves when the parts that `preload` loads have arrived, or after `PATIENCE`. */
export async function whenPreloaded(): Promise<void> {
  await Promise.race([preloaded, new Promise((done) => setTimeout(done, PATIENCE))])
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

/** The screen that signed-in users see at a path; unknown paths show Home. */
function membersScreen(path: Path | undefined): Load {
  if (!path || path === paths.signIn) return home
  return FOR_MEMBERS[path] ?? unbuilt
}
