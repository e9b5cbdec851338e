import { half, nameOf, type Game, type GameRecord } from '@/data/games/model'
import { eventOf, words } from '@/features/games/words'

/** The end of a line in event files. */
const END = '\r\n'

/** The game as an event file in Retrosheet's notation. Players have short ids; names are those that the viewer may know. */
export function eventFile(game: Game, records: readonly GameRecord[]): string {
  const ids = new Map([...game.athletes.keys()].map((id, index) => [id, `p${String(index + 1).padStart(3, '0')}`]))
  const short = (text: string) =>
    text.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => ids.get(id) ?? id)
  const date = game.played_on.replaceAll('-', '/')
  const infos = [
    ['visteam', 'VIS'],
    ['hometeam', 'HOM'],
    ['date', date],
    ['number', String(game.number)],
    ['innings', String(game.innings)],
    ['usedh', String(game.uses_dh)],
    ['htbf', String(game.home_bats_first)],
  ]
  const starters = [...game.athletes.values()]
    .filter(({ order, position }) => order !== null && position !== null)
    .sort((one, other) => one.side - other.side || (one.order ?? 0) - (other.order ?? 0))
  const named = (text: string) => `"${text.replaceAll('"', '')}"`
  return [
    `id,HOM${game.played_on.replaceAll('-', '')}${game.number}`,
    'version,2',
    ...infos.map((info) => `info,${info.join(',')}`),
    ...starters.map((one) => `start,${ids.get(one.id)},${named(nameOf(one))},${one.side},${one.order},${one.position}`),
    ...records.map(({ record }) => {
      const [kind, id = '', , ...rest] = record.split(',')
      return kind === 'sub'
        ? `sub,${ids.get(id)},${named(nameOf(game.athletes.get(id)))},${rest.join(',')}`
        : short(record)
    }),
    '',
  ].join(END)
}

const COLUMNS = [
  'inning',
  'batter',
  'pitcher',
  'event',
  'play',
  'outs',
  'runs',
  'visitors',
  'home',
  'home_win_probability',
]

/** A row for each play. */
export function playTable(game: Game, records: readonly GameRecord[]): string {
  const name = (id: string) => nameOf(game.athletes.get(id))
  const rows = records.flatMap((record) => {
    const { outcome } = record
    if (!outcome) return []
    const { title, detail } = words(record, name)
    return [
      [
        half(outcome.inning, outcome.batting, game.home_bats_first),
        name(outcome.batter),
        name(outcome.pitcher),
        eventOf(record.record),
        [title, detail].filter(Boolean).join('. '),
        outcome.outs,
        outcome.runs,
        ...outcome.score,
        outcome.win?.home ?? '',
      ],
    ]
  })
  return [COLUMNS, ...rows].map((row) => row.map(cell).join(',')).join(END) + END
}

/** Quoted if needed. A text that a spreadsheet would run as a formula begins with an apostrophe. */
function cell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
