import type { GameRecord, Move, Outcome, Turn } from '@/data/games/model'

/** A play in words: what the batter did, and what it meant for the runners. */
export type Words = { title: string; detail: string }

const PLACES: Readonly<Record<string, string>> = {
  '1': 'the pitcher',
  '2': 'the catcher',
  '3': 'first',
  '4': 'second',
  '5': 'third',
  '6': 'short',
  '7': 'left',
  '8': 'center',
  '9': 'right',
}

const BASES = ['home', 'first', 'second', 'third', 'home'] as const

/** The parts of a play line: `play,inning,side,batter,count,pitches,event`. */
export function eventOf(record: string): string {
  return record.startsWith('play,') ? (record.split(',')[6] ?? '') : ''
}

/** A record in words. `name` says who an athlete is. */
export function words(
  { record, outcome }: Pick<GameRecord, 'record' | 'outcome'>,
  name: (id: string) => string,
): Words {
  if (record.startsWith('sub,')) return substitution(record, name)
  if (record.startsWith('com,')) return { title: 'The half-inning ends', detail: '' }
  if (record.startsWith('radj,')) return placed(record, name)
  if (record.startsWith('ladj,')) return { title: `Out of turn: place ${record.split(',')[2] ?? ''} bats`, detail: '' }
  const event = eventOf(record)
  if (!outcome) return event === 'NP' ? interrupted(record) : { title: 'Adjustment', detail: '' }
  return { title: titleOf(event, outcome, name), detail: detailOf(event, outcome, name) }
}

/** A plate appearance that a substitution or the end of the half-inning interrupts. */
function interrupted(record: string): Words {
  const count = /^([0-3])([0-2])$/.exec(record.split(',')[4] ?? '')
  return { title: count ? `Interrupted at ${count[1]}–${count[2]}` : 'No play', detail: '' }
}

const POSITIONS = [
  '',
  'pitcher',
  'catcher',
  'first base',
  'second base',
  'third base',
  'shortstop',
  'left field',
  'center field',
  'right field',
  'designated hitter',
  'pinch-hitter',
  'pinch-runner',
] as const

function substitution(record: string, name: (id: string) => string): Words {
  const [, id = '', , , order, position] = record.split(',')
  const place = POSITIONS[Number(position)] ?? ''
  return { title: `${name(id)} in: ${place}`, detail: order === '0' ? '' : `Bats in place ${order}` }
}

function placed(record: string, name: (id: string) => string): Words {
  const [, id = '', base] = record.split(',')
  return { title: `${name(id)} starts on ${BASES[Number(base)] ?? 'base'}`, detail: '' }
}

/** What a modifier makes of a play, in the order in which they are looked for. */
const ODD: readonly (readonly [modifier: RegExp, title: string])[] = [
  [/\/BINT/, 'Out on batter’s interference'],
  [/\/BOOT/, 'Out for batting out of turn'],
  [/^FC.*\/RINT/, 'Out on runner’s interference'],
  [/^S.*\/RINT/, 'Single, the ball hits a runner'],
  [/^D.*\/FINT/, 'Double on fan’s interference'],
  [/\/FINT/, 'Out on fan’s interference'],
  [/^FC.*\/SH/, 'Sacrifice bunt, all safe'],
]

function titleOf(event: string, outcome: Outcome, name: (id: string) => string): string {
  const { turn } = outcome
  if (!turn) return runningTitle(event, outcome, name)
  const odd = ODD.find(([modifier]) => modifier.test(event))?.[1]
  return (odd ?? turnTitle(event, outcome, turn)) + afterwards(event)
}

/** An appeal, and a wild throw on which somebody advanced. */
function afterwards(event: string): string {
  const by = /\.\S*\(E(\d)\/TH\)/.exec(event)?.[1]
  const wild = by ? `, throwing error by ${PLACES[by]}` : ''
  return `${/\/AP\b/.test(event) ? ', runner out on appeal' : ''}${wild}`
}

function turnTitle(event: string, outcome: Outcome, turn: Turn): string {
  const [basic = ''] = event.split(/[./+]/)
  const located = turn.result === 'home_run' ? event : basic
  const place = PLACES[/\d/.exec(located)?.[0] ?? '']
  const to = place ? ` to ${place}` : ''
  switch (turn.result) {
    case 'single':
      return event.includes('/BG') ? 'Bunt single' : `Single${to}`
    case 'double':
      return event.startsWith('DGR') ? 'Ground-rule double' : `Double${to}`
    case 'triple':
      return `Triple${to}`
    case 'home_run':
      return `Home run${to}`
    case 'walk':
      return `Walk${besides(event)}`
    case 'intentional_walk':
      return 'Intentional walk'
    case 'hit_by_pitch':
      return 'Hit by pitch'
    case 'interference':
      return 'Catcher’s interference'
    case 'strikeout':
      return strikeout(event)
    case 'error':
      return error(event, basic)
    case 'fielders_choice':
      return 'Fielder’s choice'
    default:
      return out(event, basic, outcome)
  }
}

