import type { Plugin } from 'vite'

/** In development, `/design` shows every component of src/ui in every state. What is built has neither the page nor its files. */
export function designPage(): Plugin {
  return {
    name: 'dugout-design',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use((request, _, next) => {
        if (request.url?.split('?')[0] === '/design') request.url = '/design.html'
        next()
      })
    },
  }
}
