import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { codeOf } from '@/lib/errors'
import { env } from '@/lib/env'
import { supabase } from '@/lib/supabase'
import { toast } from '@/ui/toast/toast-state'
import { securityReason } from '@/features/settings/messages'
import { freeName } from '@/features/settings/model'
import { factorsQuery } from '@/features/settings/queries'

/** A phone that waits for its first code. */
export type NewPhone = { factorId: string; challengeId: string; number: string }

const INCOMPLETE = 'Please enter the number with its country code, such as +1 555 010 4477.'

/** E.164: a plus and up to 15 digits, however they are grouped. */
export const phoneSchema = z.object({
  phone: z
    .string()
    .transform((text) => text.replace(/[\s().-]/g, '').replace(/^00/, '+'))
    .pipe(z.string().regex(/^\+[1-9]\d{6,14}$/, INCOMPLETE)),
})

const settingsSchema = z.object({ external: z.object({ phone: z.boolean() }), sms_provider: z.string() })

/** Whether the server sends messages to phones: what it says of itself to everybody. */
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

/** Takes a phone and sends it the first code. */
export function useEnrollPhone(taken: readonly string[]) {
  return useMutation({
    mutationFn: async (number: string): Promise<NewPhone> => {
      const friendlyName = freeName(`Phone ending in ${number.slice(-4)}`, taken)
      const { data, error } = await supabase.auth.mfa.enroll({ factorType: 'phone', friendlyName, phone: number })
      if (error) throw error
      try {
        return { factorId: data.id, challengeId: await sendCode(data.id), number }
      } catch (error) {
        // Nobody can prove a phone that no code reaches.
        await supabase.auth.mfa.unenroll({ factorId: data.id })
        throw error
      }
    },
  })
}

/** Sends another code, which takes the place of the last. */
export function useSendCode() {
  return useMutation({ mutationFn: sendCode })
}

async function sendCode(factorId: string): Promise<string> {
  const { data, error } = await supabase.auth.mfa.challenge({ factorId, channel: 'sms' })
  if (error) throw error
  return data.id
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

/** Why something about a phone did not work, and what to do. */
export function phoneReason(error: unknown): string {
  switch (codeOf(error)) {
    case 'mfa_phone_enroll_not_enabled':
    case 'mfa_phone_verify_not_enabled':
      return 'This server takes no phone as a second factor. Please use an authenticator app.'
    case 'mfa_verified_factor_exists':
      return 'This phone is one of your second factors already.'
    case 'mfa_verification_failed':
    case 'otp_expired':
      return 'That code is not right. Enter the one of the latest message.'
    case 'over_sms_send_rate_limit':
      return 'We have just sent a code. Please wait a moment and try again.'
    case 'sms_send_failed':
      return 'The message could not be sent. Please check the number and try again.'
    case 'validation_failed':
      return INCOMPLETE
    default:
      return securityReason(error)
  }
}
