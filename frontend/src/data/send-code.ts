import { useMutation } from '@tanstack/react-query'
import { supabase } from '@/lib/supabase'

/** Sends a code to a phone that is a second factor. Each code replaces the last. */
export function useSendCode() {
  return useMutation({ mutationFn: sendCode })
}

/** @returns the id of the challenge that the code answers */
export async function sendCode(factorId: string): Promise<string> {
  const { data, error } = await supabase.auth.mfa.challenge({ factorId, channel: 'sms' })
  if (error) throw error
  return data.id
}
