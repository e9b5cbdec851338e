import { lazyScreen, type LazyScreen } from '@/lib/lazy-screen'
import { paths, type Path } from '@/lib/paths'

const PlayerScreen = lazyScreen(() => import('@/app/player'))

type Screen = { path: Path; title: string; Screen: LazyScreen }

/** Screens that visitors may see, too. */
export const PUBLIC_SCREENS: readonly Screen[] = [
  { path: paths.pricing, title: 'Pricing', Screen: lazyScreen(() => import('@/features/pricing/routes/pricing')) },
  { path: paths.contact, title: 'Contact Us', Screen: lazyScreen(() => import('@/features/contact/routes/contact')) },
  {
    path: paths.privacyPolicy,
    title: 'Privacy Policy',
    Screen: lazyScreen(() => import('@/features/legal/routes/privacy-policy')),
  },
  {
    path: paths.termsOfService,
    title: 'Terms of Service',
    Screen: lazyScreen(() => import('@/features/legal/routes/terms-of-service')),
  },
  {
    path: paths.resetPassword,
    title: 'Reset Password',
    Screen: lazyScreen(() => import('@/features/auth/routes/reset-password')),
  },
  { path: paths.playerById, title: 'Player Profile', Screen: PlayerScreen },
]

/** Screens for users. */
export const MEMBERS_SCREENS: readonly Screen[] = [
  { path: paths.settings, title: 'Settings', Screen: lazyScreen(() => import('@/app/settings')) },
  { path: paths.referrals, title: 'Tokens', Screen: lazyScreen(() => import('@/features/referrals/routes/referrals')) },
  { path: paths.player, title: 'Player Profile', Screen: PlayerScreen },
  { path: paths.playerProfile, title: 'Player Profile', Screen: PlayerScreen },
  { path: paths.coach, title: 'Coach Profile', Screen: lazyScreen(() => import('@/app/coach')) },
  { path: paths.scout, title: 'Scout Profile', Screen: lazyScreen(() => import('@/app/scout')) },
  {
    path: paths.followedPlayers,
    title: 'Following',
    Screen: lazyScreen(() => import('@/features/players/routes/followed-players')),
  },
  { path: paths.admin, title: 'Admin', Screen: lazyScreen(() => import('@/features/admin/routes/admin')) },
]
