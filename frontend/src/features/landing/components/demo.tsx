import { env } from '@/lib/env'
import { demoStill } from '@/features/landing/demo-still'
import { DEMO_ID } from '@/features/landing/model'

/**
 * Where Watch Demo leads: a frame of 250 pixels, 400 on wider screens (section 9). It begins with a still of our own,
 * whose link loads the video into the frame: nothing is asked of another site before somebody wants it, and without
 * a network there is a picture instead of a broken page.
 */
export function Demo() {
  return (
    <section id={DEMO_ID} aria-label="Demo" className="mx-auto max-w-6xl px-5 py-16 sm:py-20">
      <h2 className="text-3xl font-bold tracking-tight sm:text-4xl">See it in action</h2>
      <iframe
        srcDoc={demoStill(env.demoVideoUrl)}
        title="Dugout demo video"
        allowFullScreen
        className="mt-8 h-[250px] w-full rounded-2xl bg-night sm:h-[400px]"
      />
    </section>
  )
}
