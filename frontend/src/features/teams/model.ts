import { z } from 'zod'
import { optionalText } from '@/lib/fields'
import type { RecordField } from '@/ui/record-dialog'

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

const NAME: RecordField = { name: 'name', label: 'Team name', wide: true }
const PLACE: readonly RecordField[] = [
  { name: 'city', label: 'City', hint: 'optional' },
  { name: 'state', label: 'State', hint: 'optional', help: 'Two letters, such as TX' },
]

export const TEAM_FIELDS: readonly RecordField[] = [NAME, ...PLACE]

type League = { id: string; name: string; level: string }

export const newTeamFields = (leagues: readonly League[]): readonly RecordField[] => [
  NAME,
  {
    name: 'league_id',
    label: 'League',
    options: [['', 'None'], ...leagues.map(({ id, name, level }) => [id, `${name} (${level})`] as const)],
    wide: true,
  },
  ...PLACE,
]

export type TeamValues = z.output<typeof teamSchema>
export type NewTeamValues = z.output<typeof newTeamSchema>

type Team = { city: string | null; state: string | null; leagues: { name: string } | null }

/** "Cedar Falls, OR · Cascade Valley League" */
export const place = ({ city, state, leagues }: Team) =>
  [[city, state].filter(Boolean).join(', '), leagues?.name].filter(Boolean).join(' · ')
