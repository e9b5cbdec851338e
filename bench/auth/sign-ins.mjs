// sign-ins.mjs AUTH_URL ANON_KEY CLIENTS: each client signs in again as soon as it is answered, until SIGTERM. Then prints the
// number of sign-ins per second.
import http from 'node:http';

const [url, key, clients] = process.argv.slice(2);
const agent = new http.Agent({ keepAlive: true });
const begun = performance.now();
const counts = {};

function signIn(client) {
  const request = http.request(`${url}/token?grant_type=password`, {
    agent,
    method: 'POST',
    headers: { apikey: key, 'content-type': 'application/json' },
  });
  request.on('response', (answer) => {
    counts[answer.statusCode] = (counts[answer.statusCode] ?? 0) + 1;
    answer.resume().on('end', () => signIn(client));
  });
  request.on('error', () => {});
  request.end(JSON.stringify({ email: `bench${client + 1}@x.test`, password: 'correct horse battery' }));
}

for (let client = 0; client < Number(clients); client += 1) signIn(client);
process.on('SIGTERM', () => {
  const seconds = (performance.now() - begun) / 1000;
  const rates = Object.entries(counts).map(([status, count]) => `${(count / seconds).toFixed(0)} of status ${status}`);
  console.log(`sign-ins a second meanwhile: ${rates.join(', ')}`);
  process.exit(0);
});
