import { Clapperboard } from 'lucide-react'
import { env } from '@/lib/env'
import { DiamondArt } from '@/ui/diamond-art'
import { DEMO_ID } from '@/features/landing/model'

/** Where Watch Demo leads: a video in a frame of 250 pixels, 400 on wider screens (section 9), if this server has one. */
export function Demo() {
  return (
    <section id={DEMO_ID} aria-label="Demo" className="mx-auto max-w-6xl px-5 py-16 sm:py-20">
      <h2 className="text-3xl font-bold tracking-tight">See it in action</h2>
      {env.demoVideoUrl ? (
        <iframe
          src={env.demoVideoUrl}
          title="Dugout demo video"
          loading="lazy"
          allowFullScreen
          className="mt-8 h-[250px] w-full rounded-2xl bg-night sm:h-[400px]"
        />
      ) : (
        <div className="relative mt-8 grid h-[250px] place-items-center overflow-hidden rounded-2xl bg-night sm:h-[400px]">
          <DiamondArt className="absolute top-6 size-[44rem] max-w-none text-night-line" />
          <p className="relative flex max-w-sm flex-col items-center gap-3 px-6 text-center text-night-foreground">
            <Clapperboard aria-hidden className="size-8 text-clay" />
            The demo video is not up yet. Joining is free, so come and see the real thing.
          </p>
        </div>
      )}
    </section>
  )
}
