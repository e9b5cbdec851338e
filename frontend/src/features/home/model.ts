import { UNKNOWN } from '@/lib/format'
import { paths, type Path } from '@/lib/paths'
import { profilePath, type Role } from '@/lib/role'
import type { ProfileStep } from '@/data/home/feed'

/** "Good morning" until noon, and so on, by the hour of the reader's own clock. */
export function greeting(hour: number): string {
  if (hour < 5 || hour >= 18) return 'Good evening'
  return hour < 12 ? 'Good morning' : 'Good afternoon'
}

/** The first name, or the first part of the address if there is no name. An account by phone may have neither. */
export function firstName(fullName: string, email: string | null): string {
  return fullName.trim().split(/\s+/)[0] || email?.split('@')[0] || 'friend'
}

export const STEP_TEXTS: Record<ProfileStep, { title: string; text: string }> = {
  facts: { title: 'Say where you play', text: 'Your positions and your class: that is whom you are compared with.' },
  measurement: { title: 'Add your first number', text: 'A 60-yard dash, an exit velocity: your coach can verify it.' },
  season: { title: 'Enter your last season', text: 'At bat or on the mound, as the scorebook has it.' },
  video: { title: 'Link a video', text: 'One good at-bat says more than a paragraph.' },
}

type NextStep = { title: string; text: string; to: Path }

const FOLLOWING: NextStep = { title: 'Following', text: 'Players you keep an eye on.', to: paths.followedPlayers }
const TIMELINE: NextStep = { title: 'Timeline', text: 'Posts, results and milestones.', to: paths.timeline }
const TOKENS: NextStep = { title: 'Tokens', text: 'Your link, and what came of it.', to: paths.referrals }
const PROFILES: Record<Role, string> = {
  player: 'Your numbers, seasons and videos.',
  coach: 'Team, league and certifications.',
  scout: 'Organization, regions and verification.',
  fan: 'What others see of you.',
  admin: 'What others see of you.',
}
const ADMIN: NextStep = { title: 'Admin', text: 'Users, reports, messages and figures.', to: paths.admin }

/** What each role goes on to from Home. */
export const nextSteps = (role: Role): readonly NextStep[] => [
  ...(role === 'admin' ? [ADMIN] : []),
  { title: 'My Profile', text: PROFILES[role], to: profilePath(role) },
  TIMELINE,
  FOLLOWING,
  TOKENS,
  { title: 'Settings', text: 'Privacy, sign-in and your data.', to: paths.settings },
]

/** Whether a profile can be seen, in a word. */
export function visibilityWord(visibility: string | undefined): string {
  if (visibility === undefined) return UNKNOWN
  if (visibility === 'visible') return 'Public'
  return visibility === 'private' ? 'Private' : 'Hidden'
}
