import { Link } from 'react-router'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'

/** Section 2, "Closing call to action". */
export function ClosingCall() {
  return (
    <section
      aria-labelledby="closing-title"
      className="mx-auto flex max-w-6xl flex-wrap items-center justify-between gap-8 px-5 py-16 sm:py-20"
    >
      <div>
        <h2 id="closing-title" className="text-3xl font-bold tracking-tight sm:text-4xl">
          The season starts when you do
        </h2>
        <p className="mt-3 max-w-xl text-lg text-muted-foreground">
          Joining is free. A whole club or a league is coming along? Let us talk.
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button asChild size="lg">
          <Link to={paths.signIn} state="sign-up">
            Create Your Account
          </Link>
        </Button>
        <Button asChild variant="outline" size="lg">
          <Link to={paths.contact}>Contact Sales</Link>
        </Button>
      </div>
    </section>
  )
}
