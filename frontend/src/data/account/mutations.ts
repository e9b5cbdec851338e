import { useMutation, useQueryClient } from '@tanstack/react-query'
import { preferenceKey, type Channel, type Topic } from '@/data/account/model'
import { grantsQuery, preferencesQuery } from '@/data/account/queries'
import type { Guard } from '@/data/security/mutations'
import { download } from '@/lib/download'
import { codeOf, messageOf } from '@/lib/errors'
import { explain } from '@/lib/explain'
import { isRecord } from '@/lib/is-record'
import { supabase, unwrap } from '@/lib/supabase'
import { toast } from '@/ui/toast/toast-state'

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

/** Changes the password. If the server requires a code for this, the change fails and the code is sent by e-mail. */
export function useChangePassword() {
  return useMutation({
    mutationFn: async ({ password, nonce }: { password: string; nonce?: string }) => {
      const { error } = await supabase.auth.updateUser({ password, nonce })
      if (codeOf(error) === 'reauthentication_needed') {
        const sent = await supabase.auth.reauthenticate()
        if (sent.error) throw sent.error
      }
      if (error) throw error
    },
    onSuccess: () => toast({ title: 'Your password is changed', variant: 'success' }),
  })
}

export function useChangeEmail() {
  return useMutation({
    mutationFn: async (email: string) => {
      const { data, error } = await supabase.auth.updateUser({ email }, { emailRedirectTo: window.location.origin })
      if (error) throw error
      return data.user
    },
    // While the address is unconfirmed, the card says so.
    onSuccess: ({ new_email }) => {
      if (!new_email) toast({ title: 'Your email is changed', variant: 'success' })
    },
  })
}

type ExportOptions = { guard: Guard; fileName: string; wardId?: string }

/** Downloads everything that the server holds about the user, or about a ward. */
export function useExportData({ guard, fileName, wardId }: ExportOptions) {
  return useMutation({
    mutationFn: () => guard(() => exportData(wardId)),
    onSuccess: (zip) => download(fileName, zip, 'application/zip'),
    onError: (error) =>
      toast({ title: 'No file was made', description: messageOf(error, 'Please try again.'), variant: 'error' }),
  })
}

type DeleteOptions = { guard: Guard; onDeleted: () => Promise<void>; wardId?: string }

/** Deletes the user's own account, or that of a ward whose first guardian the user is. */
export function useDeleteAccount({ guard, onDeleted, wardId }: DeleteOptions) {
  return useMutation({
    mutationFn: () => guard(() => deleteAccount(wardId)),
    onSuccess: onDeleted,
    onError: (error) =>
      toast({ title: 'Not deleted', description: explain(error, 'Please try again.'), variant: 'error' }),
  })
}

/** A ZIP with one JSON file per table. */
async function exportData(wardId?: string): Promise<Uint8Array<ArrayBuffer>> {
  const data: unknown = unwrap(await supabase.rpc('export_my_data', { ward_id: wardId }))
  if (!isRecord(data)) throw new Error('The server sent no data. Please try again.')
  const { strToU8, zipSync } = await import('fflate')
  const files = Object.entries(data).map(([table, rows]) => [`${table}.json`, strToU8(JSON.stringify(rows, null, 2))])
  return Uint8Array.from(zipSync(Object.fromEntries(files) as Record<string, Uint8Array>))
}

async function deleteAccount(wardId?: string) {
  await supabase.rpc('delete_account', { ward_id: wardId }).throwOnError()
}
