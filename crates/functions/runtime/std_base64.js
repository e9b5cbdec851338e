// `https://deno.land/std/encoding/base64.ts`.

function bytesOf(data) {
  if (typeof data === "string") return new TextEncoder().encode(data);
  return data instanceof Uint8Array ? data : new Uint8Array(data);
}

export function encodeBase64(data) {
  return bytesOf(data).toBase64();
}

export function decodeBase64(text) {
  return Uint8Array.fromBase64(text);
}

export { decodeBase64 as decode, encodeBase64 as encode };
