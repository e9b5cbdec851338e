import { lazyScreen, type LazyScreen } from '@/lib/lazy-screen'
import { paths, type Path } from '@/lib/paths'
import * as loads from '@/app/loads'

const PlayerScreen = lazyScreen(loads.player)

type Screen = { path: Path; title: string; Screen: LazyScreen }

/** Screens that visitors may see, too. */
export const PUBLIC_SCREENS: readonly Screen[] = [
  { path: paths.pricing, title: 'Pricing', Screen: lazyScreen(loads.pricing) },
  { path: paths.contact, title: 'Contact Us', Screen: lazyScreen(loads.contact) },
  { path: paths.privacyPolicy, title: 'Privacy Policy', Screen: lazyScreen(loads.privacyPolicy) },
  { path: paths.termsOfService, title: 'Terms of Service', Screen: lazyScreen(loads.termsOfService) },
  { path: paths.resetPassword, title: 'Reset Password', Screen: lazyScreen(loads.resetPassword) },
  { path: paths.playerById, title: 'Player Profile', Screen: PlayerScreen },
  { path: paths.gameById, title: 'Game', Screen: lazyScreen(loads.game) },
  { path: paths.newsReel, title: 'Newsroom', Screen: lazyScreen(loads.newsroom) },
  { path: paths.articleById, title: 'Newsroom', Screen: lazyScreen(loads.article) },
]

/** Screens for users. */
export const MEMBERS_SCREENS: readonly Screen[] = [
  { path: paths.settings, title: 'Settings', Screen: lazyScreen(loads.settings) },
  { path: paths.referrals, title: 'Tokens', Screen: lazyScreen(loads.referrals) },
  { path: paths.player, title: 'Player Profile', Screen: PlayerScreen },
  { path: paths.playerProfile, title: 'Player Profile', Screen: PlayerScreen },
  { path: paths.teamCommunication, title: 'Communication Hub', Screen: lazyScreen(loads.team) },
  { path: paths.scoreGame, title: 'Scorebook', Screen: lazyScreen(loads.scoreGame) },
  { path: paths.coach, title: 'Coach Profile', Screen: lazyScreen(loads.coach) },
  { path: paths.scout, title: 'Scout Profile', Screen: lazyScreen(loads.scout) },
  { path: paths.followedPlayers, title: 'Following', Screen: lazyScreen(loads.followedPlayers) },
  { path: paths.search, title: 'Search', Screen: lazyScreen(loads.search) },
  { path: paths.leaderboard, title: 'Leaderboard', Screen: lazyScreen(loads.leaderboard) },
  { path: paths.collegeBound, title: 'College Bound', Screen: lazyScreen(loads.collegeBound) },
  { path: paths.rankings, title: 'Rankings', Screen: lazyScreen(loads.rankings) },
  { path: paths.timeline, title: 'Timeline', Screen: lazyScreen(loads.timeline) },
  { path: paths.admin, title: 'Admin', Screen: lazyScreen(loads.admin) },
]
