import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite'

const APP = '/src/main.tsx'

/** Names the files of the app in the page's head: src/start.ts, which imports it, would ask for them a round trip later. */
export function preloadApp(): Plugin {
  return {
    name: 'dugout-preload',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file): file is Rolldown.OutputChunk => file.type === 'chunk')
        const app = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(APP)))
        if (!app) throw new Error(`No file was made of ${APP}.`)
        const files = [app.fileName, ...app.imports].filter((file) => !html.includes(file))
        return files.map((file): HtmlTagDescriptor => {
          return { tag: 'link', attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` }, injectTo: 'head' }
        })
      },
    },
  }
}
