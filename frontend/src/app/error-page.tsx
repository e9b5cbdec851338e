import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { messageOf } from '@/lib/errors'
import { Button } from '@/ui/button'
import { LogoMark } from '@/ui/logo'

/** Section 2, "Framework fallback error screen". */
export function ErrorPage() {
  const error = useRouteError()
  useEffect(() => {
    console.error(error)
  }, [error])
  return (
    <main role="alert" className="grid min-h-dvh place-items-center p-5">
      <div className="grid w-full max-w-md justify-items-center gap-5 rounded-2xl border border-border bg-card p-8 text-center shadow-sm">
        <LogoMark className="size-12" />
        <div className="grid gap-2">
          <h1 className="text-2xl font-bold">Application Error</h1>
          <p className="text-muted-foreground wrap-anywhere">{messageOf(error, 'An unexpected error occurred')}</p>
        </div>
        <div className="flex flex-wrap justify-center gap-3">
          <Button onClick={() => window.location.reload()}>Reload Application</Button>
          <Button variant="outline" onClick={clearAndReload}>
            Clear Data &amp; Reload
          </Button>
        </div>
      </div>
    </main>
  )
}

function clearAndReload() {
  localStorage.clear()
  sessionStorage.clear()
  window.location.reload()
}
