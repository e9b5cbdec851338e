// arrivals.mjs RATE SECONDS REQUEST…: sends requests at a fixed rate, whether or not earlier ones were answered. The time of
// each is measured from when it was due. A REQUEST is URL|HEADER: VALUE|…; they take turns. Prints p50 and p99 in
// milliseconds, and the number of failures.
import http from 'node:http';

const [rate, seconds, ...wanted] = process.argv.slice(2);
const requests = wanted.map((text) => {
  const [url, ...headers] = text.split('|');
  return { url, headers: Object.fromEntries(headers.map((header) => header.split(/: (.*)/s).slice(0, 2))) };
});
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
const total = Number(rate) * Number(seconds);
const times = [];
let failures = 0;

function send(index, due) {
  const { url, headers } = requests[index % requests.length];
  return new Promise((resolve) => {
    const request = http.get(url, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200) failures += 1;
      answer.resume().on('end', () => {
        times.push(performance.now() - due);
        resolve();
      });
    });
    request.on('error', () => {
      failures += 1;
      resolve();
    });
  });
}

const begun = performance.now();
const pending = [];
while (pending.length < total) {
  const due = begun + (pending.length * 1000) / Number(rate);
  const wait = due - performance.now();
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  else pending.push(send(pending.length, due));
}
await Promise.all(pending);
times.sort((a, b) => a - b);
const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(2);
console.log(at(0.5), at(0.99), failures);
