import type { RecordField } from '@/ui/record-dialog'

/** What checks the form; loaded apart, since screens are drawn without it. */
export const schemas = () => import('@/features/games/schemas')

const INNINGS = ['3', '4', '5', '6', '7', '8', '9'] as const

export const newGameFields: readonly RecordField[] = [
  { name: 'opponent', label: 'Opponent', wide: true },
  {
    name: 'is_home',
    label: 'Where',
    options: [
      ['true', 'Home'],
      ['false', 'Away'],
    ],
  },
  { name: 'played_on', label: 'Date', type: 'date' },
  { name: 'time', label: 'Time', hint: 'optional', help: 'For example 18:30' },
  { name: 'place', label: 'Field', hint: 'optional' },
  { name: 'innings', label: 'Innings', options: INNINGS.map((number) => [number, number] as const) },
  {
    name: 'uses_dh',
    label: 'Designated hitter',
    options: [
      ['false', 'No'],
      ['true', 'Yes'],
    ],
  },
  {
    name: 'is_public',
    label: 'Who can watch',
    options: [
      ['false', 'The team and its families'],
      ['true', 'Everybody'],
    ],
    help: 'Strangers see the number and initial of players whose profile is not public.',
    wide: true,
  },
]
