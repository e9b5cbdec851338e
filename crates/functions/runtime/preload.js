// Runs in the process of a function before the function's own modules. It makes `Deno.serve` listen on the supervisor's socket and
// provides what Supabase's runtime adds to Deno: `EdgeRuntime`, `Supabase` and the event `beforeunload`.

const setup = JSON.parse(Deno.env.get("DUGOUT_FUNCTION"));
for (const name of ["DUGOUT_FUNCTION", "DENO_DIR", "DENO_NO_PROMPT", "DENO_NO_UPDATE_CHECK", "DENO_NODE_SHIM_ACTIVE", "PATH"]) {
  Deno.env.delete(name);
}

// Over a unix socket Deno's scheme is `http+unix`, which `new Request(req.url)` and routers do not expect.
const UNIX = "http+unix:";
const ownUrl = Object.getOwnPropertyDescriptor(Request.prototype, "url");
const rawUrl = (request) => ownUrl.get.call(request);
Object.defineProperty(Request.prototype, "url", {
  ...ownUrl,
  get() {
    const url = rawUrl(this);
    return url.startsWith(UNIX) ? `http:${url.slice(UNIX.length)}` : url;
  },
});

// Work that goes on after a response. The supervisor stops no process that still has some.
let pending = 0;
globalThis.EdgeRuntime = {
  waitUntil(promise) {
    pending += 1;
    const done = () => {
      pending -= 1;
    };
    Promise.resolve(promise).then(done, (error) => {
      console.error(error);
      done();
    });
    return promise;
  },
};

globalThis.Supabase = {
  ai: {
    Session: class {
      constructor() {
        throw new Error("Supabase.ai is not available here: call a model over HTTP instead");
      }
    },
  },
};

// What the supervisor asks, at paths that only it knows.
const control = `${UNIX}//supervisor/${setup.nonce}/`;
const answers = {
  pending: () => Response.json({ pending }),
  async unload(reason) {
    globalThis.dispatchEvent(new CustomEvent("beforeunload", { detail: { reason } }));
    // Lets what the listeners wrote reach the log.
    await new Promise((resolve) => setTimeout(resolve, 0));
    return new Response(null, { status: 204 });
  },
};

class ConnectionInfo {
  #request;
  #info;

  constructor(request, info) {
    this.#request = request;
    this.#info = info;
  }

  get remoteAddr() {
    return { transport: "tcp", hostname: this.#request.headers.get("x-real-ip") ?? "127.0.0.1", port: 0 };
  }

  get completed() {
    return this.#info.completed;
  }
}

const serve = Deno.serve;
let served; // The handler of the last call: there is one socket.
let server;

function dispatch(request, info) {
  const url = rawUrl(request);
  if (url.startsWith(control)) {
    const [name, argument] = url.slice(control.length).split("/");
    return answers[name](argument);
  }
  return served.handler(request, new ConnectionInfo(request, info));
}

function failed(error) {
  if (served.onError) return served.onError(error);
  console.error(error);
  return new Response("Internal Server Error", { status: 500 });
}

Deno.serve = function (first, second) {
  const options = typeof first === "function" ? {} : first;
  const handler = typeof first === "function" ? first : (second ?? options.handler);
  if (typeof handler !== "function") throw new TypeError("A handler function must be provided.");
  served = { handler, onError: options.onError };
  server ??= serve({ path: setup.socket, onListen() {}, onError: failed }, dispatch);
  options.signal?.addEventListener("abort", () => server.shutdown());
  const addr = { transport: "tcp", hostname: options.hostname ?? "0.0.0.0", port: options.port ?? 8000 };
  options.onListen?.(addr);
  return {
    addr,
    finished: server.finished,
    ref: () => server.ref(),
    unref: () => server.unref(),
    shutdown: () => server.shutdown(),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
};

// A warm process waits here for its function. It drops its read access to other functions' files before it loads anything.
if (setup.isWarm) {
  const given = JSON.parse(await line(Deno.stdin.readable));
  for (const path of given.revoked) Deno.permissions.revokeSync({ name: "read", path });
  for (const [name, value] of Object.entries(given.variables)) Deno.env.set(name, value);
  Object.assign(setup, given.setup);
  globalThis[Symbol.for("dugout.entry")] = setup.entry;
}

async function line(stream) {
  let text = "";
  for await (const piece of stream.pipeThrough(new TextDecoderStream())) text += piece;
  return text;
}

// Servers of `node:http`, such as Express, listen on the supervisor's socket, too.
if (setup.hasNodeServer) {
  const { default: http } = await import("node:http");
  const { listen } = http.Server.prototype;
  http.Server.prototype.listen = function (...args) {
    const emit = this.emit;
    this.emit = function (event, request, response) {
      const [, nonce, name, argument] = event === "request" ? request.url.split("/") : [];
      if (nonce !== setup.nonce) return emit.apply(this, arguments);
      Promise.resolve(answers[name](argument)).then(async (answer) => response.end(await answer.text()));
      return true;
    };
    return listen.call(this, setup.socket, args.find((arg) => typeof arg === "function"));
  };
}

// Nothing else listens: a port of its own would be open to everybody, without `verify_jwt`.
Deno.listen = Deno.listenTls = () => {
  throw new Deno.errors.NotSupported("A function is reached through Deno.serve only");
};

// `export default { fetch }` instead of a call of `Deno.serve`.
if (setup.hasDefault) {
  setTimeout(async () => {
    const { default: exported } = await import(setup.entry);
    if (!server && typeof exported?.fetch === "function") Deno.serve((request) => exported.fetch(request));
  }, 0);
}

// Functions write to /tmp; each has a folder of its own for that.
function ownPath(path) {
  const text = path instanceof URL && path.protocol === "file:" ? decodeURIComponent(path.pathname) : path;
  if (typeof text !== "string" || !/^\/tmp(\/|$)/.test(text)) return path;
  // The project itself may lie in /tmp.
  const isOwn = [setup.tmp, ...setup.readable].some((own) => text === own || text.startsWith(`${own}/`));
  return isOwn ? path : setup.tmp + text.slice("/tmp".length);
}
const ONE_PATH = [
  "chmod", "chown", "create", "lstat", "mkdir", "open", "readDir", "readFile", "readLink", "readTextFile", "realPath", "remove",
  "stat", "truncate", "utime", "writeFile", "writeTextFile",
];
const TWO_PATHS = ["copyFile", "link", "rename", "symlink"];
for (const [names, count] of [[ONE_PATH, 1], [TWO_PATHS, 2]]) {
  for (const name of names.flatMap((name) => [name, `${name}Sync`])) {
    const original = Deno[name];
    Deno[name] = (...args) => original.apply(Deno, args.map((arg, at) => (at < count ? ownPath(arg) : arg)));
  }
}
