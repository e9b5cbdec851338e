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
