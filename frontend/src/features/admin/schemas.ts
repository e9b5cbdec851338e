import { z } from 'zod'
import { requiredNumber, requiredText } from '@/lib/fields'
import { SIGNUP_ROLES } from '@/lib/role'

/** The server wants 3 to 1,000 characters. */
const reason = requiredText(1000, 'Please say why: it stands in the audit log.').refine(
  (text) => text.length >= 3,
  'A few words, please: it stands in the audit log.',
)
export const reasonSchema = z.object({ reason })
export const roleSchema = z.object({ role: z.enum(SIGNUP_ROLES), reason })
export const tierSchema = z.object({ tier: z.string().min(1, 'Please choose a membership.'), reason })
export const tokensSchema = z.object({
  amount: requiredNumber(-100_000, 100_000).refine((amount) => amount !== 0, 'Please enter an amount other than 0.'),
  reason,
})
export const reportSchema = z.object({
  status: z.enum(['open', 'resolved', 'dismissed']),
  resolution: requiredText(1000, 'Please say what was found and done.').refine(
    (text) => text.length >= 3,
    'Please write a few words. The person who reported it reads them.',
  ),
})
