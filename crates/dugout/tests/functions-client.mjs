// What functions-js promises about calls, against a real server: reads {url, anonKey, userToken, wrongToken} and answers with a list
// of [behaviour, "ok" or what was wrong]. The behaviours are those of the client's own tests, which want containers.
import { createRequire } from "node:module";
import assert from "node:assert/strict";

const frontend = new URL("../../../frontend/package.json", import.meta.url);
const { FunctionsClient, FunctionRegion } = createRequire(frontend)("@supabase/functions-js");

let input = "";
for await (const piece of process.stdin) input += piece;
const { url, anonKey, userToken, wrongToken } = JSON.parse(input);
const at = `${url}/functions/v1`;
const bearer = (token) => ({ Authorization: `Bearer ${token}` });
const client = (options = {}) => new FunctionsClient(at, options);
const signedIn = (token = anonKey) => client({ headers: bearer(token) });

async function ok(invoked, expected) {
  const { data, error, response } = await invoked;
  assert.equal(error, null);
  if (expected !== undefined) assert.deepEqual(data, expected);
  assert.ok(response.ok);
  return data;
}
async function refused(invoked) {
  const { data, error, response } = await invoked;
  assert.equal(error?.name, "FunctionsHttpError");
  assert.equal(data, null);
  assert.equal(response.status, 401);
  assert.deepEqual(await error.context.json(), { msg: "Invalid JWT" });
}
async function aborted(invoked) {
  const { data, error } = await invoked;
  assert.equal(error?.name, "FunctionsFetchError");
  assert.equal(data, null);
}
const mirror = (c, options = {}, name = "mirror") => ok(c.invoke(name, options));
const value = (data, name) => data.headers.find(([key]) => key === name)?.[1];
const own = (init) => (_input, given) => fetch(`${at}/hello`, { ...given, ...init });
const fields = [["a", "one"], ["b", "zwei"], ["c", "\u00e9\u{1F525} drei"]];
const body = { one: "1", two: { three: [4, null, "f\u00fcnf"] }, num: 11, flag: false };
const bytes = new TextEncoder().encode(JSON.stringify(body));

