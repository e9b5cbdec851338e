import { UNKNOWN } from '@/lib/format'

/** Browser storage key of section 3. */
export const REFERRAL_STORAGE_KEY = 'referralCode'

/**
 * Not in section 3: which account has signed up here with the saved code. With confirmation on it has no session yet, and
 * without one nobody may write.
 */
export const REFERRED_STORAGE_KEY = 'referredSignup'

/** After a successful sign-up: the saved code, if there is one, waits for the account's first session. */
export function expectConversion(userId: string) {
  if (localStorage.getItem(REFERRAL_STORAGE_KEY) !== null) localStorage.setItem(REFERRED_STORAGE_KEY, userId)
}

/** Whether a sign-up of this account is still to be recorded. */
export const awaitsConversion = (userId: string) => localStorage.getItem(REFERRED_STORAGE_KEY) === userId

/** A longer `ref` is somebody's joke, not a code. */
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

/** What an IP look-up answered, or 'unknown' (section 3). */
export function ipIn(answer: unknown): string {
  const ip: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'ip') : undefined
  return typeof ip === 'string' && ip !== '' ? ip : 'unknown'
}

export type LedgerLine = { id: number; amount: number; reason: string; created_at: string }

/** The balance is the sum of the ledger, whatever else says. */
export const balance = (lines: readonly Pick<LedgerLine, 'amount'>[]) =>
  lines.reduce((sum, { amount }) => sum + amount, 0)

/** The lines, newest first, each with what was held after it. */
export function withBalance(lines: readonly LedgerLine[]): (LedgerLine & { after: number })[] {
  let after = balance(lines)
  return lines.map((line) => {
    const held = { ...line, after }
    after -= line.amount
    return held
  })
}

const REASONS: Readonly<Record<string, string>> = { welcome_bonus: 'Welcome bonus', referral: 'Referral' }

/** "Welcome bonus" of `welcome_bonus`. */
export function reasonText(reason: string): string {
  const words = REASONS[reason] ?? reason.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Where the code leads: the landing page, which keeps it. */
export const referralLink = (code: string, origin: string) => `${origin}/?ref=${encodeURIComponent(code)}`

/** `25%`; a share of nothing is unknown, not 0%. */
export function share(part: number, whole: number): string {
  return whole === 0 ? UNKNOWN : `${Math.round((part / whole) * 100)}%`
}
