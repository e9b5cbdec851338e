import { lazy, type ComponentType } from 'react'
import { paths, type Path } from '@/lib/paths'

const PlayerScreen = lazy(() => import('@/app/player'))

type Screen = { path: Path; title: string; Screen: ComponentType }

/** Screens that visitors may see, too. */
export const PUBLIC_SCREENS: readonly Screen[] = [
  { path: paths.pricing, title: 'Pricing', Screen: lazy(() => import('@/features/pricing/routes/pricing')) },
  { path: paths.contact, title: 'Contact Us', Screen: lazy(() => import('@/features/contact/routes/contact')) },
  {
    path: paths.privacyPolicy,
    title: 'Privacy Policy',
    Screen: lazy(() => import('@/features/legal/routes/privacy-policy')),
  },
  {
    path: paths.termsOfService,
    title: 'Terms of Service',
    Screen: lazy(() => import('@/features/legal/routes/terms-of-service')),
  },
  {
    path: paths.resetPassword,
    title: 'Reset Password',
    Screen: lazy(() => import('@/features/auth/routes/reset-password')),
  },
  { path: paths.playerById, title: 'Player Profile', Screen: PlayerScreen },
]

/** Screens for users. */
export const MEMBERS_SCREENS: readonly Screen[] = [
  { path: paths.settings, title: 'Settings', Screen: lazy(() => import('@/app/settings')) },
  { path: paths.referrals, title: 'Tokens', Screen: lazy(() => import('@/features/referrals/routes/referrals')) },
  { path: paths.player, title: 'Player Profile', Screen: PlayerScreen },
  { path: paths.playerProfile, title: 'Player Profile', Screen: PlayerScreen },
  { path: paths.coach, title: 'Coach Profile', Screen: lazy(() => import('@/app/coach')) },
  { path: paths.scout, title: 'Scout Profile', Screen: lazy(() => import('@/app/scout')) },
  {
    path: paths.followedPlayers,
    title: 'Following',
    Screen: lazy(() => import('@/features/players/routes/followed-players')),
  },
  { path: paths.admin, title: 'Admin', Screen: lazy(() => import('@/features/admin/routes/admin')) },
]
