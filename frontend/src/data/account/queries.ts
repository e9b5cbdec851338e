import { queryOptions } from '@tanstack/react-query'
import { preferenceKey } from '@/data/account/model'
import { codeOf } from '@/lib/errors'
import { supabase, unwrap } from '@/lib/supabase'

/** The columns of the user's own row that the settings change. */
export const accountQuery = (userId: string) =>
  queryOptions({
    queryKey: ['settings', 'account', userId],
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase.from('users').select('full_name, public_profile').eq('id', userId).abortSignal(signal).single(),
      ),
  })

/**
 * The user as the server knows them now. A change of address is confirmed by links that may be opened in another browser;
 * this session learns of it when it is refreshed.
 */
export const freshUserQuery = (userId: string) =>
  queryOptions({
    queryKey: ['settings', 'user', userId],
    queryFn: async () => {
      const { data, error } = await supabase.auth.refreshSession()
      if (error) throw error
      return data.user
    },
  })

/** Whether each kind of message is wanted. Without a row it is. */
export const preferencesQuery = (userId: string) =>
  queryOptions({
    queryKey: ['settings', 'preferences', userId],
    queryFn: async ({ signal }) => {
      const columns = supabase.from('notification_preferences').select('topic, channel, enabled')
      const rows = unwrap(await columns.eq('user_id', userId).abortSignal(signal))
      return new Map(rows.map(({ topic, channel, enabled }) => [preferenceKey(topic, channel), enabled]))
    },
  })

/** Apps that may use the account; null if the server's OAuth server is switched off. */
export const grantsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['settings', 'grants', userId],
    queryFn: async () => {
      const { data, error } = await supabase.auth.oauth.listGrants()
      if (codeOf(error) === 'feature_disabled') return null
      if (error) throw error
      return data
    },
  })