const behaviours = {
  "a token in the client's headers": () => ok(signedIn().invoke("hello"), "Hello World"),
  "a token by setAuth": () => {
    const c = client();
    c.setAuth(anonKey);
    return ok(c.invoke("hello", {}), "Hello World");
  },
  "a wrong token by setAuth": () => {
    const c = client();
    c.setAuth(wrongToken);
    return refused(c.invoke("hello", {}));
  },
  "a wrong token by setAuth in the place of a right one": () => {
    const c = signedIn();
    c.setAuth(wrongToken);
    return refused(c.invoke("hello", {}));
  },
  "a right token by setAuth in the place of a wrong one": () => {
    const c = signedIn(wrongToken);
    c.setAuth(anonKey);
    return ok(c.invoke("hello", {}), "Hello World");
  },
  "a token with the call": () => ok(client().invoke("hello", { headers: bearer(userToken) }), "Hello World"),
  "a right token with the call in the place of a wrong one": () =>
    ok(signedIn(wrongToken).invoke("hello", { headers: bearer(anonKey) }), "Hello World"),
  "a wrong token with the call in the place of a right one": () =>
    refused(signedIn().invoke("hello", { headers: bearer(wrongToken) })),
  "a fetch of one's own": () =>
    ok(client({ customFetch: own({ method: "POST", headers: bearer(anonKey) }) }).invoke("", {}), "Hello World"),
  "a fetch of one's own with GET": () =>
    ok(client({ customFetch: own({ method: "GET", headers: bearer(anonKey), body: undefined }) }).invoke("", {}), "Hello World"),
  "a fetch of one's own with another token": () =>
    ok(client({ headers: bearer(wrongToken), customFetch: own({ method: "POST", headers: bearer(anonKey) }) }).invoke("hello", {}), "Hello World"),
  "what reaches a function": async () => {
    const data = await mirror(signedIn());
    assert.equal(new URL(data.url).pathname, "/mirror");
    assert.deepEqual([data.method, data.body], ["POST", ""]);
    assert.equal(value(data, "authorization"), `Bearer ${anonKey}`);
  },
  "a header of the client": async () =>
    assert.equal(value(await mirror(client({ headers: { ...bearer(anonKey), "custom-header": "own" } })), "custom-header"), "own"),
  "a header of the call": async () =>
    assert.equal(value(await mirror(signedIn(), { headers: { "custom-header": "own" } }), "custom-header"), "own"),
  "a region with the call": async () => {
    const data = await mirror(signedIn(), { region: FunctionRegion.ApNortheast1 });
    assert.equal(value(data, "x-region"), "ap-northeast-1");
    assert.equal(new URL(data.url).search, "?forceFunctionRegion=ap-northeast-1");
  },
  "a region with the call in the place of the client's": async () => {
    const c = client({ headers: bearer(anonKey), region: FunctionRegion.ApNortheast1 });
    const data = await mirror(c, { region: FunctionRegion.ApSoutheast1 });
    assert.equal(value(data, "x-region"), "ap-southeast-1");
    assert.equal(new URL(data.url).search, "?forceFunctionRegion=ap-southeast-1");
  },
  "any region in the place of the client's": async () => {
    const c = client({ headers: bearer(anonKey), region: FunctionRegion.ApSoutheast1 });
    const data = await mirror(c, { region: FunctionRegion.Any });
    assert.equal(value(data, "x-region"), undefined);
    assert.equal(new URL(data.url).search, "");
  },
  "a region of the client": async () => {
    const data = await mirror(client({ headers: bearer(anonKey), region: FunctionRegion.ApNortheast1 }));
    assert.equal(value(data, "x-region"), "ap-northeast-1");
  },
  "a form": async () => {
    const form = new FormData();
    for (const [name, text] of fields) form.append(name, text);
    const data = await mirror(signedIn(), { body: form, headers: { "response-type": "form" } });
    assert.deepEqual(data.body, fields);
  },
  "JSON": async () => {
    const data = await mirror(signedIn(), { body, headers: { "response-type": "json" } });
    assert.deepEqual(data.body, body);
    assert.equal(value(data, "content-type"), "application/json");
  },
  "an array of bytes": async () => {
    const headers = { "content-type": "application/octet-stream", "response-type": "arrayBuffer" };
    const data = await mirror(signedIn(), { body: bytes.buffer, headers });
    assert.deepEqual(JSON.parse(data.body), body);
  },
  "a blob": async () => {
    const headers = { "content-type": "application/octet-stream", "response-type": "blob" };
    const data = await mirror(signedIn(), { body: new Blob([bytes]), headers });
    assert.deepEqual(JSON.parse(data.body), body);
  },
  "parameters in the address": async () => {
    const query = new URLSearchParams({ ...Object.fromEntries(fields), flag: "false" });
    const data = await mirror(signedIn(), {}, `mirror?${query}`);
    assert.equal(new URL(data.url).search, `?${query}`);
  },
  "an upgrade that fetch cannot make": async () => {
    const { data, error } = await signedIn().invoke("hijack", {});
    assert.ok(error);
    assert.equal(data, null);
  },
  "a slow function without a time limit": () => ok(signedIn().invoke("slow", {}), "Slow Response"),
  "a slow function that is late": () => aborted(signedIn().invoke("slow?ms=60000", { timeout: 300 })),
  "a slow function that is in time": () => ok(signedIn().invoke("slow", { timeout: 60_000 }), "Slow Response"),
  "a call that is given up": () => {
    const giveUp = new AbortController();
    setTimeout(() => giveUp.abort(), 300);
    return aborted(signedIn().invoke("slow?ms=60000", { timeout: 60_000, signal: giveUp.signal }));
  },
  "JSON whatever the case of its type": async () => {
    for (const type of ["application/json", "Application/JSON; charset=utf-8", "APPLICATION/JSON"]) {
      await ok(signedIn().invoke(`typed?type=${encodeURIComponent(type)}`, {}), { foo: "bar" });
    }
  },
  "bytes, events and other types": async () => {
    const read = async (type) => (await signedIn().invoke(`typed?type=${encodeURIComponent(type)}`, {})).data;
    assert.equal(await (await read("application/octet-stream")).text(), '{"foo":"bar"}');
    assert.equal(await (await read("application/pdf")).text(), '{"foo":"bar"}');
    assert.equal(await (await read("text/event-stream")).text(), '{"foo":"bar"}');
    assert.equal(await read("text/html"), '{"foo":"bar"}');
  },
  "the error of a function": async () => {
    const { data, error } = await signedIn().invoke("typed?status=418&type=text%2Fplain", {});
    assert.deepEqual([data, error.name, error.context.status], [null, "FunctionsHttpError", 418]);
    assert.equal(await error.context.text(), '{"foo":"bar"}');
  },
  "a function that is not there": async () => {
    const { error } = await signedIn().invoke("missing", {});
    assert.deepEqual([error.name, error.context.status], ["FunctionsHttpError", 404]);
  },
};

const results = [];
for (const [name, behaviour] of Object.entries(behaviours)) {
  try {
    await behaviour();
    results.push([name, "ok"]);
  } catch (error) {
    results.push([name, String(error?.stack ?? error)]);
  }
}
console.log(JSON.stringify(results));
process.exit(0);
