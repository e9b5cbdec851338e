import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { strToU8, zipSync } from 'fflate'
import { codeOf, messageOf } from '@/lib/errors'
import { supabase, unwrap } from '@/lib/supabase'
import { toast } from '@/ui/toast/toast-state'
import { isRecord, preferenceKey, type Channel, type Topic } from '@/features/settings/model'

/** The user's own row, as far as settings change it. */
export const accountQuery = (userId: string) =>
  queryOptions({
    queryKey: ['settings', 'account', userId],
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase.from('users').select('full_name, public_profile').eq('id', userId).abortSignal(signal).single(),
      ),
  })

export function useSaveAccount(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (change: { full_name?: string; public_profile?: boolean }) => {
      await supabase.from('users').update(change).eq('id', userId).throwOnError()
    },
    onSuccess: async () => {
      toast({ title: 'Saved', variant: 'success' })
      // Home and the profile show the same row.
      await client.invalidateQueries()
    },
  })
}

/** Where the user is signed in, as the server knows it. */
export const sessionsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['settings', 'sessions', userId],
    queryFn: async ({ signal }) => unwrap(await supabase.rpc('my_sessions').abortSignal(signal)),
  })

export async function signOutSession(sessionId: string) {
  await supabase.rpc('sign_out_session', { session_id: sessionId }).throwOnError()
}

export async function signOutOthers() {
  const { error } = await supabase.auth.signOut({ scope: 'others' })
  if (error) throw error
}

/** Whether each message is wanted; what has no row is. */
export const preferencesQuery = (userId: string) =>
  queryOptions({
    queryKey: ['settings', 'preferences', userId],
    queryFn: async ({ signal }) => {
      const columns = supabase.from('notification_preferences').select('topic, channel, enabled')
      const rows = unwrap(await columns.eq('user_id', userId).abortSignal(signal))
      return new Map(rows.map(({ topic, channel, enabled }) => [preferenceKey(topic, channel), enabled]))
    },
  })

export function useSetPreference(userId: string) {
  const client = useQueryClient()
  const { queryKey } = preferencesQuery(userId)
  const show = (topic: Topic, channel: Channel, enabled: boolean) =>
    client.setQueryData(queryKey, (now) => new Map(now).set(preferenceKey(topic, channel), enabled))
  return useMutation({
    mutationFn: async (change: { topic: Topic; channel: Channel; enabled: boolean }) => {
      await supabase
        .from('notification_preferences')
        .upsert({ user_id: userId, ...change })
        .throwOnError()
    },
    onMutate: ({ topic, channel, enabled }) => show(topic, channel, enabled),
    onError: (error, { topic, channel, enabled }) => {
      show(topic, channel, !enabled)
      toast({ title: 'Not saved', description: messageOf(error, 'Please try again.'), variant: 'error' })
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
}

/** Apps that may use the account; null where the server lets no app in. */
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

export function useRevokeGrant(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (clientId: string) => {
      const { error } = await supabase.auth.oauth.revokeGrant({ clientId })
      if (error) throw error
    },
    onSuccess: () => toast({ title: 'Access taken back', variant: 'success' }),
    onError: (error) =>
      toast({ title: 'Not taken back', description: messageOf(error, 'Please try again.'), variant: 'error' }),
    onSettled: () => client.invalidateQueries(grantsQuery(userId)),
  })
}

/** Everything the server holds about the user, or about a minor in their care: a ZIP with one JSON file a table. */
export async function exportData(wardId?: string): Promise<Uint8Array<ArrayBuffer>> {
  const data: unknown = unwrap(await supabase.rpc('export_my_data', { ward_id: wardId }))
  if (!isRecord(data)) throw new Error('The server sent no data. Please try again.')
  const files = Object.entries(data).map(([table, rows]) => [`${table}.json`, strToU8(JSON.stringify(rows, null, 2))])
  return Uint8Array.from(zipSync(Object.fromEntries(files) as Record<string, Uint8Array>))
}

/** Ends the user's own account, or that of a minor whose first guardian they are. */
export async function deleteAccount(wardId?: string) {
  await supabase.rpc('delete_account', { ward_id: wardId }).throwOnError()
}
