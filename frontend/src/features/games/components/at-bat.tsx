import { nameOf, type Game } from '@/data/games/model'
import { pitchLog, type PitchMark } from '@/features/games/pitch-log'
import { cn } from '@/ui/class-names'
import { Card } from '@/ui/section'

/** The live plate appearance: batter, pitcher, count, and each pitch as it is thrown. */
export function AtBat({ game }: { game: Game }) {
  const [batter, pitcher] = [game.batter_id, game.pitcher_id].map((id) => (id ? game.athletes.get(id) : undefined))
  if (!batter || !pitcher) return null
  const pitches = pitchLog(game.pitches)
  return (
    <Card title="At bat">
      <div className="grid gap-4 sm:grid-cols-2">
        <div className="grid content-start gap-3">
          <p>
            <span className="font-semibold">{nameOf(batter)}</span> against{' '}
            <span className="font-semibold">{nameOf(pitcher)}</span>
          </p>
          <div className="flex gap-5">
            {/* The count is known only if pitches are recorded. */}
            {pitches.length > 0 && (
              <>
                <Lamps name="Balls" short="B" count={game.balls ?? 0} of={3} lit="border-primary bg-primary" />
                <Lamps name="Strikes" short="S" count={game.strikes ?? 0} of={2} lit="border-clay bg-clay" />
              </>
            )}
            <Lamps name="Outs" short="O" count={game.outs} of={2} lit="border-foreground bg-foreground" />
          </div>
        </div>
        {pitches.length > 0 ? (
          <ol aria-label="Pitches" className="divide-y divide-border border-y border-border text-sm">
            {pitches.map((pitch) => (
              <Pitch key={pitch.number} {...pitch} />
            ))}
          </ol>
        ) : (
          <p className="text-sm text-muted-foreground">No pitch of this turn is recorded yet.</p>
        )}
      </div>
    </Card>
  )
}

function Pitch({ number, name, ball, count }: PitchMark) {
  return (
    <li className="flex items-center gap-3 py-1.5">
      <span
        aria-hidden
        className={cn(
          'grid size-6 place-items-center rounded-full border-2 text-xs font-semibold',
          ball ? 'border-primary text-primary' : 'border-clay text-foreground',
        )}
      >
        {number}
      </span>
      <span className="grow">{name}</span>
      <span className="text-muted-foreground tabular-nums">{count}</span>
    </li>
  )
}

type LampsProps = { name: string; short: string; count: number; of: number; lit: string }

function Lamps({ name, short, count, of, lit }: LampsProps) {
  return (
    <span role="img" aria-label={`${name}: ${count}`} className="flex items-center gap-1.5">
      <span className="text-sm font-bold">{short}</span>
      {Array.from({ length: of }, (_, lamp) => (
        <span key={lamp} className={cn('size-3 rounded-full border-2', lamp < count ? lit : 'border-input')} />
      ))}
    </span>
  )
}
