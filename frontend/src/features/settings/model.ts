import { z } from 'zod'

/** Digits of a code of an authenticator app. */
export const CODE_LENGTH = 6
/** The server takes names of passkeys up to this many bytes. */
const NAME_LIMIT = 120

export const codeSchema = z.object({
  code: z
    .string()
    .trim()
    .regex(/^\d{6}$/, `The code is ${CODE_LENGTH} digits.`),
})

const bytes = (text: string) => new TextEncoder().encode(text).length

export const nameSchema = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Please give it a name.')
    .refine((name) => bytes(name) <= NAME_LIMIT, 'That name is too long.'),
})

export type NameValues = z.infer<typeof nameSchema>
export type CodeValues = z.infer<typeof codeSchema>

/** A second factor, as this screen shows it. */
export type SecondFactor = { id: string; name: string; kind: 'totp' | 'webauthn' | 'phone'; since: string }

/** A passkey, as this screen shows it. */
export type Passkey = { id: string; name: string; since: string; lastUsed: string | null }

export const KIND_NAMES: Record<SecondFactor['kind'], string> = {
  totp: 'Authenticator app',
  webauthn: 'Security key',
  phone: 'Phone',
}

/** "Authenticator app", or "Authenticator app 2" where that is taken: the server wants each name once. */
export function freeName(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted
  let number = 2
  while (taken.includes(`${wanted} ${number}`)) number += 1
  return `${wanted} ${number}`
}

/** "21 November 2026", in the reader's own language. */
export function day(time: string, locale?: string): string {
  return new Date(time).toLocaleDateString(locale, { day: 'numeric', month: 'long', year: 'numeric' })
}

/** The secret in groups of four, for those who type it. */
export const grouped = (secret: string) => secret.replace(/(.{4})(?=.)/g, '$1 ')

/** The server's code for "sign in again first": SQLSTATE 28000. */
export const RECENT_SIGN_IN_MISSING = '28000'

/** Section 9. */
const MIN_PASSWORD_LENGTH = 6

export const passwordSchema = z
  .object({
    password: z.string().min(MIN_PASSWORD_LENGTH, `Password must be at least ${MIN_PASSWORD_LENGTH} characters`),
    confirmPassword: z.string(),
    nonce: z.string().trim(),
  })
  .refine(({ password, confirmPassword }) => password === confirmPassword, {
    path: ['confirmPassword'],
    error: 'Passwords do not match',
  })

export const addressSchema = z.object({ email: z.string().trim().pipe(z.email('Please enter a complete address.')) })

export const fullNameSchema = z.object({
  full_name: z.string().trim().min(1, 'Full name is required').max(200, 'That name is too long.'),
})

/** What one can be told about, and by what way. */
export const TOPICS = {
  verification: 'Measurements verified',
  follows: 'New followers',
  team: 'Team and schedule',
  recruiting: 'Recruiting',
  referrals: 'Referrals and tokens',
  news: 'News',
  security: 'Security of your account',
} as const
/** Cannot be switched off: whoever takes an account over shall not be able to do it quietly. */
export const ALWAYS_ON: Topic = 'security'
export const CHANNELS = { app: 'In the app', email: 'By e-mail' } as const
export type Topic = keyof typeof TOPICS
export type Channel = keyof typeof CHANNELS

export const preferenceKey = (topic: string, channel: string) => `${topic} ${channel}`

/** The claim `session_id` of an access token. */
export function sessionIdOf(token = ''): string | undefined {
  try {
    const payload = token.split('.')[1] ?? ''
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return isRecord(claims) && typeof claims.session_id === 'string' ? claims.session_id : undefined
  } catch {
    return undefined
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
const SYSTEMS = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const

/** "Chrome on Linux", as far as a browser says what it is. */
export function deviceName(userAgent: string | null): string {
  const find = (list: readonly (readonly [RegExp, string])[]) => list.find(([sign]) => sign.test(userAgent ?? ''))?.[1]
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)]
  if (!browser && !system) return 'Unknown device'
  return browser && system ? `${browser} on ${system}` : (browser ?? system ?? '')
}
