// The main module of a process of the pool: by now `preload.js` knows the function.
const entry = globalThis[Symbol.for("dugout.entry")];
delete globalThis[Symbol.for("dugout.entry")];
await import(entry);
