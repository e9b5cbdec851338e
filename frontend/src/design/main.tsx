import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import '@/index.css'
import { Controls } from '@/design/controls'
import { Figures } from '@/design/figures'
import { Floating } from '@/design/floating'
import { Lists } from '@/design/lists'
import { Toaster } from '@/ui/toast/toaster'

const root = document.getElementById('root')
if (!root) throw new Error('design.html has no #root.')

// `/design`, of the development server only: vite-design.ts.
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <main id="top" className="mx-auto grid w-full max-w-6xl gap-8 px-3 py-6 sm:px-6">
          <h1 className="text-2xl font-semibold">Design</h1>
          <Controls />
          <Figures />
          <Lists />
          <Floating />
        </main>
        <Toaster />
      </MemoryRouter>
    </QueryClientProvider>
  </StrictMode>,
)
