import { Link } from 'react-router'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { DiamondArt } from '@/ui/diamond-art'
import { PlayerCard } from '@/features/landing/components/player-card'
import { DEMO_ID } from '@/features/landing/model'

export function Hero() {
  return (
    <section className="relative overflow-hidden bg-night pt-16 text-night-foreground">
      <DiamondArt className="pointer-events-none absolute -right-32 -bottom-64 size-[54rem] text-night-line max-lg:opacity-60" />
      <div className="relative mx-auto grid max-w-6xl items-center gap-12 px-5 py-16 sm:py-24 lg:grid-cols-[1.15fr_1fr]">
        <div>
          <p className="text-sm font-medium tracking-wide text-clay">AI-powered analytics tracker</p>
          <h1 className="mt-4 text-4xl leading-[1.1] font-bold tracking-tight sm:text-6xl">
            <span className="block">Play the game.</span> <span className="block">Know the numbers.</span>{' '}
            <span className="block">Get seen.</span>
          </h1>
          <p className="mt-6 max-w-xl text-lg text-night-muted">
            Your statistics, your measurements and your team in one place, for players, coaches, scouts and the people
            who cheer for them. Predictions and an AI coach are coming soon.
          </p>
          <div className="mt-9 flex flex-wrap gap-3">
            <Button asChild variant="glow" size="lg">
              <Link to={paths.signIn} state="sign-up">
                Join Free Today
              </Link>
            </Button>
            <Button
              variant="outline"
              size="lg"
              className="border-night-muted/50 bg-transparent text-inherit hover:bg-white/10"
              onClick={() => document.getElementById(DEMO_ID)?.scrollIntoView()}
            >
              Watch Demo
            </Button>
          </div>
        </div>
        <PlayerCard />
      </div>
    </section>
  )
}
