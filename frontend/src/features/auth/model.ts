import { z } from 'zod'
import { SIGNUP_ROLES } from '@/lib/role'

/** Section 9. */
export const MIN_PASSWORD_LENGTH = 6

/** Field names in the order in which section 5 checks them. */
export const SIGN_UP_FIELDS = ['fullName', 'email', 'password', 'confirmPassword', 'role'] as const
export const COACH_FIELDS = [
  'fullName',
  'email',
  'password',
  'confirmPassword',
  'league',
  'yearsCoaching',
  'teamName',
] as const

/** The choices of section 5, "Coach form options": 0 to 49 years, 0 to 11 months. */
export const YEARS = Array.from({ length: 50 }, (_, years) => String(years))
export const MONTHS = Array.from({ length: 12 }, (_, months) => String(months))

const account = {
  fullName: z.string().trim().min(1, 'Full name is required'),
  email: z.string().trim().min(1, 'Email is required'),
  password: z.string().min(MIN_PASSWORD_LENGTH, `Password must be at least ${MIN_PASSWORD_LENGTH} characters`),
  confirmPassword: z.string(),
}

/** Section 5 writes the coach form's errors as sentences, with their full stop. */
const coachAccount = {
  fullName: z.string().trim().min(1, 'Full name is required.'),
  email: z.string().trim().min(1, 'Email is required.'),
  password: z.string().min(MIN_PASSWORD_LENGTH, `Password must be at least ${MIN_PASSWORD_LENGTH} characters.`),
  confirmPassword: z.string(),
}

const samePassword = (values: { password: string; confirmPassword: string }) =>
  values.password === values.confirmPassword
const mismatch = { path: ['confirmPassword'], error: 'Passwords do not match' }

const count = (choices: readonly string[]) => z.enum(choices).transform(Number)

export const signUpSchema = z.object({ ...account, role: z.enum(SIGNUP_ROLES) }).refine(samePassword, mismatch)

export const coachSchema = z
  .object({
    ...coachAccount,
    league: z.string().trim().min(1, 'League is required.'),
    yearsCoaching: z.string().min(1, 'Years coaching is required.').pipe(count(YEARS)),
    teamName: z.string().trim().min(1, 'Team name is required.'),
    monthsCurrentLeague: count(MONTHS),
    yearsCurrentLeague: count(YEARS),
    monthsCurrentTeam: count(MONTHS),
    yearsCurrentTeam: count(YEARS),
  })
  .refine(samePassword, { ...mismatch, error: `${mismatch.error}.` })

/** A new password. */
export const newPasswordSchema = z
  .object({ password: account.password, confirmPassword: account.confirmPassword })
  .refine(samePassword, mismatch)

export const emailSchema = z.object({ email: z.string().trim().min(1, 'Please enter your email first') })

export type SignUpInput = z.input<typeof signUpSchema>
export type SignUpValues = z.output<typeof signUpSchema>
export type CoachInput = z.input<typeof coachSchema>
export type CoachValues = z.output<typeof coachSchema>

/** What a scope of OpenID Connect lets another app do, as its user reads it. */
const SCOPES: Readonly<Record<string, string>> = {
  openid: 'Know that it is you',
  email: 'See your email address',
  profile: 'See your name, your picture and your username',
  phone: 'See your phone number',
  offline_access: 'Keep access while you are away',
}

/** Describes each scope once; unknown scopes are shown as they are. */
export function scopesInWords(scope: string): string[] {
  const names = new Set(scope.split(' ').filter(Boolean))
  return [...names].map((name) => SCOPES[name] ?? name)
}

/** Where the browser goes afterwards, short enough to read: the host, or the scheme of a program. */
export function destination(redirectUri: string): string {
  const url = URL.parse(redirectUri)
  if (!url) return redirectUri
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.host : `${url.protocol}//`
}

/** Digits of a code of an authenticator app. */
export const CODE_LENGTH = 6

export const isCode = (text: string) => /^\d{6}$/.test(text.trim())

/** What a second factor is called where its owner gave it no name. */
const FACTOR_NAMES: Record<string, string> = {
  totp: 'your authenticator app',
  webauthn: 'your security key',
  phone: 'your phone',
}

export function factorName({ friendly_name, factor_type }: { friendly_name?: string; factor_type: string }): string {
  return friendly_name?.trim() || (FACTOR_NAMES[factor_type] ?? 'your second factor')
}
