import { z } from 'zod'
import { INCOMPLETE_NUMBER } from '@/data/security/messages'

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

/** An E.164 number: a plus and up to 15 digits, in any grouping. */
export const phoneSchema = z.object({
  phone: z
    .string()
    .transform((text) => text.replace(/[\s().-]/g, '').replace(/^00/, '+'))
    .pipe(z.string().regex(/^\+[1-9]\d{6,14}$/, INCOMPLETE_NUMBER)),
})

export type NameValues = z.infer<typeof nameSchema>
export type CodeValues = z.infer<typeof codeSchema>

/** "21 November 2026", in the reader's own language. */
export function day(time: string, locale?: string): string {
  return new Date(time).toLocaleDateString(locale, { day: 'numeric', month: 'long', year: 'numeric' })
}

/** The secret in groups of four, which are easier to type. */
export const grouped = (secret: string) => secret.replace(/(.{4})(?=.)/g, '$1 ')

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
