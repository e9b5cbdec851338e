import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode, type ReactNode } from 'react'
import { createMemoryRouter, RouterProvider, type RouteObject } from 'react-router'
import { Toaster } from '@/ui/toast/toaster'

/** Renders routes as main.tsx does, strict mode and toasts included, at `path`. */
export function renderRoutes(routes: RouteObject[], path = '/', providers?: (page: ReactNode) => ReactNode) {
  const page = <RouterProvider router={createMemoryRouter(routes, { initialEntries: [path] })} />
  render(
    <StrictMode>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        {providers ? providers(page) : page}
        <Toaster />
      </QueryClientProvider>
    </StrictMode>,
  )
  return userEvent.setup()
}
