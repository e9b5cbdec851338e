// The parts of bench/functions.sh that need a clock: `starts`, `overhead` and `native`.
import http from "node:http";
import { readdirSync, readFileSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const [what, url, count, waiting] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

function call(target) {
  const { body, ...options } = target;
  return new Promise((resolve, reject) => {
    const begun = process.hrtime.bigint();
    const request = http.request({ agent, ...options }, (response) => {
      let text = "";
      response.on("data", (piece) => (text += piece));
      response.on("end", () => resolve({ status: response.statusCode, text, ms: Number(process.hrtime.bigint() - begun) / 1e6 }));
    });
    request.on("error", reject);
    request.end(body);
  });
}
async function timed(target) {
  const answer = await call(target);
  if (answer.status !== 200) throw new Error(`${target.path}: ${answer.status} ${answer.text}`);
  return answer.ms;
}
const quantile = (all, part) => all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * part))];
const shown = (all) => [0.5, 0.99].map((part) => quantile(all, part).toFixed(3));

// Processes that wait for a function: they run the server's own main module.
function waits() {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      const config = line.split("--config\0")[1]?.split("\0")[0];
      const isOurs = line.includes("/warm.js") && line.includes("dugout-functions-bench");
      // One that has become a function listens.
      if (isOurs && !existsSync(join(config, "../socket"))) return true;
    } catch {
      // It has ended.
    }
  }
  return false;
}

async function starts() {
  const all = [];
  for (let number = 1; number <= Number(count); number++) {
    while (waiting === "1" && !waits()) await pause(20);
    // What waits has come to rest.
    await pause(700);
    all.push(await timed({ hostname, port, path: `/functions/v1/first${number}` }));
  }
  const [p50, p99] = [quantile(all, 0.5), Math.max(...all)].map((ms) => ms.toFixed(1));
  const how = waiting === "1" ? "with a waiting process" : "without one";
  console.log(`first request ${how}, ${all.length} functions: p50 ${p50} ms, max ${p99} ms (goal: under 25 ms with one)`);
}

// The socket of the process that answers for the function.
async function socketOf(name) {
  await timed({ hostname, port, path: `/functions/v1/${name}` });
  for (const folder of readdirSync(tmpdir()).filter((entry) => /^dugout-functions-\d+-/.test(entry))) {
    for (const process of readdirSync(join(tmpdir(), folder))) {
      const socketPath = join(tmpdir(), folder, process, "socket");
      if (!existsSync(socketPath)) continue;
      const answer = await call({ agent: undefined, socketPath, path: `/${name}` }).catch(() => undefined);
      const isOwn = readFileSync(`/proc/${folder.split("-")[2]}/cmdline`, "utf8").includes(`\0${port}\0`);
      if (isOwn && answer?.status === 200) return socketPath;
    }
  }
  throw new Error("the socket of the process is not found");
}

// Alternates between the targets, so that other load on the machine affects all of them alike.
async function inTurn(targets, each, rounds = 20) {
  const times = targets.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, target] of targets.entries()) {
      for (let n = 0; n < each / rounds; n++) times[at].push(await timed(target));
    }
  }
  return times;
}

async function overhead() {
  const socketPath = await socketOf("hello");
  const direct = { agent: new http.Agent({ keepAlive: true, maxSockets: 1 }), socketPath, path: "/hello", headers: { host: "x" } };
  const gateway = { hostname, port, path: "/functions/v1/hello" };
  const targets = [direct, gateway, { hostname, port, path: "/ip" }];
  await inTurn(targets, 400);
  const [alone, through, least] = await inTurn(targets, Number(count));
  const added = (quantile(through, 0.5) - quantile(alone, 0.5)) * 1000;
  const [[p50, p99], [q50, q99]] = [shown(alone), shown(through)];
  console.log(`hello, one connection, ${count} calls: the process itself p50 ${p50} ms, p99 ${p99} ms; through the gateway p50 ${q50} ms, p99 ${q99} ms`);
  console.log(`the gateway adds ${added.toFixed(0)} us at the median (goal: under 100); GET /ip, which calls nothing, takes ${shown(least)[0]} ms`);
}

async function native() {
  const key = process.env.ANON_KEY;
  const headers = { apikey: key, "content-type": "application/json" };
  const user = JSON.stringify({ email: `bench${Date.now()}@x.test`, password: "correct horse battery" });
  const session = await call({ hostname, port, path: "/auth/v1/signup", method: "POST", headers, body: user });
  const token = JSON.parse(session.text).access_token;
  if (!token) throw new Error(`no session: ${session.text}`);
  const ids = { game: "00000000-0000-4000-8000-000000000001", device: "00000000-0000-4000-8000-000000000002" };
  const post = { hostname, port, method: "POST", headers: { ...headers, authorization: `Bearer ${token}` } };
  const score = { ...post, path: "/functions/v1/score", body: JSON.stringify({ ...ids, release: true }) };
  const rpc = { ...post, path: "/rest/v1/rpc/bench_end_scoring", body: JSON.stringify(ids) };
  for (let tries = 0; (await call(rpc)).status !== 200 && tries < 100; tries++) await pause(100);
  await inTurn([score, rpc], 200);
  const [own, database] = await inTurn([score, rpc], Number(count));
  const ratio = quantile(own, 0.5) / quantile(database, 0.5);
  const [[p50, p99], [q50, q99]] = [shown(own), shown(database)];
  console.log(`the native function p50 ${p50} ms, p99 ${p99} ms; the same by RPC p50 ${q50} ms, p99 ${q99} ms; ratio ${ratio.toFixed(2)} (goal: at most 1.5)`);
}

await { starts, overhead, native }[what]();
process.exit(0);
