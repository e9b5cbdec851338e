import { z } from 'zod'
import { list, optionalNumber, optionalText, pastDay, requiredNumber, requiredText } from '@/lib/fields'
import { POSITIONS, type Kind } from '@/features/players/model'

const side = (letters: readonly string[]) =>
  z.string().transform((letter) => (letters.includes(letter) ? letter : null))

export const playerSchema = z.object({
  positions: list(2).pipe(
    z.array(z.enum(POSITIONS, `Please use ${POSITIONS.join(', ')}.`)).max(4, 'Four positions are enough.'),
  ),
  jersey: z
    .string()
    .trim()
    .regex(/^\d{0,2}$/, 'Please enter one or two digits.')
    .transform((text) => text || null),
  bats: side(['L', 'R', 'S']),
  throws: side(['L', 'R']),
  height_in: optionalNumber(36, 96, false),
  weight_lb: optionalNumber(40, 400),
  grad_year: optionalNumber(1950, 2100),
  gpa: optionalNumber(0, 5, false),
  school: optionalText(120),
  hometown: optionalText(100),
  state: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^([A-Z]{2})?$/, 'Please enter two letters, such as TX.')
    .transform((text) => text || null),
  bio: optionalText(2000),
})

export const coachSchema = z.object({
  team_name: requiredText(120, 'Team name is required'),
  league: requiredText(120, 'League is required'),
  years_coaching: requiredNumber(0, 49),
  years_current_team: requiredNumber(0, 49),
  months_current_team: requiredNumber(0, 11),
  years_current_league: requiredNumber(0, 49),
  months_current_league: requiredNumber(0, 11),
  display_badges: z.enum(['true', 'false']).transform((word) => word === 'true'),
  certifications: list(100),
  bio: optionalText(2000),
})

export const scoutSchema = z.object({
  org: requiredText(120, 'Organization is required'),
  regions: list(60),
  bio: optionalText(2000),
})

const measured = {
  kind: z.string().min(1, 'Please choose what was measured.'),
  value: requiredNumber(0, 10_000, false),
  taken_at: pastDay,
  event: optionalText(120),
}

/** What is outside of what is possible for its kind was mistyped. */
const within =
  (kinds: readonly Kind[]) =>
  ({ kind, value }: { kind: string; value: number }, context: z.RefinementCtx) => {
    const known = kinds.find((one) => one.kind === kind)
    if (!known || (value >= known.minimum && value <= known.maximum)) return
    const message = `${known.label} is between ${known.minimum} and ${known.maximum} ${known.unit}.`
    context.addIssue({ code: 'custom', path: ['value'], message })
  }

/** A measurement of one of the kinds there are, as players enter it. */
export const measurementSchema = (kinds: readonly Kind[]) =>
  z
    .object({
      ...measured,
      source: z.enum(['self', 'device']),
      verification_asked: z.enum(['true', 'false']).transform((word) => word === 'true'),
    })
    .superRefine(within(kinds))

/** The same by a coach, whose word is the verification. */
export const coachMeasurementSchema = (kinds: readonly Kind[]) => z.object(measured).superRefine(within(kinds))

/** A name with a top-level domain, as the database checks it; ports are left to `URL.canParse`. */
const LINK =
  /^https:\/\/([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9](:[1-9]\d{0,4})?(\/[^\s<>"]*)?$/

export const videoSchema = z.object({
  title: requiredText(120, 'Please give it a title.'),
  url: z
    .string()
    .trim()
    .max(500, 'That link is too long.')
    .regex(LINK, 'Please enter a link that begins with https://')
    .refine((url) => URL.canParse(url), 'No browser can open that link.'),
  recorded_on: z.union([z.literal('').transform(() => null), pastDay]),
})

export const commitmentSchema = z.object({
  program: requiredText(120, 'Please name the program.').refine((text) => text.length >= 2, 'Please name the program.'),
  status: z.enum(['committed', 'signed', 'withdrawn']),
  committed_on: pastDay,
})
