import type { Database } from '@/types/database'

/** Below this age a profile without a guardian is hidden and cannot be edited. */
export const GUARDIAN_AGE = 13
/** Guardianships end at this age. */
export const ADULT_AGE = 18

/** Full years on a day in UTC, as in the database. A birthday on 29 February counts from 1 March. */
export function ageOn(birthDate: string, today: Date = new Date()): number {
  const day = today.toISOString().slice(0, 10)
  const years = Number(day.slice(0, 4)) - Number(birthDate.slice(0, 4))
  return day.slice(5) < birthDate.slice(5) ? years - 1 : years
}

/** What `profile_visibility()` says, in words. */
export const VISIBILITY: Readonly<Record<string, string>> = {
  visible: 'Everybody can see your profile.',
  private: 'Only you, your guardians and the coaches of your team can see your profile.',
  birth_date_missing: 'Nobody else sees your profile until you have given your birth date: see the card on Home.',
  guardian_missing: 'Nobody else sees your profile until a parent or guardian has accepted your account.',
  guardian_decides: 'Your guardian decides who can open your profile. It is in no public list.',
  hidden_by_guardian: 'A guardian has hidden your profile.',
  suspended: 'Your account is suspended, so nobody else sees your profile.',
}

/** The visibility in one word; empty while it is unknown. */
export function visibilityWord(visibility: string | undefined): string {
  if (visibility === undefined) return ''
  if (visibility === 'visible') return 'Public'
  return visibility === 'private' ? 'Private' : 'Hidden'
}

type WardRow = Database['public']['Functions']['my_wards']['Returns'][number]

/** A minor in the user's care. Who was accepted before answering the birth date has none yet, and no end of it. */
export type Ward = Omit<WardRow, 'birth_date' | 'until'> & { birth_date: string | null; until: string | null }
