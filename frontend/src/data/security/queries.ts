import { queryOptions } from '@tanstack/react-query'
import { KIND_NAMES, type Passkey, type SecondFactor } from '@/data/security/model'
import { codeOf } from '@/lib/errors'
import { supabase, unwrap } from '@/lib/supabase'

/** The user's verified second factors, oldest first. */
export const factorsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['settings', 'factors', userId],
    queryFn: async (): Promise<SecondFactor[]> => {
      const { data, error } = await supabase.auth.mfa.listFactors()
      if (error) throw error
      return data.all
        .filter(({ status }) => status === 'verified')
        .map(({ id, friendly_name, factor_type, created_at }) => {
          const kind = factor_type in KIND_NAMES ? (factor_type as SecondFactor['kind']) : 'totp'
          return { id, kind, name: friendly_name?.trim() || KIND_NAMES[kind], since: created_at }
        })
    },
  })

/** The user's passkeys, oldest first; `null` if the server has passkeys switched off. */
export const passkeysQuery = (userId: string) =>
  queryOptions({
    queryKey: ['settings', 'passkeys', userId],
    queryFn: async (): Promise<Passkey[] | null> => {
      const { data, error } = await supabase.auth.passkey.list()
      if (codeOf(error) === 'passkey_disabled') return null
      if (error) throw error
      return data.map(({ id, friendly_name, created_at, last_used_at }) => ({
        id,
        name: friendly_name?.trim() || 'Passkey',
        since: created_at,
        lastUsed: last_used_at ?? null,
      }))
    },
  })

/** The user's sessions in all browsers and apps. */
export const sessionsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['settings', 'sessions', userId],
    queryFn: async ({ signal }) => unwrap(await supabase.rpc('my_sessions').abortSignal(signal)),
  })
