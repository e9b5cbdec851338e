import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import type { Path } from '@/lib/paths'
import { Card } from '@/ui/section'

type NextStepsProps = { title: string; steps: readonly { title: string; text: string; to: Path }[] }

/** Where to go from Home. */
export function NextSteps({ title, steps }: NextStepsProps) {
  return (
    <Card title={title}>
      <ul className="-mx-3 grid gap-0.5">
        {steps.map(({ title, text, to }) => (
          <li key={title}>
            <Link
              to={to}
              aria-label={title}
              className="flex items-center gap-3 rounded-xl px-3 py-2.5 transition-colors hover:bg-muted"
            >
              <span className="min-w-0 grow">
                <span className="block font-medium">{title}</span>
                <span className="block text-sm text-muted-foreground">{text}</span>
              </span>
              <ChevronRight aria-hidden className="size-4.5 shrink-0 text-muted-foreground" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
