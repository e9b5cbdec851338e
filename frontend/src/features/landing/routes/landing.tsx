import { usePageTitle } from '@/lib/page-title'
import { MAIN_ID, SkipLink } from '@/ui/skip-link'
import { ClosingCall } from '@/features/landing/components/closing-call'
import { Comparison } from '@/features/landing/components/comparison'
import { Demo } from '@/features/landing/components/demo'
import { DeviceShowcase } from '@/features/landing/components/device-showcase'
import { FeatureGrid } from '@/features/landing/components/feature-grid'
import { Footer } from '@/features/landing/components/footer'
import { Hero } from '@/features/landing/components/hero'
import { TopBar } from '@/features/landing/components/top-bar'

/** `/` for visitors, and what they see at an address that does not exist. */
export function LandingScreen() {
  usePageTitle()
  return (
    <>
      <SkipLink />
      <TopBar />
      <main id={MAIN_ID} className="outline-none">
        <Hero />
        <Demo />
        <DeviceShowcase />
        <FeatureGrid />
        <Comparison />
        <ClosingCall />
      </main>
      <Footer />
    </>
  )
}
