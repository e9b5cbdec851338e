import type { RecordField } from '@/ui/record-dialog'

/** What checks the forms; loaded apart, since screens are drawn without it. */
export const schemas = () => import('@/features/teams/schemas')

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

type Team = { city: string | null; state: string | null; leagues: { name: string } | null }

/** "Cedar Falls, OR · Cascade Valley League" */
export const place = ({ city, state, leagues }: Team) =>
  [[city, state].filter(Boolean).join(', '), leagues?.name].filter(Boolean).join(' · ')
