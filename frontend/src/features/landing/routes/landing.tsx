import { usePageTitle } from '@/lib/page-title'
import { ClosingCall } from '@/features/landing/components/closing-call'
import { Demo } from '@/features/landing/components/demo'
import { FeatureGrid } from '@/features/landing/components/feature-grid'
import { Footer } from '@/features/landing/components/footer'
import { Hero } from '@/features/landing/components/hero'
import { TopBar } from '@/features/landing/components/top-bar'

/** `/` for visitors, and what they see at an address that does not exist. */
export function LandingScreen() {
  usePageTitle()
  return (
    <>
      <TopBar />
      <main>
        <Hero />
        <Demo />
        <FeatureGrid />
        <ClosingCall />
      </main>
      <Footer />
    </>
  )
}
