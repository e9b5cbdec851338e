import { queryOptions } from '@tanstack/react-query'
import { codeOf } from '@/lib/errors'
import { supabase } from '@/lib/supabase'
import { KIND_NAMES, type Passkey, type SecondFactor } from '@/features/settings/model'

/** The user's second factors that count, oldest first. */
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

/**
 * The user as the server has them now: an address is changed by links that may be opened anywhere, and the session in hand
 * hears of it when it is refreshed.
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

/** The user's passkeys, oldest first; `null` where the server has none at all. */
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
