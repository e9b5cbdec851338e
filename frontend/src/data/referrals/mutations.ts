import { env } from '@/lib/env'
import { queryClient } from '@/lib/query-client'
import { supabase } from '@/lib/supabase'
import {
  awaitsConversion,
  expectConversion,
  REFERRAL_STORAGE_KEY,
  REFERRED_STORAGE_KEY,
} from '@/data/referrals/kept-code'
import { ipIn } from '@/data/referrals/ip'
import { saving } from '@/data/saving'

/** Milliseconds the IP look-up may take before the click is recorded without it. */
const IP_LOOKUP_TIMEOUT = 3000
/** The database's code (SQLSTATE) for a second row where there may be one. */
const UNIQUE_VIOLATION = '23505'
/** Characters the database takes. */
const USER_AGENT_LIMIT = 1024

const captured = new Set<string>()

/**
 * Section 4, "Referral": records the click on a code and counts it.
 * One page load captures a code once, however often this is called. Failures are only logged (section 8).
 */
export async function captureReferral(code: string): Promise<void> {
  if (captured.has(code)) return
  captured.add(code)
  try {
    await saving(queryClient, () => recordClick(code))
  } catch (error) {
    console.error('The referral click could not be recorded.', error)
  }
}

/**
 * Once an account that signed up here has a session: records the conversion of the saved code, counts it and clears it.
 * Failures are only logged; the code then stays and the next session tries again, so that nothing is lost.
 */
export async function convertReferral(userId: string): Promise<void> {
  const code = localStorage.getItem(REFERRAL_STORAGE_KEY)
  if (code === null || !awaitsConversion(userId)) return
  // Taken first: the same session begins in every tab.
  localStorage.removeItem(REFERRED_STORAGE_KEY)
  try {
    await saving(queryClient, async () => {
      await recordSignUp(code, userId)
      localStorage.removeItem(REFERRAL_STORAGE_KEY)
      await supabase.rpc('increment_referral_conversions', { code }).throwOnError()
    })
  } catch (error) {
    console.error('The referral sign-up could not be recorded.', error)
    if (localStorage.getItem(REFERRAL_STORAGE_KEY) === code) expectConversion(userId)
  }
}

async function recordClick(code: string) {
  await supabase
    .from('referral_analytics')
    .insert({
      referral_code: code,
      action: 'click',
      timestamp: new Date().toISOString(),
      ip_address: await lookUpIp(),
      user_agent: navigator.userAgent.slice(0, USER_AGENT_LIMIT),
    })
    .throwOnError()
  await supabase.rpc('increment_referral_clicks', { code }).throwOnError()
}

async function recordSignUp(code: string, userId: string) {
  const { error } = await supabase.from('referral_analytics').insert({
    referral_code: code,
    action: 'signup',
    timestamp: new Date().toISOString(),
    converted_user_id: userId,
  })
  // Recorded already: only the answer had been lost.
  if (error && error.code !== UNIQUE_VIOLATION) throw error
}

async function lookUpIp(): Promise<string> {
  try {
    const answer = await fetch(env.ipLookupUrl, { signal: AbortSignal.timeout(IP_LOOKUP_TIMEOUT) })
    return ipIn(await answer.json())
  } catch {
    return 'unknown'
  }
}
