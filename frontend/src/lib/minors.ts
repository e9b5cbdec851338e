import { queryOptions } from '@tanstack/react-query'
import { supabase, unwrap } from '@/lib/supabase'
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

/** The own birth date; null while it is not answered. */
export const birthDateQuery = (userId: string) =>
  queryOptions({
    queryKey: ['minors', 'birth-date', userId],
    queryFn: async ({ signal }) => {
      const rows = supabase.from('birth_dates').select('birth_date').eq('user_id', userId)
      return unwrap(await rows.abortSignal(signal).maybeSingle())?.birth_date ?? null
    },
  })

/** Whether a guardian decides for the user. */
export const inCareQuery = (userId: string) =>
  queryOptions({
    queryKey: ['minors', 'in-care', userId],
    queryFn: async ({ signal }) => {
      const [birthDate, guardians] = await Promise.all([
        supabase.from('birth_dates').select('birth_date').eq('user_id', userId).abortSignal(signal).maybeSingle(),
        supabase
          .from('guardianships')
          .select('id')
          .eq('ward_id', userId)
          .eq('status', 'accepted')
          .limit(1)
          .abortSignal(signal),
      ])
      const born = unwrap(birthDate)?.birth_date
      return unwrap(guardians).length > 0 && (!born || ageOn(born) < ADULT_AGE)
    },
  })

/** Why others see the profile or not: a key of `VISIBILITY`. */
export const visibilityQuery = (userId: string) =>
  queryOptions({
    queryKey: ['minors', 'visibility', userId],
    queryFn: async ({ signal }) => unwrap(await supabase.rpc('profile_visibility').abortSignal(signal)),
  })

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

/** The minors whom the user is a guardian of. */
export const wardsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['minors', 'wards', userId],
    queryFn: async ({ signal }): Promise<Ward[]> => unwrap(await supabase.rpc('my_wards').abortSignal(signal)),
  })

type WardRow = Database['public']['Functions']['my_wards']['Returns'][number]

/** A minor in the user's care. Who was accepted before answering the birth date has none yet, and no end of it. */
export type Ward = Omit<WardRow, 'birth_date' | 'until'> & { birth_date: string | null; until: string | null }
