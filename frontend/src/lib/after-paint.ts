/** Milliseconds after which it no longer waits for the browser to be idle. */
const PATIENCE = 500

/**
 * Resolves once the page is loaded with its fonts, painted, and the browser is idle. Parts that the first paint does not need
 * (the API client on the landing page, the toasts) are loaded after this.
 */
export const afterPaint: () => Promise<void> = once(async () => {
  if (document.readyState !== 'complete') await new Promise((done) => window.addEventListener('load', done))
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
  if ('requestIdleCallback' in window) {
    await new Promise((done) => requestIdleCallback(done, { timeout: PATIENCE }))
  }
})

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => (result ??= work())
}
