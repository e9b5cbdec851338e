import { Check, Minus } from 'lucide-react'
import { COMPARISON } from '@/features/landing/model'

/** Section 2's comparison with the rival stats-tracking app. */
export function Comparison() {
  return (
    <section aria-labelledby="comparison-title" className="mx-auto max-w-6xl px-5 py-16 sm:py-20">
      <h2 id="comparison-title" className="max-w-2xl text-3xl font-bold tracking-tight sm:text-4xl">
        More than a stats tracker
      </h2>
      <p className="mt-3 max-w-2xl text-lg text-muted-foreground">
        What Dugout is made for, next to the usual stats-tracking app.
      </p>
      <div className="mt-8 overflow-hidden rounded-2xl border border-border bg-card">
        <table className="w-full table-fixed border-collapse text-left text-sm sm:text-base">
          <caption className="sr-only">Dugout compared with a stats-tracking app</caption>
          <thead>
            <tr className="border-b border-border">
              <th scope="col" className="w-2/5 px-4 py-4 font-medium text-muted-foreground sm:w-1/2 sm:px-6">
                Feature
              </th>
              <th scope="col" className="bg-secondary/60 px-2 py-4 text-center font-display font-bold sm:px-6">
                Dugout
              </th>
              <th scope="col" className="px-2 py-4 text-center font-medium text-muted-foreground sm:px-6">
                Stats-tracking app
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-border">
            {COMPARISON.map(({ promise, ours, rival }) => (
              <tr key={promise}>
                <th scope="row" className="px-4 py-3.5 font-medium sm:px-6">
                  {promise}
                </th>
                <td className="bg-secondary/60 px-2 py-3.5 text-center sm:px-6">
                  <Answer value={ours} ours />
                </td>
                <td className="px-2 py-3.5 text-center sm:px-6">
                  <Answer value={rival} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Answer({ value, ours = false }: { value: string | boolean; ours?: boolean }) {
  if (typeof value === 'string') return <span className={ours ? 'font-bold text-primary' : undefined}>{value}</span>
  const Icon = value ? Check : Minus
  return (
    <>
      <Icon aria-hidden className={`mx-auto size-5 ${value ? 'text-primary' : 'text-muted-foreground'}`} />
      <span className="sr-only">{value ? 'Yes' : 'No'}</span>
    </>
  )
}
