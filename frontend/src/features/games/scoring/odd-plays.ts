import type { Kind } from '@/features/games/scoring/kinds'
import type { Standing } from '@/features/games/scoring/standing'

/** What the list of odd plays leads to: a play, or another way to change the game. */
export type OddChoice =
  { kind: Kind; wild?: true; appeal?: true } | { panel: 'order' } | { sub: 'courtesy' | 'extra' | 'reentry' }

export type OddPlay = {
  name: string
  /** What it means, in a sentence. */
  text: string
  choice: OddChoice
  /** Whether it can happen now; always if absent. */
  when?: (now: Standing) => boolean
}

const runners = (now: Standing, least = 1) => now.bases.filter((runner) => runner !== null).length >= least
const some = (now: Standing) => runners(now)
const fewerOuts = (now: Standing) => runners(now) && now.outs < 2
const triple = (now: Standing) => runners(now, 2) && now.outs === 0

const ERRORS: readonly OddPlay[] = [
  {
    name: 'Hit and wild throw',
    text: 'A hit, then a throw goes wild and somebody takes another base.',
    choice: { kind: 'single', wild: true },
  },
  {
    name: 'Out and wild throw',
    text: 'The batter is out, then a throw goes wild and a runner takes another base.',
    choice: { kind: 'ground', wild: true },
    when: fewerOuts,
  },
  {
    name: 'Throwing error',
    text: 'The batter is safe because the throw went wild.',
    choice: { kind: 'throwing_error' },
  },
  {
    name: 'Dropped throw',
    text: 'The throw was good, but the last fielder you tap dropped it.',
    choice: { kind: 'dropped_throw' },
  },
  {
    name: 'Strike 3, error',
    text: 'The catcher’s throw or a dropped throw lets the batter reach first base.',
    choice: { kind: 'strikeout_error' },
  },
  {
    name: 'Dropped foul fly',
    text: 'A fielder drops a foul fly. The turn at bat goes on.',
    choice: { kind: 'foul_error' },
  },
  {
    name: 'Caught stealing, error',
    text: 'The runner would have been out, but the last fielder you tap made an error.',
    choice: { kind: 'caught_error' },
    when: some,
  },
  {
    name: 'Pickoff, error',
    text: 'The throw to the base went wild or was dropped, and runners advance.',
    choice: { kind: 'pickoff_error' },
    when: some,
  },
  {
    name: 'Sacrifice fly, error',
    text: 'The fly was dropped, but the runner on third would have scored anyway.',
    choice: { kind: 'sacrifice_fly_error' },
    when: (now) => now.outs < 2 && now.bases[2] !== null,
  },
  {
    name: 'Sacrifice bunt, error',
    text: 'The bunt moved the runners, and an error let the batter reach base.',
    choice: { kind: 'sacrifice_hit_error' },
    when: fewerOuts,
  },
  {
    name: 'Sacrifice bunt, all safe',
    text: 'The fielder tried for a runner on a bunt, and everybody is safe.',
    choice: { kind: 'sacrifice_choice' },
    when: fewerOuts,
  },
]

const INTERFERENCE: readonly OddPlay[] = [
  {
    name: 'Catcher’s interference',
    text: 'The catcher touches the bat. The batter goes to first base.',
    choice: { kind: 'interference' },
  },
  {
    name: 'Batter’s interference',
    text: 'The batter gets in the catcher’s way and is out. Runners go back.',
    choice: { kind: 'batter_interference' },
  },
  {
    name: 'Runner’s interference',
    text: 'A runner gets in a fielder’s way and is out. The batter goes to first base.',
    choice: { kind: 'runner_interference' },
    when: some,
  },
  {
    name: 'Ball hits a runner',
    text: 'The batted ball hits a runner, who is out. The batter has a single.',
    choice: { kind: 'runner_hit' },
    when: some,
  },
  {
    name: 'Fan’s interference, out',
    text: 'A spectator touches the ball. The umpire calls the batter out.',
    choice: { kind: 'fan_out' },
  },
  {
    name: 'Fan’s interference, double',
    text: 'A spectator touches the ball. The umpire gives the batter second base.',
    choice: { kind: 'fan_double' },
  },
  {
    name: 'Batter obstructed',
    text: 'A fielder without the ball is in the batter’s way, who goes to first base.',
    choice: { kind: 'obstruction_batter' },
  },
  {
    name: 'Runner obstructed',
    text: 'A fielder without the ball is in a runner’s way, who gets the next base.',
    choice: { kind: 'obstruction_runner' },
    when: some,
  },
]

