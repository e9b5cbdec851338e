import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { whenPreloaded } from '@/app/loads'
import { Providers } from '@/app/providers'
import { createRouter } from '@/app/router'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root.')

// The screen's parts usually arrive with this one. Rendered without them, the page would begin with a spinner.
void whenPreloaded().then(() =>
  createRoot(root).render(
    <StrictMode>
      <Providers>
        <RouterProvider router={createRouter()} />
      </Providers>
    </StrictMode>,
  ),
)
