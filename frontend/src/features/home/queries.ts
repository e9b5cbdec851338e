import { queryOptions } from '@tanstack/react-query'
import { supabase, unwrap } from '@/lib/supabase'

/** The signed-in user's own row. */
export const ownAccountQuery = (userId: string) =>
  queryOptions({
    queryKey: ['home', 'account', userId],
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('users')
          .select('full_name, email, referral_tokens, public_profile, created_at')
          .eq('id', userId)
          .abortSignal(signal)
          .single(),
      ),
  })

/** Whether the user has said the birth date. */
export const birthDateQuery = (userId: string) =>
  queryOptions({
    queryKey: ['home', 'birth-date', userId],
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase.from('birth_dates').select('birth_date').eq('user_id', userId).abortSignal(signal).maybeSingle(),
      ),
  })

/** Why others see the profile or not. */
export const visibilityQuery = (userId: string) =>
  queryOptions({
    queryKey: ['home', 'visibility', userId],
    queryFn: async ({ signal }) => unwrap(await supabase.rpc('profile_visibility').abortSignal(signal)),
  })

/** The suspension that holds now, if there is one. */
export const suspensionQuery = (userId: string) =>
  queryOptions({
    queryKey: ['home', 'suspension', userId],
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('suspensions')
          .select('reason, suspended_at')
          .eq('user_id', userId)
          .is('lifted_at', null)
          .abortSignal(signal)
          .maybeSingle(),
      ),
  })

/** Those who ask the user to be their guardian. */
export const invitationsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['home', 'invitations', userId],
    queryFn: async ({ signal }) => unwrap(await supabase.rpc('my_invitations').abortSignal(signal)),
  })

/** The minors whom the user is a guardian of. */
export const wardsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['home', 'wards', userId],
    queryFn: async ({ signal }) => unwrap(await supabase.rpc('my_wards').abortSignal(signal)),
  })
