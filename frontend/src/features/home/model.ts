import { decimal, UNKNOWN } from '@/lib/format'
import { paths, type Path } from '@/lib/paths'
import { profilePath, type Role } from '@/lib/role'

/** "Good morning" until noon, and so on, by the hour of the reader's own clock. */
export function greeting(hour: number): string {
  if (hour < 5 || hour >= 18) return 'Good evening'
  return hour < 12 ? 'Good morning' : 'Good afternoon'
}

/** The first of somebody's names, or of the address where there is no name. An account by phone may have neither. */
export function firstName(fullName: string, email: string | null): string {
  return fullName.trim().split(/\s+/)[0] || email?.split('@')[0] || 'friend'
}

/** What makes a player's profile worth a look, in the order in which it is asked for. */
export const PROFILE_STEPS = ['facts', 'measurement', 'season', 'video'] as const
export type ProfileStep = (typeof PROFILE_STEPS)[number]

export const STEP_TEXTS: Record<ProfileStep, { title: string; text: string }> = {
  facts: { title: 'Say where you play', text: 'Your positions and your class: that is whom you are compared with.' },
  measurement: { title: 'Add your first number', text: 'A 60-yard dash, an exit velocity: your coach can verify it.' },
  season: { title: 'Enter your last season', text: 'At bat or on the mound, as the scorebook has it.' },
  video: { title: 'Link a video', text: 'One good at-bat says more than a paragraph.' },
}

/** Bars of percentiles that Home has room for. */
const BEST = 4

/** The highest percentiles; what has none, for want of players to compare, is left out. */
export function bestOf<Row extends { percentile: number | null }>(rows: readonly Row[]): Row[] {
  const placed = rows.filter(({ percentile }) => percentile !== null)
  return placed.sort((a, b) => (b.percentile ?? 0) - (a.percentile ?? 0)).slice(0, BEST)
}

type Measured = {
  value: number
  unit: string
  verified_at?: string | null
  measurement_kinds: { label: string; decimals: number } | null
}

/** `Exit velocity 84.2 mph, verified` */
export function measured({ value, unit, verified_at, measurement_kinds: kind }: Measured): string {
  const words = `${kind?.label ?? 'Measured'} ${decimal(value, kind?.decimals ?? 1)} ${unit}`
  return verified_at ? `${words}, verified` : words
}

const COMMITMENTS: Readonly<Record<string, string>> = { committed: 'Committed to', signed: 'Signed with' }

/** `Committed to Timber State University` */
export const committed = ({ status, program }: { status: string; program: string }) =>
  `${COMMITMENTS[status] ?? 'No longer committed to'} ${program}`

export type NewsItem = {
  id: string
  playerId: string
  name: string
  what: string
  /** The day it happened on, which may be long before it was entered; null where nobody said. */
  on: string | null
}

type NewsRow = { id: string; player_id: string; created_at: string; what: string; on: string | null }

/** The last entered first, without people whose names the reader may not see. */
export function newest(rows: readonly NewsRow[], names: ReadonlyMap<string, string>, limit: number): NewsItem[] {
  return [...rows]
    .sort((a, b) => b.created_at.localeCompare(a.created_at))
    .flatMap(({ id, player_id, what, on }) => {
      const name = names.get(player_id)
      return name ? [{ id, playerId: player_id, name, what, on }] : []
    })
    .slice(0, limit)
}

type NextStep = { title: string; text: string; to: Path }

const FOLLOWING: NextStep = { title: 'Following', text: 'Players you keep an eye on.', to: paths.followedPlayers }
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
