import { shortDay } from '@/lib/format'
import { paths } from '@/lib/paths'
import { SCOPES, type Post, type PostingRights, type Scope, type Visibility } from '@/data/timeline/model'

export const parseScope = (text: string | null): Scope => SCOPES.find((scope) => scope === text) ?? 'all'

/** The address of one post. */
export const addressOf = ({ id }: Pick<Post, 'id'>) => `${paths.timeline}?post=${id}`

export const SCOPE_TITLES: Readonly<Record<Scope, string>> = {
  all: 'For you',
  following: 'Following',
  team: 'Team',
  mine: 'Mine',
}

/** What an empty list says, and what fills it. */
export const EMPTY: Readonly<Record<Scope, { title: string; text: string }>> = {
  all: { title: 'Nothing here yet', text: 'Follow players, or write the first post.' },
  following: { title: 'Nothing from those you follow', text: 'Their posts, milestones and results come here.' },
  team: { title: 'Nothing from your team', text: 'Posts to the team, final scores and milestones come here.' },
  mine: { title: 'You have not posted', text: 'Your posts and milestones come here.' },
}

/** Who reads a post, in words. */
export function audienceWords({ visibility, team_name }: Pick<Post, 'visibility' | 'team_name'>): string {
  if (visibility === 'team') return team_name ?? 'Team'
  return AUDIENCES[visibility]
}

const AUDIENCES: Readonly<Record<Exclude<Visibility, 'team'>, string>> = {
  self: 'Only me',
  followers: 'Followers',
  public: 'Public',
}

/** To whom the user may post: the value of the choice, and its words. */
export function audiences(rights: PostingRights): (readonly [string, string])[] {
  const teams = rights.teams.map(({ id, name }) => [`team:${id}`, name] as const)
  // Strangers may follow a minor whose profile is public, so the word must not sound like a circle of friends.
  const followers = ['followers', rights.files ? 'Followers' : 'Anyone who follows you'] as const
  const open: (readonly [string, string])[] = rights.under_13
    ? []
    : [...(rights.is_public ? [['public', 'Public'] as const] : []), followers]
  // A guardian also reads what a minor keeps for oneself.
  return [...open, ...teams, ['self', rights.files ? 'Only me' : 'Only me and my guardian']]
}

/** The columns of a chosen audience. */
export function audienceOf(choice: string): { visibility: Visibility; team_id: string | null } {
  if (choice.startsWith('team:')) return { visibility: 'team', team_id: choice.slice(5) }
  return { visibility: choice === 'public' || choice === 'followers' ? choice : 'self', team_id: null }
}

/** What a player has reached, as a sentence without the name. */
export function milestoneWords({ milestone, amount }: Pick<Post, 'milestone' | 'amount'>): string {
  switch (milestone) {
    case 'first_home_run':
      return 'hit a first home run'
    case 'home_runs':
      return `hit ${amount} home runs`
    case 'cycle':
      return 'hit for the cycle'
    case 'hits':
      return `had ${amount} hits`
    case 'rbi':
      return `drove in ${amount} runs`
    case 'first_win':
      return 'pitched a first win'
    case 'strikeouts':
      return `struck out ${amount}`
    case 'shutout':
      return 'pitched a shutout'
    default:
      return 'reached a milestone'
  }
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** "now", "5 min", "3 h", "2 d", then the day. */
export function ago(time: string, now: Date): string {
  const passed = now.getTime() - new Date(time).getTime()
  if (passed < MINUTE) return 'now'
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min`
  if (passed < DAY) return `${Math.floor(passed / HOUR)} h`
  if (passed < 7 * DAY) return `${Math.floor(passed / DAY)} d`
  return shortDay(time, now)
}

/** What the author of a hidden post reads; nothing about one that is shown. */
export function stateWords({ state, removal_reason }: { state: string; removal_reason: string | null }): string {
  if (state === 'held') return 'Reported by several users. Nobody else sees it until we have looked at it.'
  if (state === 'removed') return ['Removed by an admin.', removal_reason].filter(Boolean).join(' ')
  return ''
}
