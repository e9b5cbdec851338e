import { REFERRAL_STORAGE_KEY } from '@/lib/referral-code'

// Separate from mutations.ts, because start.ts and the landing page need only these and must not load the API client.

export { REFERRAL_STORAGE_KEY }

/** Not in section 3: which account has signed up here with the saved code and is not recorded yet. */
export const REFERRED_STORAGE_KEY = 'referredSignup'

/** After a sign-up that brought a session: the saved code, if there is one, is still to be recorded. */
export function expectConversion(userId: string) {
  if (localStorage.getItem(REFERRAL_STORAGE_KEY) !== null) localStorage.setItem(REFERRED_STORAGE_KEY, userId)
}

const AWAITING = 'confirmation of '

/** After a sign-up that awaits confirmation: the database counts the account's code, and the browser then forgets it. */
export function expectConfirmation(userId: string) {
  if (localStorage.getItem(REFERRAL_STORAGE_KEY) !== null) localStorage.setItem(REFERRED_STORAGE_KEY, AWAITING + userId)
}

/** With the first session of an account whose confirmation has counted. */
export function forgetConfirmed(userId: string) {
  if (localStorage.getItem(REFERRED_STORAGE_KEY) !== AWAITING + userId) return
  localStorage.removeItem(REFERRED_STORAGE_KEY)
  localStorage.removeItem(REFERRAL_STORAGE_KEY)
}

/** Whether a sign-up of this account is still to be recorded. */
export const awaitsConversion = (userId: string) => localStorage.getItem(REFERRED_STORAGE_KEY) === userId

/** Longer values of `ref` are not codes and are ignored. */
export const REFERRAL_CODE_LIMIT = 64

/** The referral code of an address's query (`?ref=COACH-7`), or null. */
export function referralCodeIn(search: string): string | null {
  const code = new URLSearchParams(search).get('ref')?.trim() ?? ''
  return code !== '' && code.length <= REFERRAL_CODE_LIMIT ? code : null
}

/** Section 4: a `ref` of any page is kept for a later sign-up. The code, or null. */
export function keepReferral(search: string, storage: Pick<Storage, 'setItem'>): string | null {
  const code = referralCodeIn(search)
  if (code !== null) storage.setItem(REFERRAL_STORAGE_KEY, code)
  return code
}
