import type { RecordField } from '@/ui/record-dialog'

/** What checks the form; loaded apart, since screens are drawn without it. */
export const schemas = () => import('@/features/games/schemas')

const SWITCH = [
  ['false', 'No'],
  ['true', 'Yes'],
] as const

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
  { name: 'uses_dh', label: 'Designated hitter', options: SWITCH },
  { name: 'reentry', label: 'Re-entry', options: SWITCH, help: 'A starter may return to the game once.' },
  {
    name: 'courtesy_runner',
    label: 'Courtesy runner',
    options: SWITCH,
    help: 'A substitute may run for the pitcher or the catcher.',
  },
  {
    name: 'run_rule',
    label: 'Run rule',
    options: [
      ['', 'None'],
      ['10/5', '10 runs after 5 innings'],
      ['15/3;10/5', '15 after 3, 10 after 5'],
      ['15/4;10/5', '15 after 4, 10 after 5'],
      ['10/7', '10 runs after 7 innings'],
      ['10/4', '10 runs after 4 innings'],
    ],
  },
  {
    name: 'extra_runner',
    label: 'Extra innings',
    options: [
      ['', 'Bases empty'],
      ['1', 'Runner on first'],
      ['2', 'Runner on second'],
    ],
  },
  { name: 'time_limit', label: 'Time limit', hint: 'optional', help: 'Minutes, from 30 to 300' },
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
