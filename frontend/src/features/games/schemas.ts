import { z } from 'zod'
import { optionalText } from '@/lib/fields'

const choice = z.string().transform((value) => value === 'true')

/** A game on the schedule. The time is the browser's, which is that of the field for most coaches. */
export const newGameSchema = z
  .object({
    opponent: z.string().trim().min(1, 'Please name the opponent.').max(100, 'Please keep it under 100 characters.'),
    is_home: choice,
    played_on: z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'Please choose the date.'),
    time: z
      .string()
      .trim()
      .regex(/^(([01]?\d|2[0-3]):[0-5]\d)?$/, 'Please enter a time such as 18:30.'),
    place: optionalText(120),
    innings: z.string().transform(Number),
    uses_dh: choice,
    reentry: choice,
    courtesy_runner: choice,
    run_rule: z.string().transform((rule) => rule || null),
    extra_runner: z.string().transform((base) => (base ? Number(base) : null)),
    time_limit: z
      .string()
      .trim()
      .refine(
        (text) => text === '' || (/^\d{1,3}$/.test(text) && Number(text) >= 30 && Number(text) <= 300),
        'Please enter minutes from 30 to 300.',
      )
      .transform((text) => (text ? Number(text) : null)),
    is_public: choice,
  })
  .transform(({ time, ...game }) => ({
    ...game,
    starts_at: time ? new Date(`${game.played_on}T${time.padStart(5, '0')}`).toISOString() : null,
  }))
