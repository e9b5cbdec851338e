import { WifiOff } from 'lucide-react'
import { Component, useEffect, type ReactNode } from 'react'
import { isLoadFailure, retryLoads } from '@/lib/lazy-screen'
import { Button } from '@/ui/button'

type Props = {
  /** A new value (the address) tries again, too. */
  place: string
  children: ReactNode
}

type State = { failure: Error | null; place: string }

/**
 * Shows "Connection lost" in place of a part of the app that could not be loaded, keeps the rest of the page, and tries again when
 * the connection returns.
 * Errors of rendering pass through, to the specified error screen.
 */
export class LoadBoundary extends Component<Props, State> {
  override state: State = { failure: null, place: this.props.place }

  static getDerivedStateFromError(failure: Error): Partial<State> {
    return { failure }
  }

  static getDerivedStateFromProps({ place }: Props, state: State): Partial<State> | null {
    if (place === state.place) return null
    if (state.failure) retryLoads()
    return { place, failure: null }
  }

  override render() {
    const { failure } = this.state
    if (!failure) return this.props.children
    if (!isLoadFailure(failure)) throw failure
    return <ConnectionLost onRetry={this.retry} />
  }

  private readonly retry = () => {
    retryLoads()
    this.setState({ failure: null })
  }
}

/** Shown in place of a screen that could not be loaded. */
export function ConnectionLost({ onRetry }: { onRetry: () => void }) {
  useEffect(() => {
    window.addEventListener('online', onRetry)
    return () => window.removeEventListener('online', onRetry)
  }, [onRetry])
  return (
    <div role="alert" className="grid min-h-[60dvh] place-items-center text-center">
      <div className="grid max-w-md justify-items-center gap-4">
        <span className="grid size-12 place-items-center rounded-xl bg-accent-soft text-accent">
          <WifiOff aria-hidden />
        </span>
        <h1 className="text-2xl font-bold">Connection lost</h1>
        <p className="text-muted-foreground">
          This screen could not be loaded. It opens as soon as you are online again.
        </p>
        <div className="flex flex-wrap justify-center gap-3">
          <Button onClick={onRetry}>Try again</Button>
        </div>
      </div>
    </div>
  )
}
