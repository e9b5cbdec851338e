import { env } from '@/lib/env'
import { supabase } from '@/lib/supabase'
import { ipIn, REFERRAL_STORAGE_KEY, referralCodeIn } from '@/features/referrals/model'

/** Milliseconds the IP look-up may take before the click is recorded without it. */
const IP_LOOKUP_TIMEOUT = 3000
/** Characters the database takes. */
const USER_AGENT_LIMIT = 1024

const captured = new Set<string>()

/**
 * Section 4, "Referral": saves the address's code, records the click and counts it.
 * One page load captures a code once, however often this is called. Failures are only logged (section 8).
 * @param search the address's query, e.g. `?ref=COACH-7`
 */
export async function captureReferral(search: string): Promise<void> {
  const code = referralCodeIn(search)
  if (code === null || captured.has(code)) return
  captured.add(code)
  try {
    localStorage.setItem(REFERRAL_STORAGE_KEY, code)
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
  } catch (error) {
    console.error('The referral click could not be recorded.', error)
  }
}

/**
 * After a successful sign-up: records the conversion of the saved code, counts it and clears it.
 * Failures are only logged; the code then stays, so that nothing is lost that was not recorded.
 */
export async function convertReferral(userId: string): Promise<void> {
  const code = localStorage.getItem(REFERRAL_STORAGE_KEY)
  if (code === null) return
  try {
    await supabase
      .from('referral_analytics')
      .insert({
        referral_code: code,
        action: 'signup',
        timestamp: new Date().toISOString(),
        converted_user_id: userId,
      })
      .throwOnError()
    localStorage.removeItem(REFERRAL_STORAGE_KEY)
    await supabase.rpc('increment_referral_conversions', { code }).throwOnError()
  } catch (error) {
    console.error('The referral sign-up could not be recorded.', error)
  }
}

async function lookUpIp(): Promise<string> {
  try {
    const answer = await fetch(env.ipLookupUrl, { signal: AbortSignal.timeout(IP_LOOKUP_TIMEOUT) })
    return ipIn(await answer.json())
  } catch {
    return 'unknown'
  }
}
