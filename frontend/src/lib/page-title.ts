import { useEffect } from 'react'

const NAME = 'Dugout'

/** Names the page in the browser's tab and for screen readers: "Rankings · Dugout", or the name alone. */
export function usePageTitle(title?: string) {
  useEffect(() => {
    document.title = title ? `${title} · ${NAME}` : NAME
  }, [title])
}
