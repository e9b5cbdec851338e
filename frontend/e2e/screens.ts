import { expect, type Page } from '@playwright/test'
import { paths } from '../src/lib/paths.ts'

/** Every screen as the seeded user whom it is made for: what look.spec.ts looks at and vitals.ts measures. */

const PLAYER = '/player/d0600000-0000-4000-8000-000000000007'
/** Nobody's: scoring.spec.ts looks at games with plays. */
const NO_GAME = '/games/00000000-0000-4000-8000-000000000000'

export type Screen = {
  path: string
  name?: string
  /** What has to be done on it first. */
  open?: (page: Page) => Promise<unknown>
}

const tab = (name: string) => (page: Page) => page.getByRole('tab', { name }).click()

export const VISITORS: Screen[] = [
  { path: '/' },
  { path: paths.signIn },
  { path: paths.signIn, name: 'sign-up', open: tab('Sign Up') },
  { path: paths.signIn, name: 'coach-registration', open: registerCoach },
  { path: paths.pricing },
  { path: paths.contact },
  { path: paths.privacyPolicy },
  { path: paths.termsOfService },
  { path: paths.resetPassword },
  { path: paths.rankings },
  { path: PLAYER, name: 'public-player' },
  { path: NO_GAME, name: 'no-game' },
  { path: paths.newsReel },
  { path: '/news-reel/00000000-0000-4000-8000-000000000000', name: 'no-article' },
  { path: '/swing-share/1' },
  { path: '/oauth/consent?authorization_id=1' },
]

export const SCREENS: Record<string, Screen[]> = {
  player: [
    { path: '/' },
    { path: paths.player },
    { path: paths.playerProfile },
    { path: paths.followedPlayers },
    { path: paths.referrals },
    { path: paths.settings },
    { path: paths.pricing },
    { path: '/', name: 'drawer', open: (page) => page.getByRole('button', { name: 'Open menu' }).click() },
    { path: '/', name: 'notifications', open: (page) => page.getByRole('button', { name: /^Notifications/ }).click() },
    { path: '/', name: 'logout', open: askToLogOut },
    { path: `${paths.search}?q=mat&class=2027&class=2028` },
    { path: paths.leaderboard },
    { path: paths.rankings },
    { path: paths.collegeBound },
    { path: `${paths.collegeBound}?tab=programs&division=1`, name: 'college-programs' },
    { path: `${paths.collegeBound}?tab=tasks`, name: 'college-tasks' },
    { path: paths.timeline },
    { path: '/', name: 'palette', open: openPalette },
    { path: paths.analytics },
  ],
  coach: [
    { path: '/' },
    { path: paths.coach },
    { path: paths.newsReel, name: 'newsroom' },
    { path: paths.teamCommunication },
    { path: `${NO_GAME}/score`, name: 'no-scorebook' },
    { path: PLAYER },
  ],
  scout: [{ path: '/' }, { path: paths.scout }, { path: PLAYER }, { path: paths.followedPlayers }],
  fan: [{ path: '/' }, { path: paths.player }, { path: paths.admin }],
  guardian: [{ path: '/' }],
  suspended: [{ path: '/' }],
  admin: [
    { path: '/' },
    { path: paths.admin },
    { path: paths.admin, name: 'users', open: tab('Users') },
    { path: paths.admin, name: 'reports', open: tab('Reports') },
    { path: paths.admin, name: 'messages', open: tab('Messages') },
    { path: paths.admin, name: 'audit-log', open: tab('Audit log') },
  ],
}

async function registerCoach(page: Page) {
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByLabel('Role').selectOption('coach')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.getByRole('button', { name: 'Register as Coach' }).click()
  await expect(page.getByText('Team name is required.')).toBeVisible()
}

async function askToLogOut(page: Page) {
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
}

async function openPalette(page: Page) {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill('mat')
  await expect(page.getByRole('option').first()).toBeVisible()
}
