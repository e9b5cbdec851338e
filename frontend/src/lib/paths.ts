/** Every address of the app, section 2 of the specification. */
export const paths = {
  home: '/',
  signIn: '/signin',
  player: '/player',
  coach: '/coach',
  scout: '/scout',
  admin: '/admin',
  collegeBound: '/college-bound',
  search: '/search',
  leaderboard: '/leaderboard',
  rankings: '/rankings',
  marketplace: '/marketplace',
  liveStream: '/live-stream',
  newsReel: '/news-reel',
  // Not in section 2: one article, for links and previews.
  articleById: '/news-reel/:id',
  followedPlayers: '/followed-players',
  referrals: '/referrals',
  timeline: '/timeline',
  teamCommunication: '/team-communication',
  playerProfile: '/player-profile',
  camps: '/camps',
  fields: '/fields',
  trainingGuides: '/training-guides',
  personalCoach: '/personal-coach',
  analytics: '/analytics',
  predictiveAnalytics: '/predictive-analytics',
  settings: '/settings',
  pricing: '/pricing',
  swingAnalysis: '/swing-analysis',
  swingShare: '/swing-share/:id',
  playerById: '/player/:id',
  // Not in section 2: a game for everybody who may watch it, and the scorebook of its coaches.
  gameById: '/games/:id',
  scoreGame: '/games/:id/score',
  privacyPolicy: '/privacy-policy',
  termsOfService: '/terms-of-service',
  resetPassword: '/reset-password',
  contact: '/contact',
  // Not in section 2: where the server's OAuth 2.1 part sends people whom another app wants to sign in.
  oauthConsent: '/oauth/consent',
} as const

export type Path = (typeof paths)[keyof typeof paths]

/** Matches the addresses of a path, as the router does it: in any case, and with or without a slash at the end. */
export const patternOf = (path: Path) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+').replace(/\/$/, '')}/*$`, 'i')

/** Whether an address is a screen's own: neither `/` nor unknown, which show the landing page to visitors. */
export function isScreen(pathname: string): boolean {
  return Object.values(paths).some((path) => path !== paths.home && patternOf(path).test(pathname))
}
