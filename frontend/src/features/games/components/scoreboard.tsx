import type { Bases } from '@/data/games/model'
import { Diamond, Outs } from '@/features/games/components/diamond'

export type Standing = {
  visitor_name: string
  home_name: string
  runs: readonly [number, number]
  /** "Top 5", "Final" */
  phase: string
  /** Bases and outs are shown while the game is live. */
  live: boolean
  bases: Bases
  outs: number
}

/** The head of a game: both teams, the score, and in the middle inning, bases and outs. */
export function Scoreboard({ visitor_name, home_name, runs, phase, live, bases, outs }: Standing) {
  const [first, second, third] = bases.map((runner) => runner !== null) as [boolean, boolean, boolean]
  return (
    <div className="grid grid-cols-[1fr_auto_1fr] overflow-hidden rounded-2xl bg-night text-night-foreground">
      <Team name={visitor_name} runs={runs[0]} />
      <div className="grid min-w-20 content-center justify-items-center gap-1.5 bg-black/40 px-3 py-3 text-center sm:min-w-36">
        <span className="text-sm font-semibold">{phase}</span>
        {live && (
          <>
            <Diamond first={first} second={second} third={third} />
            <Outs outs={outs} />
          </>
        )}
      </div>
      <Team name={home_name} runs={runs[1]} reversed />
    </div>
  )
}

function Team({ name, runs, reversed = false }: { name: string; runs: number; reversed?: boolean }) {
  return (
    <div
      className={`flex min-w-0 flex-col items-center justify-center gap-1 px-2 py-3 text-center sm:gap-6 sm:px-6 sm:py-6 ${
        reversed ? 'bg-[#0f5a5c] sm:flex-row-reverse' : 'bg-[#1d3f7a] sm:flex-row'
      }`}
    >
      <span className="min-w-0 grow font-display text-sm leading-tight font-semibold wrap-anywhere sm:text-2xl">
        {name}
      </span>
      <span className="font-display text-3xl font-bold tabular-nums sm:text-5xl">{runs}</span>
    </div>
  )
}
