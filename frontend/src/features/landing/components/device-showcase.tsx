import type { ReactNode } from 'react'
import { SAMPLE_PLAYER } from '@/features/landing/model'

/** A season's batting average, game by game, in the drawing's units. */
const TREND = 'M4 46 22 41 40 44 58 33 76 36 94 27 112 30 130 19 148 22 166 12'
const LEADERS = [
  ['M. Reed', '.318'],
  ['J. Ortega', '.309'],
  ['T. Whitlock', '.301'],
  ['D. Amaya', '.294'],
]
const TONES = ['bg-clay', 'bg-night-muted', 'bg-night-line', 'bg-night-line']

/** Section 2's device showcase: the same season on a laptop, a tablet and a phone. Drawings, hence one name for all. */
export function DeviceShowcase() {
  return (
    <section aria-labelledby="devices-title" className="overflow-hidden bg-night text-night-foreground">
      <div className="mx-auto max-w-6xl px-5 py-16 sm:py-20">
        <h2 id="devices-title" className="text-3xl font-bold tracking-tight sm:text-4xl">
          In the dugout, on the bus, at the desk
        </h2>
        <p className="mt-3 max-w-2xl text-lg text-night-muted">
          One account on every device: enter numbers on the phone, compare on the tablet, read the season on the laptop.
        </p>
        <div
          role="img"
          aria-label="Dugout on a laptop, a tablet and a phone"
          className="mt-12 flex items-end justify-center gap-3 sm:gap-6"
        >
          <Laptop />
          <Device className="hidden w-52 rounded-2xl p-2.5 sm:block">
            <Leaders />
          </Device>
          <Device className="w-28 rounded-2xl p-1.5 sm:w-36 sm:rounded-3xl sm:p-2">
            <Card />
          </Device>
        </div>
      </div>
    </section>
  )
}

function Device({ className, children }: { className: string; children: ReactNode }) {
  return (
    <div className={`shrink-0 border border-night-line bg-black/60 shadow-2xl ${className}`}>
      <div className="rounded-[inherit] bg-night-raised p-3">{children}</div>
    </div>
  )
}

function Laptop() {
  return (
    <div className="min-w-0 grow sm:max-w-xl">
      <div className="rounded-t-xl border border-b-0 border-night-line bg-black/60 p-2 shadow-2xl">
        <div className="grid gap-3 rounded-md bg-night-raised p-3 sm:grid-cols-[auto_1fr] sm:p-4">
          <div className="hidden w-20 content-start gap-2 sm:grid">
            {TONES.map((tone, line) => (
              <span key={line} className={`h-2 rounded-full ${tone} ${line % 2 ? 'w-14' : 'w-16'}`} />
            ))}
          </div>
          <div className="grid gap-3">
            <div className="flex flex-wrap gap-x-5 gap-y-1 text-xs text-night-muted">
              <Figure name="AVG" value=".318" />
              <Figure name="ERA" value={SAMPLE_PLAYER.era.toFixed(2)} />
              <Figure name="W-L" value={`${SAMPLE_PLAYER.wins}-${SAMPLE_PLAYER.losses}`} />
            </div>
            <svg viewBox="0 0 170 52" className="w-full">
              {[12, 29, 46].map((y) => (
                <path key={y} d={`M0 ${y}h170`} className="stroke-night-line" strokeWidth="0.5" />
              ))}
              <path d={`${TREND}V52H4Z`} className="fill-clay/15" />
              <path d={TREND} fill="none" className="stroke-clay" strokeWidth="1.5" strokeLinejoin="round" />
            </svg>
          </div>
        </div>
      </div>
      <div className="-mx-2 h-3 rounded-b-xl bg-night-line sm:-mx-5" />
    </div>
  )
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <span>
      {name} <span className="font-display text-base font-bold text-night-foreground tabular-nums">{value}</span>
    </span>
  )
}

function Leaders() {
  return (
    <>
      <p className="font-display text-sm font-semibold">Batting averages</p>
      <div className="mt-3 grid gap-2.5 text-xs">
        {LEADERS.map(([name, average], place) => (
          <div key={name} className="grid grid-cols-[1rem_1fr_auto] items-center gap-2">
            <span className="text-night-muted">{place + 1}</span>
            <span>{name}</span>
            <span className="font-semibold tabular-nums">{average}</span>
            <span className="col-span-3 h-1 rounded-full bg-night-line">
              <span
                className="block h-full rounded-full bg-clay"
                style={{ width: `${Number(average) * 290 - (place > 0 ? place * 4 : 0)}%` }}
              />
            </span>
          </div>
        ))}
      </div>
    </>
  )
}

function Card() {
  return (
    <div className="grid gap-2 text-[10px] sm:text-xs">
      <div className="flex items-center gap-2">
        <span className="size-5 shrink-0 rounded-full bg-clay" />
        <span className="min-w-0 truncate font-display font-semibold">{SAMPLE_PLAYER.name}</span>
      </div>
      <p className="text-night-muted">
        {SAMPLE_PLAYER.homeRuns} HR, {SAMPLE_PLAYER.rbi} RBI, {SAMPLE_PLAYER.strikeouts} K
      </p>
      <svg viewBox="0 0 100 70" className="w-full">
        <path d="M50 66 8 24a60 60 0 0 1 84 0Z" className="fill-night stroke-night-line" />
        <path d="m50 62 15-14-15-14-15 14Z" fill="none" className="stroke-night-line" />
        {[
          [30, 26],
          [52, 16],
          [70, 28],
          [44, 38],
        ].map(([x, y]) => (
          <circle key={`${x},${y}`} cx={x} cy={y} r="2.4" className="fill-clay" />
        ))}
      </svg>
      <span className="h-5 rounded-md bg-clay/90 text-center leading-5 font-semibold text-night">Follow</span>
    </div>
  )
}
