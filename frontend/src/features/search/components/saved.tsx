import { useQuery } from '@tanstack/react-query'
import { Bell, BellOff, BellPlus } from 'lucide-react'
import { Link } from 'react-router'
import type { Filters } from '@/data/search/model'
import { savedSearchesQuery, useNotifyOfSearch, useRemoveSearch, useSaveSearch } from '@/data/search/saved'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { RecordDialog, type RecordField } from '@/ui/record-dialog'
import { RemovalDialog } from '@/ui/removal-dialog'
import { Problem } from '@/ui/section'
import { filterWords, writeSearch } from '@/features/search/model'

const FIELDS: readonly RecordField[] = [{ name: 'name', label: 'Name', wide: true }]

type SavedProps = { query: string; filters: Filters; teamName: string | null | undefined }

/** The searches that the user has saved, and a button that saves the one shown. */
export function Saved(shown: SavedProps) {
  const { user } = useSession()
  const saved = useQuery({ ...savedSearchesQuery(user?.id ?? ''), enabled: user !== null })
  const notify = useNotifyOfSearch()
  const remove = useRemoveSearch()
  const searches = saved.data ?? []
  const savable = shown.query.length >= 2 || Object.keys(shown.filters).length > 0
  if (saved.isError) {
    return (
      <Problem
        text="Your saved searches could not be loaded."
        error={saved.error}
        onRetry={() => void saved.refetch()}
      />
    )
  }
  return (
    <section aria-label="Saved searches" className="flex min-h-10 flex-wrap items-center gap-2">
      {searches.map(({ id, name, query, filters, notify: told }) => (
        <span key={id} className="flex h-10 items-center rounded-lg border border-border bg-card pl-3 text-sm">
          <Link
            to={`${paths.search}?${writeSearch({ query, filters, kind: 'players' })}`}
            className="max-w-48 truncate font-medium underline-offset-4 hover:text-primary hover:underline"
          >
            {name}
          </Link>
          <Button
            variant="ghost"
            size="icon"
            aria-pressed={told}
            aria-label={`Notify me of new players: ${name}`}
            disabled={notify.isPending}
            onClick={() => notify.mutate({ id, notify: !told })}
          >
            {told ? <Bell aria-hidden /> : <BellOff aria-hidden />}
          </Button>
          <RemovalDialog
            name={name}
            text="The search is deleted, and you get no more notifications of it."
            pending={remove.isPending}
            onRemove={() => remove.mutateAsync(id)}
          />
        </span>
      ))}
      {savable && <SaveButton {...shown} />}
      {!savable && saved.data && searches.length === 0 && (
        <p className="text-sm text-muted-foreground">Choose a filter, and you can save the search and be notified.</p>
      )}
    </section>
  )
}

function SaveButton({ query, filters, teamName }: SavedProps) {
  const save = useSaveSearch()
  const words = [query && `“${query}”`, ...filterWords(filters, teamName).map(({ label }) => label)]
  return (
    <RecordDialog
      trigger={
        <Button variant="outline">
          <BellPlus aria-hidden />
          Save and notify
        </Button>
      }
      title="Save this search"
      text="It runs once a day. The bell and an e-mail tell you how many new players it found. A search with more than 1,000 players does not notify you."
      fields={FIELDS}
      schema={async () => (await import('@/features/search/schemas')).savedSchema}
      defaults={{ name: words.filter(Boolean).join(', ').slice(0, 80) }}
      draft={`saved-search:${JSON.stringify([query, filters])}`}
      location="Search"
      onSave={(values: { name: string }) => save({ query, filters }, values)}
    />
  )
}
