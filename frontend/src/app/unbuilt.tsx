import { Link } from 'react-router'
import { usePageTitle } from '@/lib/page-title'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { DiamondArt } from '@/ui/diamond-art'

/** Stands in for a screen that is not built yet. */
export default function Unbuilt({ title }: { title: string }) {
  usePageTitle(title)
  return (
    <section className="relative grid min-h-[65dvh] place-items-center overflow-hidden text-center">
      <DiamondArt className="absolute size-[32rem] max-w-full text-border" />
      <div className="relative grid justify-items-center gap-4">
        <h1 className="text-2xl/7.5 font-bold sm:text-[1.75rem]/8.5">{title}</h1>
        <p className="text-muted-foreground">Coming soon.</p>
        <Button asChild variant="outline">
          <Link to={paths.home}>Back to Home</Link>
        </Button>
      </div>
    </section>
  )
}
