import { queryOptions, useQuery } from '@tanstack/react-query'
import { ADULT_AGE, ageOn, type Ward } from '@/lib/minors'
import { supabase, unwrap } from '@/lib/supabase'

/** The user's birth date; null until it is entered. */
export const birthDateQuery = (userId: string) =>
  queryOptions({
    queryKey: ['minors', 'birth-date', userId],
    queryFn: async ({ signal }) => {
      const rows = supabase.from('birth_dates').select('birth_date').eq('user_id', userId)
      return unwrap(await rows.abortSignal(signal).maybeSingle())?.birth_date ?? null
    },
  })

/** Whether the user is in a guardian's care. */
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

/** The user's wards. */
export const wardsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['minors', 'wards', userId],
    queryFn: async ({ signal }): Promise<Ward[]> => unwrap(await supabase.rpc('my_wards').abortSignal(signal)),
  })

/** Whether the user is a person's guardian who may act now: nobody acts for a suspended minor. */
export function useIsGuardianOf(userId: string, person: string | null): boolean {
  const { data: wards = [] } = useQuery(wardsQuery(userId))
  return wards.some(({ ward_id, suspended }) => ward_id === person && !suspended)
}
