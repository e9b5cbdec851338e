import { Link, useMatches } from 'react-router'
import { usePageTitle } from '@/lib/page-title'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { DiamondArt } from '@/ui/diamond-art'

/** What visitors see in place of a screen for users. */
export default function SignInToSee() {
  const title = useMatches().reduce((found, { handle }) => titleOf(handle) ?? found, 'Dugout')
  usePageTitle(title)
  return (
    <section className="relative grid min-h-[60dvh] place-items-center overflow-hidden text-center">
      <DiamondArt className="absolute size-[32rem] max-w-full text-border" />
      <div className="relative grid justify-items-center gap-4">
        <h1 className="text-2xl/7.5 font-bold sm:text-[1.75rem]/8.5">{title}</h1>
        <p className="text-muted-foreground">Sign in to see this</p>
        <Button asChild>
          <Link to={paths.signIn}>Sign In</Link>
        </Button>
      </div>
    </section>
  )
}

/** The title that a route names in its `handle`. */
function titleOf(handle: unknown): string | undefined {
  const title: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'title') : undefined
  return typeof title === 'string' ? title : undefined
}
