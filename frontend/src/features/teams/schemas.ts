import { z } from 'zod'
import { optionalText } from '@/lib/fields'

const name = z.string().trim().min(2, 'Please give the team a name.').max(100, 'Please keep it under 100 characters.')
const state = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^([A-Z]{2})?$/, 'Please enter two letters, such as TX.')
  .transform((text) => text || null)

/** A team's name and place, which its coaches may change. */
export const teamSchema = z.object({ name, city: optionalText(100), state })
/** A new one also says in which league. */
export const newTeamSchema = teamSchema.extend({ league_id: z.string().transform((id) => id || null) })
