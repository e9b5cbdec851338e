import type { Database } from '@/types/database'

/** Below this age nobody sees a profile, and nothing is added to it, without a guardian. */
export const GUARDIAN_AGE = 13
/** From this age on nobody is anybody's ward. */
export const ADULT_AGE = 18

/** Full years on a day, counted in UTC as the database counts them. Born on 29 February, one is older on 1 March. */
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

type WardRow = Database['public']['Functions']['my_wards']['Returns'][number]

/** A minor in the user's care. Who was accepted before answering the birth date has none yet, and no end of it. */
export type Ward = Omit<WardRow, 'birth_date' | 'until'> & { birth_date: string | null; until: string | null }
