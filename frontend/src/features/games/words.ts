import type { GameRecord, Move, Outcome } from '@/data/games/model'

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

function titleOf(event: string, outcome: Outcome, name: (id: string) => string): string {
  const { turn } = outcome
  if (!turn) return runningTitle(event, outcome, name)
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
      return `Error by ${place ?? 'a fielder'}`
    case 'fielders_choice':
      return 'Fielder’s choice'
    default:
      return out(event, basic, outcome)
  }
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
  const thrown = /^K\d+/.test(event) ? ', thrown out' : ''
  return `Strikeout${looking}${thrown}${besides(event)}`
}

function out(event: string, basic: string, { turn, multiplePlay, outs }: Outcome): string {
  const fielders = basic.replace(/\([^)]*\)/g, '').match(/[1-9]/g) ?? []
  const sequence = fielders.join('-')
  const place = PLACES[fielders[0] ?? '']
  if (multiplePlay) return `${sequence} ${outs === 3 ? 'triple' : 'double'} play`
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
  if (event.startsWith('SB')) return outcome.moves.length > 1 ? 'Double steal' : `${who} steals ${baseAfter(first)}`
  if (event.startsWith('POCS') || event.startsWith('CS'))
    return `${who} ${first?.to === null ? 'caught stealing' : 'safe on an error'}`
  if (event.startsWith('PO')) return first?.to === null ? `${who} picked off` : 'Pick-off error'
  if (event.startsWith('WP')) return 'Wild pitch'
  if (event.startsWith('PB')) return 'Passed ball'
  if (event.startsWith('BK')) return 'Balk'
  if (event.startsWith('DI')) return 'Defensive indifference'
  if (event.startsWith('FLE')) return 'Error on a foul ball'
  return 'Runners advance'
}

const baseAfter = (move: Move | undefined) => BASES[move?.to ?? move?.outAt ?? 0]

/** "Bell scores, Osei to second": all but what the title says of the batter. */
function detailOf(event: string, { turn, moves }: Outcome, name: (id: string) => string): string {
  const bases: Readonly<Record<string, number>> = { single: 1, double: 2, triple: 3, home_run: 4 }
  const said = (move: Move) => {
    if (turn) return move.from === 0 && (move.to === null || move.to === (bases[turn.result] ?? 1))
    return moves.length === 1 && /^(SB|CS|PO)/.test(event)
  }
  return moves
    .filter((move) => !said(move))
    .map(({ athlete, to, outAt }) => {
      if (to === null) return `${name(athlete)} out${outAt ? ` at ${BASES[outAt]}` : ''}`
      return to === 4 ? `${name(athlete)} scores` : `${name(athlete)} to ${BASES[to]}`
    })
    .join(', ')
}
