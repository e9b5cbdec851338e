import { COMING_SOON, FEATURES, FEATURES_ID } from '@/features/landing/model'

export function FeatureGrid() {
  return (
    <section id={FEATURES_ID} aria-labelledby="features-title" className="border-y border-border bg-card">
      <div className="mx-auto max-w-6xl px-5 py-16 sm:py-20">
        <h2 id="features-title" className="max-w-2xl text-3xl font-bold tracking-tight sm:text-4xl">
          Everything a season needs, under one roof
        </h2>
        <ul className="mt-10 grid gap-x-10 gap-y-9 sm:grid-cols-2 lg:grid-cols-3">
          {FEATURES.map(({ icon: Icon, title, text, soon }) => (
            <li key={title} className="flex gap-4">
              <span className="grid size-11 shrink-0 place-items-center rounded-xl bg-secondary text-primary">
                <Icon aria-hidden className="size-5" />
              </span>
              <div>
                <h3 className="font-semibold">{title}</h3>
                {soon && <p className="text-sm font-medium text-accent">{COMING_SOON}</p>}
                <p className="mt-1 text-sm leading-relaxed text-muted-foreground">{text}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
