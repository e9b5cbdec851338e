/** What users are notified about, and how. */
export const TOPICS = {
  verification: 'Measurements verified',
  follows: 'New followers',
  team: 'Team and schedule',
  recruiting: 'Recruiting',
  referrals: 'Referrals and tokens',
  news: 'News',
  security: 'Security of your account',
} as const
/** Cannot be switched off, so that nobody can take an account over unnoticed. */
export const ALWAYS_ON: Topic = 'security'
export const CHANNELS = { app: 'In the app', email: 'By e-mail' } as const
export type Topic = keyof typeof TOPICS
export type Channel = keyof typeof CHANNELS

/** The notifications that exist. The others are still to come. */
export const SENT: Record<Channel, readonly Topic[]> = {
  app: ['verification', 'follows', 'team', 'recruiting', 'referrals', 'security'],
  email: ['recruiting'],
}

export const preferenceKey = (topic: string, channel: string) => `${topic} ${channel}`
