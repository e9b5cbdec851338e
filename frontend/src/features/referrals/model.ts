/** Browser storage key of section 3. */
export const REFERRAL_STORAGE_KEY = 'referralCode'

/** A longer `ref` is somebody's joke, not a code. */
export const REFERRAL_CODE_LIMIT = 64

/** The referral code of an address's query (`?ref=COACH-7`), or null. */
export function referralCodeIn(search: string): string | null {
  const code = new URLSearchParams(search).get('ref')?.trim() ?? ''
  return code !== '' && code.length <= REFERRAL_CODE_LIMIT ? code : null
}

/** What an IP look-up answered, or 'unknown' (section 3). */
export function ipIn(answer: unknown): string {
  const ip: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'ip') : undefined
  return typeof ip === 'string' && ip !== '' ? ip : 'unknown'
}
