import { countOf, PITCHES, type Pitch } from '@/features/games/scoring/pitches'
import { Button } from '@/ui/button'

type PitchPadProps = { pitches: string; onPitch: (pitch: Pitch) => void }

/** The count, and a button for each kind of pitch that is not put in play. */
export function PitchPad({ pitches, onPitch }: PitchPadProps) {
  const { balls, strikes } = countOf(pitches)
  return (
    <div className="grid gap-2 rounded-xl bg-muted p-2">
      <p role="status" className="flex items-center justify-between px-2 text-sm">
        <span>
          Count <span className="font-display text-lg font-bold tabular-nums">{`${balls}–${strikes}`}</span>
        </span>
        <span className="text-muted-foreground">
          {pitches === '' ? 'Pitches are optional' : Array.from(pitches).join(' ')}
        </span>
      </p>
      <div className="grid grid-cols-4 gap-2">
        {PITCHES.map(([pitch, name]) => (
          <Button
            key={pitch}
            variant="secondary"
            className="h-14 px-1 text-sm whitespace-normal"
            onClick={() => onPitch(pitch)}
          >
            {name}
          </Button>
        ))}
      </div>
    </div>
  )
}