const OUTS: readonly OddPlay[] = [
  {
    name: 'Infield fly',
    text: 'With runners on first and second the batter is out, caught or not.',
    choice: { kind: 'infield_fly' },
    when: (now) => now.outs < 2 && now.bases[0] !== null && now.bases[1] !== null,
  },
  {
    name: 'Line drive, double play',
    text: 'A line drive is caught, and a runner is out before returning.',
    choice: { kind: 'line_double' },
    when: fewerOuts,
  },
  {
    name: 'Fly ball, double play',
    text: 'A fly ball is caught, and a runner is thrown out.',
    choice: { kind: 'fly_double' },
    when: fewerOuts,
  },
  { name: 'Triple play', text: 'Three outs on one ground ball.', choice: { kind: 'triple_play' }, when: triple },
  {
    name: 'Line drive, triple play',
    text: 'A line drive is caught, and two runners are out.',
    choice: { kind: 'line_triple' },
    when: triple,
  },
  {
    name: 'Picked off stealing',
    text: 'The pitcher throws to the base, and the runner is out on the way to the next one.',
    choice: { kind: 'picked_off_stealing' },
    when: some,
  },
]

const APPEALS: readonly OddPlay[] = [
  {
    name: 'Appeal on a runner',
    text: 'After the play, a runner is out for leaving early or missing a base.',
    choice: { kind: 'appeal' },
    when: some,
  },
  {
    name: 'Caught fly, left early',
    text: 'A fly is caught, and a runner who left too early is out, even as the fourth out.',
    choice: { kind: 'appeal_fly' },
    when: some,
  },
  {
    name: 'Hit, base missed',
    text: 'A hit, and a runner who missed a base is out on appeal, even as the fourth out.',
    choice: { kind: 'single', appeal: true },
    when: some,
  },
]

const OTHER: readonly OddPlay[] = [
  {
    name: 'Other advance',
    text: 'A runner advances, or is out trying, in a way that has no name of its own.',
    choice: { kind: 'other_advance' },
    when: some,
  },
]

const ORDER: readonly OddPlay[] = [
  {
    name: 'Another batter is up',
    text: 'The team bats out of turn. Choose who is at bat; the order goes on from there.',
    choice: { panel: 'order' },
  },
  {
    name: 'Out for batting out of turn',
    text: 'The other team appeals: the batter who should have batted is out.',
    choice: { kind: 'out_of_turn' },
  },
  {
    name: 'Courtesy runner',
    text: 'Somebody runs for the pitcher or catcher, who stays in the game.',
    choice: { sub: 'courtesy' },
    when: some,
  },
  {
    name: 'Extra hitter',
    text: 'A player joins at the end of the batting order.',
    choice: { sub: 'extra' },
  },
  {
    name: 'Re-entry',
    text: 'A player who left the game comes back at the same place in the order.',
    choice: { sub: 'reentry' },
  },
]

/** The odd plays by group, as the rules list them. */
export const ODD_PLAYS: readonly (readonly [group: string, plays: readonly OddPlay[]])[] = [
  ['Errors', ERRORS],
  ['Interference and obstruction', INTERFERENCE],
  ['Outs', OUTS],
  ['Appeals', APPEALS],
  ['Runners', OTHER],
  ['Lineup', ORDER],
]
