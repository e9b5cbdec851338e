import { MOST_CHANGES, type HomeGame, type NumberChange } from '@/data/home/games'
import type { ProfileStep } from '@/data/home/feed'
import type { HomeAnswer } from '@/data/home/queries'
import type { Role } from '@/lib/role'
import { changeWords, localDay, nextOf } from '@/features/home/games'

/** "Saturday, May 16", by the reader's own clock. */
export const today = (now: Date, locale = 'en-US') =>
  now.toLocaleDateString(locale, { weekday: 'long', month: 'long', day: 'numeric' })

/** The first name, or the first part of the address if there is no name. An account by phone may have neither. */
export function firstName(fullName: string, email: string | null): string {
  return fullName.trim().split(/\s+/)[0] || email?.split('@')[0] || 'friend'
}

type Facts = Pick<HomeAnswer, 'account' | 'tasks' | 'player' | 'coach' | 'listed' | 'totals'> & {
  games: readonly HomeGame[]
}

/** The headline: the most important news of the day and the user's name ("Game day, Mateo"). Without news, the name alone. */
export function answerOf(role: Role, facts: Facts, now: Date): string {
  const { account } = facts
  const name = firstName(account?.full_name ?? '', account?.email ?? null)
  const answer = ANSWERS[role](facts, now) || begins(facts)
  return answer ? `${answer}, ${name}` : name
}

const ANSWERS: Record<Role, (facts: Facts, now: Date) => string> = {
  player: (facts, now) => gameWords(facts, now) || bestChange(facts),
  coach: (facts, now) => [gameWords(facts, now), waitingWords(facts)].filter(Boolean).join(', '),
  scout: ({ listed = [] }) => {
    const moved = new Set(listed.filter(hasMoved).map(({ player_id }) => player_id)).size
    if (moved === 0) return ''
    return listed.length < MOST_CHANGES ? `${moved} of your players moved` : 'Players on your lists moved'
  },
  fan: ({ games }) => {
    const live = games.filter(({ status }) => status === 'live').length
    return live > 0 ? counted(live, 'live game') : ''
  },
  admin: ({ totals }) => (totals?.open_reports ? counted(totals.open_reports, 'open report') : ''),
}

/** "Game on" while it is played, "Game day", "Game on Saturday" within a week. */
function gameWords({ games }: Facts, now: Date): string {
  const next = nextOf(games, now)
  if (!next) return ''
  if (next.status === 'live') return 'Game on'
  const days = (Date.parse(next.played_on) - Date.parse(localDay(now))) / 86_400_000
  if (days === 0) return 'Game day'
  if (days >= 7) return ''
  const weekday = new Date(next.played_on).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' })
  return `Game on ${weekday}`
}

/** "Exit velocity up 1.8 mph" */
function bestChange({ player }: Facts): string {
  const change = player?.changes.find(hasMoved)
  return change ? `${change.label} ${changeWords(change)} ${change.unit}`.trimEnd() : ''
}

/** Not a first measurement, nor one that equals the one before. */
const hasMoved = ({ was, now }: NumberChange) => was !== null && was !== now

function waitingWords({ coach }: Facts): string {
  const waiting = coach?.waiting ?? 0
  return waiting > 0 ? counted(waiting, 'request') + (waiting === 1 ? ' waits' : ' wait') : ''
}

/** "3 steps to begin", for new users. */
function begins({ tasks = [] }: Facts): string {
  const open = tasks.filter(({ done }) => !done).length
  return open > 0 ? `${counted(open, 'step')} to begin` : ''
}

const counted = (number: number, thing: string) => `${number} ${thing}${number === 1 ? '' : 's'}`

export const STEP_TEXTS: Record<ProfileStep, { title: string; text: string }> = {
  facts: { title: 'Say where you play', text: 'Your positions and your class: that is whom you are compared with.' },
  measurement: { title: 'Add your first number', text: 'A 60-yard dash, an exit velocity: your coach can verify it.' },
  season: { title: 'Enter your last season', text: 'At bat or on the mound, as the scorebook has it.' },
  video: { title: 'Link a video', text: 'One good at-bat says more than a paragraph.' },
}
