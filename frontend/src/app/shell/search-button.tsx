import { Search } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { lazyScreen } from '@/lib/lazy-screen'
import { LoadBoundary } from '@/ui/load-boundary'

const SearchPalette = lazyScreen(() => import('@/app/shell/search-palette'))

/** Opens the search box; so do Ctrl K, Command K, and the slash where nothing is typed into. */
export function SearchButton({ user }: { user: { id: string; email?: string } }) {
  const button = useRef<HTMLButtonElement>(null)
  // Undefined until first opened, so that it is not loaded before.
  const [open, setOpen] = useState<boolean>()
  const { pathname } = useLocation()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!opensSearch(event)) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label="Search"
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
        aria-expanded={open === true}
        onClick={() => setOpen(true)}
        className="flex h-11 items-center gap-2.5 rounded-lg px-2.5 md:h-9 text-sm text-muted-foreground hover:text-foreground max-sm:order-1 max-sm:ml-auto sm:w-105 sm:shrink sm:bg-muted sm:px-3"
      >
        <Search aria-hidden className="size-4.5 shrink-0 max-sm:size-5 max-sm:text-foreground" />
        <span aria-hidden className="truncate max-sm:hidden">
          Search players, teams, games
        </span>
        <kbd
          aria-hidden
          className="ml-auto rounded border border-border bg-card px-1.5 font-sans text-xs whitespace-nowrap max-md:hidden"
        >
          Ctrl K
        </kbd>
      </button>
      <LoadBoundary place={pathname}>
        <Suspense>
          {open !== undefined && (
            <SearchPalette
              user={user}
              open={open}
              onOpenChange={setOpen}
              onCloseAutoFocus={(event) => {
                event.preventDefault()
                button.current?.focus()
              }}
            />
          )}
        </Suspense>
      </LoadBoundary>
    </>
  )
}

function opensSearch({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (altKey) return false
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k'
  return (
    key === '/' &&
    !(target instanceof Element && target.closest('input, textarea, select, [contenteditable], [role=dialog]'))
  )
}
