import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { freeName } from '@/data/security/model'
import { factorsQuery } from '@/data/security/queries'
import { sendCode } from '@/data/send-code'
import { env } from '@/lib/env'
import { supabase } from '@/lib/supabase'
import { toast } from '@/ui/toast/toast-state'

/** A phone that is not verified yet. */
export type NewPhone = { factorId: string; challengeId: string; number: string }

const settingsSchema = z.object({ external: z.object({ phone: z.boolean() }), sms_provider: z.string() })

/** Whether the server sends text messages, by its public settings. */
export const sendsMessagesQuery = queryOptions({
  queryKey: ['settings', 'sends-messages'],
  queryFn: async ({ signal }) => {
    const answer = await fetch(`${env.supabaseUrl}/auth/v1/settings`, {
      headers: { apikey: env.supabaseAnonKey },
      signal,
    })
    const { external, sms_provider } = settingsSchema.parse(await answer.json())
    return external.phone || sms_provider !== ''
  },
  staleTime: Infinity,
})

/** Registers a phone and sends the first code to it. */
export function useEnrollPhone(taken: readonly string[]) {
  return useMutation({
    mutationFn: async (number: string): Promise<NewPhone> => {
      const friendlyName = freeName(`Phone ending in ${number.slice(-4)}`, taken)
      const { data, error } = await supabase.auth.mfa.enroll({ factorType: 'phone', friendlyName, phone: number })
      if (error) throw error
      try {
        return { factorId: data.id, challengeId: await sendCode(data.id), number }
      } catch (error) {
        // A phone that no code reaches can never be verified.
        await supabase.auth.mfa.unenroll({ factorId: data.id })
        throw error
      }
    },
  })
}

export function useVerifyPhone(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (proof: { factorId: string; challengeId: string; code: string }) => {
      const { error } = await supabase.auth.mfa.verify(proof)
      if (error) throw error
    },
    onSuccess: async () => {
      toast({ title: 'Two-step sign-in is on', variant: 'success' })
      await client.invalidateQueries(factorsQuery(userId))
    },
  })
}
