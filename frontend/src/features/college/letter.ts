import type { Board, LetterFacts, Program, Target } from '@/data/college/model'
import { decimal, feet } from '@/lib/format'

/** The fields of a letter, with their meaning. A field is written as `{program}`. */
export const MERGE_FIELDS = {
  program: 'the program',
  school: 'the institution',
  coach: 'your last contact there',
  name: 'your name',
  class: 'your class',
  positions: 'your positions',
  bats_throws: 'bats and throws',
  size: 'height and weight',
  town: 'your home town',
  high_school: 'your school',
  numbers: 'your verified numbers, one a line',
  profile: 'the address of your profile',
} as const

type Field = keyof typeof MERGE_FIELDS
const isField = (name: string): name is Field => Object.hasOwn(MERGE_FIELDS, name)

/** The values of the fields; null if unknown. */
export function mergeValues(
  board: Board,
  target: Target,
  program: Program,
  facts: LetterFacts,
  origin: string,
): Record<Field, string | null> {
  const { bats, throws, height_in, weight_lb } = facts
  const size = [height_in !== null && feet(height_in), weight_lb !== null && `${weight_lb} lb`].filter(Boolean)
  return {
    program: program.name,
    school: program.institution ?? program.name,
    coach: target.college_contacts.find(({ person }) => person)?.person ?? null,
    name: board.name,
    class: board.gradYear === null ? null : String(board.gradYear),
    positions: facts.positions.join(', ') || null,
    bats_throws: bats && throws ? `${bats}/${throws}` : null,
    size: size.join(', ') || null,
    town: facts.hometown,
    high_school: facts.school,
    numbers:
      facts.numbers
        .map(({ label, value, decimals, unit }) => `${label}: ${decimal(value, decimals)} ${unit}`.trim())
        .join('\n') || null,
    profile: `${origin}/player/${board.playerId}`,
  }
}

export type Piece = { text: string; missing: boolean }

/** A letter with its fields filled in. Unknown fields, and fields without a value, stay as written and are marked. */
export function fillIn(body: string, values: Readonly<Record<Field, string | null>>): Piece[] {
  return body
    .split(/(\{\w{1,40}\})/)
    .map((text) => {
      const name = /^\{(\w+)\}$/.exec(text)?.[1]
      if (name === undefined) return { text, missing: false }
      const value = isField(name) ? values[name] : null
      return value === null ? { text, missing: true } : { text: value, missing: false }
    })
    .filter(({ text }) => text !== '')
}

export const plainText = (pieces: readonly Piece[]) => pieces.map(({ text }) => text).join('')

/** Templates that the app offers. */
export const STARTERS: readonly { title: string; body: string }[] = [
  {
    title: 'Introduction',
    body: `Dear {coach},

My name is {name}, class of {class}. I play {positions} ({bats_throws}) for {high_school} in {town}, and I am interested in {program} baseball.

My verified numbers:
{numbers}

My profile with video and statistics: {profile}

May I send you my schedule?

{name}`,
  },
  {
    title: 'After a camp or visit',
    body: `Dear {coach},

Thank you for your time. I enjoyed seeing {school} and how the team works.

Since then my profile has new numbers: {profile}

What would you like to see from me next?

{name}, class of {class}`,
  },
  {
    title: 'Answer to an offer',
    body: `Dear {coach},

Thank you for the offer. My family and I are going through it, and I would like to ask you some questions about it.

{name}, class of {class}`,
  },
]
