const STYLE = `
  html { color-scheme: dark; background: #0b1f17; color: #f2f4ee; height: 100%; font-family: system-ui, sans-serif }
  body { margin: 0; height: 100%; display: grid; place-items: center; text-align: center; overflow: hidden }
  svg.field { position: absolute; inset: 0; width: 100%; height: 100%; color: #2a4d3b; z-index: -1 }
  a, p { font-size: 1rem; margin: 0; max-width: 24rem; padding: 0 1.5rem; line-height: 1.5 }
  a { color: inherit; display: grid; justify-items: center; gap: .75rem; text-decoration: none; font-weight: 600 }
  a:focus-visible { outline: 2px solid #e58b5e; outline-offset: 8px; border-radius: 8px }
  a:hover span { text-decoration: underline }
  .play { width: 4.5rem; height: 4.5rem }`

const FIELD = `<svg class="field" viewBox="0 0 400 220" preserveAspectRatio="xMidYMid slice" aria-hidden="true" fill="none" stroke="currentColor">
  <path d="M200 212 60 72a198 198 0 0 1 280 0Z"/><path d="m200 204 52-52-52-52-52 52Z"/><circle cx="200" cy="152" r="8"/></svg>`

const PLAY = `<svg class="play" viewBox="0 0 72 72" aria-hidden="true"><circle cx="36" cy="36" r="36" fill="#e58b5e"/>
  <path d="M29 22v28l23-14Z" fill="#0b1f17"/></svg>`

/** The document in the demo's frame until the video is requested. `url`: the video's, null if there is none. */
export function demoStill(url: string | null): string {
  const content = url
    ? `<a href="${escape(url)}">${PLAY}<span>Play the demo video</span></a>`
    : '<p>The demo video is not up yet. Joining is free, so come and see the real thing.</p>'
  return `<!doctype html><html lang="en"><head><title>Dugout demo</title><style>${STYLE}</style></head><body>${FIELD}<div>${content}</div></body></html>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
