import { day } from '@/lib/format'
import { mailto } from '@/lib/mailto'
import { ADULT_AGE, ageOn, GUARDIAN_AGE, type Ward } from '@/lib/minors'
import type { Database } from '@/types/database'

export type Guardianship = Pick<
  Database['public']['Tables']['guardianships']['Row'],
  'id' | 'guardian_id' | 'invited_email' | 'status' | 'invited_at' | 'answered_at' | 'ended_at'
>

/** What became of an invitation, in words; null of what is of no more interest: withdrawn before anybody answered. */
export function guardianshipState(guardianship: Guardianship): string | null {
  const { status, guardian_id, invited_at, answered_at, ended_at } = guardianship
  switch (status) {
    case 'invited':
      return `Invited ${day(invited_at)}, not answered yet`
    case 'accepted':
      return `Your guardian since ${day(answered_at)}`
    case 'declined':
      return `Declined ${day(answered_at)}`
    default:
      return guardian_id ? `Your guardian until ${day(ended_at)}` : null
  }
}

/** The latest of each address, as long as it says something. */
export function currentGuardianships(rows: readonly Guardianship[]): (Guardianship & { state: string })[] {
  const latest = new Map<string, Guardianship>()
  for (const row of [...rows].sort((a, b) => a.invited_at.localeCompare(b.invited_at))) {
    latest.set(row.invited_email, row)
  }
  return [...latest.values()].flatMap((row) => {
    const state = guardianshipState(row)
    return state ? [{ ...row, state }] : []
  })
}

/** What the invited guardian should know. */
export const invitationText = (address: string, origin: string) =>
  `I play on Dugout and need a parent or guardian to accept my account. Please sign up at ${origin}/signin with ` +
  `${address}, open the link that is mailed to you, and answer on Home.`

/** A letter of one's own mail program. */
export const invitationLetter = (address: string, origin: string) =>
  mailto(address, 'Be my guardian on Dugout', invitationText(address, origin))

/** Whom a guardian lets open the page of a child under 13, besides the family and the verified coaches of the team. */
export const AUDIENCES = {
  family: 'Nobody else',
  team: 'Team mates and their families',
  verified: 'Also verified coaches and scouts with the link',
} as const

/** Whether the ward is too young for any public list. */
export const isChild = ({ birth_date }: Pick<Ward, 'birth_date'>) =>
  birth_date === null || ageOn(birth_date) < GUARDIAN_AGE

type Shown = Pick<Ward, 'shown' | 'suspended' | 'hides_profile' | 'public_profile' | 'birth_date' | 'audience'>

/** Who sees a ward's profile, and by whose will. */
export function wardVisibility(ward: Shown): string {
  const { shown, suspended, hides_profile, public_profile } = ward
  if (suspended) return 'The account is suspended: you can read it, and nothing of it can be changed.'
  if (isChild(ward)) return childVisibility(ward)
  if (shown) return 'Everybody can see the profile.'
  if (hides_profile) return 'You have hidden the profile from others.'
  return public_profile ? 'Another guardian has hidden the profile.' : 'The profile is private.'
}

/** Under 13 a profile is in no public list, and only people whom every guardian allows can open it. */
function childVisibility({ shown, hides_profile, audience }: Shown): string {
  if (hides_profile) return 'You have hidden the profile from others.'
  if (audience === 'family') return 'Only the family and verified coaches of the team can open the profile.'
  if (!shown) return 'Another guardian has hidden the profile, or allows only the family.'
  return audience === 'verified'
    ? 'The team and its families see the profile. Verified coaches and scouts can open it if they have its link, but do not ' +
        'find it in any list, feed or search.'
    : 'The team and its families see the profile. It is in no public list, feed or search.'
}

/** The consequences of ending a guardianship, shown before it is ended. */
export function afterRevoking(ward: Pick<Ward, 'birth_date' | 'full_name' | 'guardians' | 'hides_profile'>): string {
  const { birth_date, full_name: name, guardians, hides_profile } = ward
  if (guardians > 1) return `You no longer see or decide anything for ${name}. Another guardian stays.`
  if (birth_date && ageOn(birth_date) < GUARDIAN_AGE) {
    return (
      `${name} is under ${GUARDIAN_AGE}: without a guardian nobody else sees the profile, and nothing can be added to ` +
      `it, until somebody accepts a new invitation.`
    )
  }
  const profile = hides_profile ? `The profile stays hidden until ${name} shows it.` : 'The profile stays as it is.'
  return `You no longer see or decide anything for ${name}. ${profile}`
}

/** Whether a person born on that day is an adult. */
export const isAdult = (birthDate: string) => /^\d{4}-\d{2}-\d{2}$/.test(birthDate) && ageOn(birthDate) >= ADULT_AGE

/** `Mia Vance` as a file's name: `mia-vance`. */
export const fileName = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '') || 'ward'
