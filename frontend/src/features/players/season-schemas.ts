import { z } from 'zod'
import { requiredNumber } from '@/lib/fields'
import { BATTING, PITCHING } from '@/features/players/season-lines'

const counts = <Name extends string>(limits: Record<Name, number>) =>
  Object.fromEntries(Object.entries<number>(limits).map(([name, limit]) => [name, requiredNumber(0, limit)])) as Record<
    Name,
    ReturnType<typeof requiredNumber>
  >

const season = {
  season: requiredNumber(1950, 2100),
  team_name: z.string().trim().max(100, 'Please keep it under 100 characters.'),
  league_name: z.string().trim().max(100, 'Please keep it under 100 characters.'),
}

/** Impossible combinations are reported at the field concerned. */
export const battingSchema = z.object({ ...season, ...counts(BATTING) }).superRefine((line, context) => {
  const say = (path: keyof typeof BATTING, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message })
  if (line.h + line.so > line.ab) say('ab', 'Hits and strikeouts are at bats: there are more of them.')
  if (line.doubles + line.triples + line.hr > line.h) say('h', 'Doubles, triples and home runs are hits, too.')
  if (line.ab + line.bb + line.hbp + line.sf + line.sh > line.pa) {
    say('pa', 'At bats, walks, hit by pitch and sacrifices are plate appearances: there are more of them.')
  }
})

export const pitchingSchema = z
  .object({
    ...season,
    ...counts(PITCHING),
    innings: z
      .string()
      .trim()
      .regex(/^\d{1,3}(\.[012])?$/, 'Please enter innings such as 45.1: the digit counts outs.'),
  })
  .superRefine((line, context) => {
    const say = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (line.gs > line.g) say('gs', 'Starts are games: there are more of them.')
    if (line.w + line.l + line.sv > line.g) say('w', 'Wins, losses and saves are games: there are more of them.')
    if (line.er > line.r) say('er', 'Earned runs are runs: there are more of them.')
    if (line.hr > line.h) say('hr', 'Home runs are hits: there are more of them.')
  })
  .transform(({ innings, ...line }) => ({ ...line, outs: outsOf(innings) }))

/** 19 outs are `6.1` innings. */
export function outsOf(innings: string): number {
  const [whole = '0', outs = '0'] = innings.split('.')
  return Number(whole) * 3 + Number(outs)
}
