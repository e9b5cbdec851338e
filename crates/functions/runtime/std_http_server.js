// `https://deno.land/std/http/server.ts` over `Deno.serve`.

export function serve(handler, options = {}) {
  return Deno.serve(options, handler).finished;
}

export function serveListener(_listener, handler, options = {}) {
  return serve(handler, options);
}

export function serveTls(handler, options = {}) {
  return serve(handler, options);
}
