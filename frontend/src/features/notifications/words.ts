import { isRecord } from '@/lib/is-record'
import type { Notification } from '@/features/notifications/model'

/** A notification as it arrives, and what it makes out of date. */
export type Received = { notification: Omit<Notification, 'read'>; outdated: readonly string[] }

type Words = { type?: Notification['type']; title: string; text: (details: Details) => string; outdated?: string[] }
type Details = { team?: string; label?: string; players?: number }

const PEOPLE = ['players', 'home']
const TEAMS = ['teams', 'minors', 'home']
const GUARDIANS = ['minors', 'home']

const team = (details: Details, unnamed: string) => details.team ?? unnamed
const ofTeam = ({ team }: Details) => (team ? ` of ${team}` : '')
const toTeam = ({ team }: Details) => (team ? ` to ${team}` : '')

/** By the kind that the database sends (migration notify_live). */
const WORDS: Record<string, Words> = {
  followed: { title: 'New follower', text: () => 'Somebody follows you now.' },
  measurement_verified: {
    type: 'success',
    title: 'Measurement verified',
    text: ({ label }) => (label ? `A coach has verified: ${label}.` : 'A coach has verified one of your numbers.'),
    outdated: PEOPLE,
  },
  coach_verified: {
    type: 'success',
    title: 'You are a verified coach',
    text: () => 'You can now invite players under 18 and verify their numbers.',
    outdated: PEOPLE,
  },
  scout_verified: {
    type: 'success',
    title: 'You are a verified scout',
    text: () => 'An admin has verified your account.',
    outdated: PEOPLE,
  },
  guardian_invited: {
    title: 'You are asked to be a guardian',
    text: () => 'The invitation waits on your Home.',
    outdated: GUARDIANS,
  },
  guardian_accepted: {
    type: 'success',
    title: 'Your guardian has accepted',
    text: () => 'A guardian now looks after your account.',
    outdated: GUARDIANS,
  },
  guardian_declined: {
    type: 'warning',
    title: 'Invitation declined',
    text: () => 'Somebody you asked to be your guardian said no.',
    outdated: GUARDIANS,
  },
  guardian_ended: {
    type: 'warning',
    title: 'Guardianship ended',
    text: () => 'Settings show who is left.',
    outdated: GUARDIANS,
  },
  team_invited: {
    title: 'Team invitation',
    text: (details) => `${team(details, 'A team')} invites you.`,
    outdated: TEAMS,
  },
  team_invited_ward: {
    title: 'Team invitation',
    text: (details) => `${team(details, 'A team')} invites you. Your guardian answers.`,
    outdated: TEAMS,
  },
  ward_invited: {
    title: 'Team invitation for your ward',
    text: (details) => `${team(details, 'A team')} waits for your answer.`,
    outdated: TEAMS,
  },
  ward_asked: {
    title: 'Your ward asks to join a team',
    text: (details) => `The request to ${team(details, 'the team')} waits for your approval.`,
    outdated: TEAMS,
  },
  member_asked: {
    title: 'Request to join',
    text: (details) => `Somebody asks to join ${team(details, 'your team')}.`,
    outdated: TEAMS,
  },
  member_joined: {
    type: 'success',
    title: 'New member',
    text: (details) => `Somebody has joined ${team(details, 'your team')}.`,
    outdated: TEAMS,
  },
  member_declined: {
    title: 'Invitation declined',
    text: (details) => `An invitation${toTeam(details)} was declined.`,
    outdated: TEAMS,
  },
  team_approved: {
    type: 'success',
    title: 'Your guardian has approved',
    text: (details) => `The coaches${ofTeam(details)} see your request now.`,
    outdated: TEAMS,
  },
  team_joined: {
    type: 'success',
    title: 'You are on the team',
    text: (details) => `You are a member of ${team(details, 'the team')} now.`,
    outdated: TEAMS,
  },
  team_declined: {
    title: 'Request declined',
    text: (details) => `Your request${toTeam(details)} was declined.`,
    outdated: TEAMS,
  },
  team_withdrawn: {
    title: 'Invitation closed',
    text: (details) => `The invitation${toTeam(details)} is no longer open.`,
    outdated: TEAMS,
  },
  team_removed: {
    title: 'No longer on the team',
    text: (details) => `You are no longer a member of ${team(details, 'the team')}.`,
    outdated: TEAMS,
  },
  search_matched: {
    title: 'New players in a saved search',
    text: ({ players = 1 }) => (players === 1 ? 'It found a new player.' : `It found ${players} new players.`),
    outdated: ['search'],
  },
  referred: {
    type: 'success',
    title: 'Your referral counts',
    text: () => 'Somebody has joined with your link.',
    outdated: ['referrals', 'home'],
  },
}

/** Words what the database has sent; null for what this version of the page does not know. */
export function worded(payload: unknown): Received | null {
  if (!isRecord(payload)) return null
  const { id, kind, at } = payload
  if (typeof id !== 'string' || typeof kind !== 'string' || !Object.hasOwn(WORDS, kind)) return null
  const words = WORDS[kind]
  if (!words) return null
  const text = (name: string) => (typeof payload[name] === 'string' ? payload[name] : undefined)
  const { type = 'info', title, outdated = [] } = words
  const timestamp = typeof at === 'number' ? at : Date.now()
  const description = words.text({
    team: text('team'),
    label: text('label'),
    players: typeof payload.players === 'number' ? payload.players : undefined,
  })
  return { notification: { id, type, title, description, timestamp }, outdated }
}
