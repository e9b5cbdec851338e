/** Milliseconds after which waiting for the browser to be idle ends. */
const PATIENCE = 500

/**
 * Done once the page stands: loaded with its fonts, painted, and the browser at leisure. What a visitor's first look
 * does not need (the client of the API, the toasts) is asked for after this, so that it does not delay that look.
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
