import { useQuery } from '@tanstack/react-query'
import { Search, type LucideIcon } from 'lucide-react'
import { Fragment, useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { LEAST_TYPED } from '@/data/search/model'
import { suggestionsQuery } from '@/data/search/queries'
import { recentSearches, rememberSearch } from '@/data/search/recent'
import { messageOf } from '@/lib/errors'
import { paths, type Path } from '@/lib/paths'
import { useSettled } from '@/lib/use-settled'
import { Highlighted } from '@/ui/highlighted'
import { JerseyTile } from '@/ui/jersey-tile'
import { cn } from '@/ui/class-names'
import { Dialog, DialogContent, DialogTitle } from '@/ui/dialog'
import { Loading, Skeleton } from '@/ui/section'
import { SearchBox } from '@/features/search/components/search-box'
import { paletteEntries, type Entry } from '@/features/search/palette-model'
import { KIND_ICONS } from '@/features/search/kind-icons'
import { highlight } from '@/features/search/model'

export type Place = { to: Path; label: string; icon: LucideIcon }

type PaletteProps = {
  userId: string
  /** Screens that can be gone to by name. */
  places: readonly Place[]
  open: boolean
  onOpenChange: (open: boolean) => void
  onCloseAutoFocus: (event: Event) => void
}

/** Milliseconds without a key before the server is asked. */
const PAUSE = 120

/** Ctrl K: one box over players, teams, coaches, programs, games, articles and screens. Arrows choose, Enter opens, Escape closes. */
export default function Palette({ open, onOpenChange, onCloseAutoFocus, ...props }: PaletteProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        aria-describedby={undefined}
        onCloseAutoFocus={onCloseAutoFocus}
        className="top-24 max-w-155 translate-y-0 gap-0 overflow-hidden p-0 max-sm:inset-0 max-sm:h-dvh max-sm:max-h-none max-sm:w-full max-sm:max-w-none max-sm:translate-x-0 max-sm:grid-rows-[auto_1fr_auto] max-sm:rounded-none"
      >
        <DialogTitle className="sr-only">Search</DialogTitle>
        <Finder {...props} onLeave={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  )
}

function Finder({ userId, places, onLeave }: Pick<PaletteProps, 'userId' | 'places'> & { onLeave: () => void }) {
  const id = useId()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const query = useSettled(typed.trim(), PAUSE)
  const found = useQuery(suggestionsQuery(query, 4))
  const searching = typed.trim().length >= LEAST_TYPED
  const suggestions = searching && query.length >= LEAST_TYPED ? found.data : undefined
  const waiting = searching && !suggestions && !found.isError
  // Until then the list is of what was typed before.
  const settled = !searching || (query === typed.trim() && !found.isPlaceholderData && !found.isFetching)
  const entries = paletteEntries({ typed, suggestions, recent: recentSearches(userId), places })
  const chosen = Math.min(active, entries.length - 1)

  function go(entry: Entry | undefined) {
    if (!entry) return
    if (entry.remember) rememberSearch(userId, entry.remember)
    onLeave()
    void navigate(entry.to)
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && entries.length > 0) {
      event.preventDefault()
      setActive((chosen + step + entries.length) % entries.length)
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      // What was typed but not yet looked up is looked up on the screen.
      if (!settled) go({ key: '', group: '', label: '', to: `${paths.search}?q=${encodeURIComponent(typed.trim())}` })
      else go(entries[chosen])
    }
  }

  return (
    <>
      <div className="border-b border-border">
        <SearchBox
          autoFocus
          role="combobox"
          aria-label="Search"
          aria-expanded={entries.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={entries[chosen] ? `${id}-${chosen}` : undefined}
          aria-autocomplete="list"
          placeholder="Search players, teams, games"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div className="max-h-[min(26rem,60dvh)] min-h-40 overflow-y-auto overscroll-contain p-2 max-sm:max-h-none">
        {found.isError && searching && <Failure error={found.error} />}
        <List id={id} entries={entries} chosen={chosen} typed={typed} onPoint={setActive} onGo={go} />
        {waiting && <Waiting />}
        {entries.length === 0 && settled && !found.isError && <Hint typed={typed} />}
      </div>
      <Keys onClose={onLeave}>{searching && settled && suggestions && `${suggestions.length} results`}</Keys>
    </>
  )
}

/** The keys; on phones a button that closes. The children are what screen readers announce. */
function Keys({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <p className="flex gap-4 border-t border-border bg-muted px-4 py-2 text-xs text-muted-foreground">
      <span className="max-sm:hidden">
        <Key>↑</Key> <Key>↓</Key> move
      </span>
      <span className="max-sm:hidden">
        <Key>Enter</Key> open
      </span>
      <span className="max-sm:hidden">
        <Key>Esc</Key> close
      </span>
      <button type="button" className="ml-auto h-8 px-2 sm:hidden" onClick={onClose}>
        Close
      </button>
      <span role="status" className="sr-only">
        {children}
      </span>
    </p>
  )
}

type ListProps = {
  id: string
  entries: readonly Entry[]
  chosen: number
  typed: string
  onPoint: (index: number) => void
  onGo: (entry: Entry) => void
}

function List({ id, entries, chosen, typed, onPoint, onGo }: ListProps) {
  return (
    <ul id={`${id}-list`} role="listbox" aria-label="Results" className="grid">
      {entries.map((entry, index) => (
        <Fragment key={entry.key}>
          {entry.group !== entries[index - 1]?.group && (
            <li role="presentation" className="px-2 pt-2 pb-1 text-xs font-semibold text-muted-foreground">
              {entry.group}
            </li>
          )}
          {/* The keyboard is the field's: it names the chosen entry as its active descendant. */}
          <li
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            ref={index === chosen ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
            onPointerMove={() => onPoint(index)}
            onClick={() => onGo(entry)}
            className={cn(
              'flex min-h-11 cursor-pointer items-center gap-3 rounded-lg px-2 py-1 max-sm:min-h-14',
              index === chosen && 'bg-secondary',
            )}
          >
            <Sign entry={entry} />
            <span className="min-w-0">
              <span className="block truncate text-sm font-medium">
                <Highlighted
                  parts={entry.marked ? highlight(entry.label, typed) : [{ text: entry.label, hit: false }]}
                />
              </span>
              {entry.detail && <span className="block truncate text-xs text-muted-foreground">{entry.detail}</span>}
            </span>
          </li>
        </Fragment>
      ))}
    </ul>
  )
}

function Sign({ entry: { icon, remember, label } }: { entry: Entry }) {
  if (remember?.kind === 'player') return <JerseyTile name={label} className="size-8 text-xs" />
  const Icon: LucideIcon = icon ?? (remember ? KIND_ICONS[remember.kind] : Search)
  return (
    <span className="grid size-8 shrink-0 place-items-center rounded-lg bg-muted text-muted-foreground">
      <Icon aria-hidden className="size-4" />
    </span>
  )
}

function Waiting() {
  return (
    <Loading>
      <span className="grid gap-2 p-2">
        <Skeleton className="h-9" />
        <Skeleton className="h-9" />
        <Skeleton className="h-9" />
      </span>
    </Loading>
  )
}

function Hint({ typed }: { typed: string }) {
  const text = typed.trim()
  return (
    <p className="px-2 py-6 text-center text-sm text-muted-foreground">
      {text.length < LEAST_TYPED
        ? 'Type two letters of a name.'
        : `Nothing shown here is called “${text}”. Check the spelling, or try one word alone.`}
    </p>
  )
}

function Failure({ error }: { error: unknown }) {
  return (
    <p role="alert" className="m-2 rounded-lg bg-accent-soft p-3 text-sm">
      The search failed. {messageOf(error, 'Try again.')}
    </p>
  )
}

const Key = ({ children }: { children: ReactNode }) => (
  <kbd className="rounded border border-border bg-card px-1.5 font-sans">{children}</kbd>
)