/** "Throwing error by short" of `E6/TH`, "Error by first" of `6E3`. */
function error(event: string, basic: string): string {
  const by = PLACES[/E(\d)/.exec(basic)?.[1] ?? ''] ?? 'a fielder'
  if (event.includes('/OBS')) return `Obstruction by ${by}`
  const kind = /^[^.]*\/TH/.test(event) ? 'Throwing error' : 'Error'
  if (event.includes('/SF')) return `Sacrifice fly, error by ${by}`
  return event.includes('/SH') ? `Sacrifice bunt, error by ${by}` : `${kind} by ${by}`
}

const BESIDES = {
  WP: 'wild pitch',
  PB: 'passed ball',
  SB: 'stolen base',
  CS: 'caught stealing',
  PO: 'pick-off',
} as const

/** What else happened on the last pitch. */
function besides(event: string): string {
  const [, what] = /^[KW]\d*\+(WP|PB|SB|CS|PO)/.exec(event) ?? []
  return what ? `, ${BESIDES[what as keyof typeof BESIDES]}` : ''
}

function strikeout(event: string): string {
  const looking = /\/C\b/.test(event) ? ' looking' : ''
  const [basic = ''] = event.split(/[./]/)
  const by = PLACES[/E(\d)$/.exec(basic)?.[1] ?? '']
  if (by) return `Strikeout${looking}, error by ${by}`
  const thrown = /^K\d+/.test(event) ? ', thrown out' : ''
  return `Strikeout${looking}${thrown}${besides(event)}`
}

function out(event: string, basic: string, { turn, multiplePlay, outs }: Outcome): string {
  const fielders = basic.replace(/\([^)]*\)/g, '').match(/[1-9]/g) ?? []
  const sequence = fielders.join('-')
  const place = PLACES[fielders[0] ?? '']
  if (multiplePlay && !event.includes('/AP')) {
    const how = /\/L[DT]P/.test(event) ? 'Line drive, ' : /\/FDP/.test(event) ? 'Fly ball, ' : ''
    return `${how}${sequence} ${outs === 3 ? 'triple' : 'double'} play`
  }
  if (/\/IF\b/.test(event)) return `Infield fly to ${place}`
  if (turn?.sacrificeHit) return `Sacrifice bunt, ${sequence}`
  if (turn?.sacrificeFly) return `Sacrifice fly to ${place}`
  if (event.includes('/FO')) return `Force out, ${sequence}`
  if (/\/F\b|\/F\d/.test(event) || (fielders.length === 1 && Number(fielders[0]) >= 7)) return `Fly out to ${place}`
  if (/\/L\b|\/L\d/.test(event)) return `Line out to ${place}`
  if (/\/P\b|\/P\d|\/IF/.test(event)) return `Pop out to ${place}`
  return fielders.length === 1 ? `Ground out to ${place}, unassisted` : `Ground out, ${sequence}`
}

function runningTitle(event: string, outcome: Outcome, name: (id: string) => string): string {
  const [first] = outcome.moves
  const who = first ? name(first.athlete) : ''
  if (event.startsWith('FLE')) return `Foul fly dropped by ${PLACES[event[3] ?? ''] ?? 'a fielder'}`
  if (event.includes('/OBS')) return `Obstruction, ${who} to ${baseAfter(first)}`
  if (event.includes('/AP')) return `${who} out on appeal`
  if (event.startsWith('SB')) return outcome.moves.length > 1 ? 'Double steal' : `${who} steals ${baseAfter(first)}`
  if (event.startsWith('POCS') || event.startsWith('CS'))
    return `${who} ${first?.to === null ? 'caught stealing' : 'safe on an error'}`
  if (event.startsWith('PO'))
    return first?.to === null ? `${who} picked off` : `Pickoff error, ${who} to ${baseAfter(first)}`
  if (event.startsWith('WP')) return 'Wild pitch'
  if (event.startsWith('PB')) return 'Passed ball'
  if (event.startsWith('BK')) return 'Balk'
  if (event.startsWith('DI')) return 'Defensive indifference'
  return outcome.outs > 0 ? `${who} out on the bases` : 'Runners advance'
}

const baseAfter = (move: Move | undefined) => BASES[move?.to ?? move?.outAt ?? 0]

/** "Bell scores, Osei to second": all but what the title says of the batter. */
function detailOf(event: string, { turn, moves }: Outcome, name: (id: string) => string): string {
  const bases: Readonly<Record<string, number>> = { single: 1, double: 2, triple: 3, home_run: 4 }
  const said = (move: Move) => {
    if (turn) return move.from === 0 && (move.to === null || move.to === (bases[turn.result] ?? 1))
    return moves.length === 1 && /^(SB|CS|PO|OA\/)/.test(event)
  }
  return moves
    .filter((move) => !said(move))
    .map(({ athlete, to, outAt }) => {
      if (to === null) return `${name(athlete)} out${outAt ? ` at ${BASES[outAt]}` : ''}`
      return to === 4 ? `${name(athlete)} scores` : `${name(athlete)} to ${BASES[to]}`
    })
    .join(', ')
}
