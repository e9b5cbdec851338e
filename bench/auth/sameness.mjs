// sameness.mjs AUTH_URL ANON_KEY SERVICE_ROLE_KEY SAMPLES: what an observer of the clock learns about an address. Prints, for each
// endpoint, the median times of known, unconfirmed, banned and unknown addresses in milliseconds, and how likely differences to
// the unknown ones as large as these are by chance (Mann-Whitney, two-sided).
import http from 'node:http';

const [url, anon, service, count] = process.argv.slice(2);
const samples = Number(count);
const PASSWORD = 'correct horse battery';
const KINDS = ['known', 'unconfirmed', 'banned', 'unknown'];
/** Each address is used a few times only: after ten wrong passwords an account makes strangers wait. */
const TIMES_EACH = 4;
const addresses = Math.ceil(samples / TIMES_EACH);
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

function post(path, key, body) {
  return new Promise((resolve, reject) => {
    const headers = { apikey: key, authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const begun = performance.now();
    const request = http.request(`${url}${path}`, { agent, method: 'POST', headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece) => (text += piece));
      answer.on('end', () => resolve({ took: performance.now() - begun, status: answer.statusCode, text }));
    });
    request.on('error', reject);
    request.end(JSON.stringify(body));
  });
}

/** Status and the names of the fields: what must be equal besides the time. */
function shapeOf({ status, text }) {
  const fields = Object.keys(text ? JSON.parse(text) : {}).sort();
  return `${status} ${fields.join(' ')}`;
}

const ENDPOINTS = {
  token: ['/token?grant_type=password', (email) => ({ email, password: 'a wrong password' })],
  signup: ['/signup', (email) => ({ email, password: PASSWORD })],
  recover: ['/recover', (email) => ({ email })],
  otp: ['/otp', (email) => ({ email })],
  resend: ['/resend', (email) => ({ type: 'signup', email })],
};
/** Endpoints that make an account of an unknown address: a new one is needed each time. */
const MAKES_ACCOUNTS = new Set(['signup', 'otp']);

function address(endpoint, kind, index) {
  const number = kind === 'unknown' && MAKES_ACCOUNTS.has(endpoint) ? index : index % addresses;
  return `${kind}-${kind === 'unknown' ? endpoint : ''}${number}@x.test`;
}

function shuffled(list) {
  const left = [...list];
  return list.map(() => left.splice(Math.floor(Math.random() * left.length), 1)[0]);
}

const median = (times) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)];

/** Two-sided p of the Mann-Whitney test, by its normal approximation. Times of this resolution have no ties to speak of. */
function mannWhitney(one, other) {
  const all = [...one.map((value) => [value, 1]), ...other.map((value) => [value, 0])].sort((a, b) => a[0] - b[0]);
  const ranks = all.reduce((sum, [, mine], index) => sum + mine * (index + 1), 0);
  const [n, m] = [one.length, other.length];
  const u = ranks - (n * (n + 1)) / 2;
  const z = Math.abs(u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
  return { p: erfc(z / Math.SQRT2), larger: u / (n * m) };
}

/** Abramowitz and Stegun 7.1.26: exact to seven digits. */
function erfc(x) {
  const t = 1 / (1 + 0.3275911 * x);
  const sum = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return sum * Math.exp(-x * x);
}

for (let number = 0; number < addresses; number += 1) {
  for (const kind of ['known', 'unconfirmed', 'banned']) {
    const user = { email: address('', kind, number), password: PASSWORD, email_confirm: kind !== 'unconfirmed' };
    const made = await post('/admin/users', service, kind === 'banned' ? { ...user, ban_duration: '24h' } : user);
    if (made.status !== 200) throw new Error(`${made.status} ${made.text}`);
  }
}
console.log(`${samples} requests each, one at a time, in random order; p: of differences to unknown addresses by chance alone`);
console.log(`${'median ms'.padEnd(10)}${KINDS.map((kind) => kind.padStart(12)).join('')}   p known, unconfirmed, banned`);
for (const [name, [path, body]] of Object.entries(ENDPOINTS)) {
  const times = Object.fromEntries(KINDS.map((kind) => [kind, []]));
  const shapes = new Set();
  for (let index = -10; index < samples; index += 1) {
    for (const kind of shuffled(KINDS)) {
      const used = index < 0 ? `warm${kind}${name}${index}@x.test` : address(name, kind, index);
      const answer = await post(path, anon, body(used));
      if (index < 0) continue;
      shapes.add(shapeOf(answer));
      times[kind].push(answer.took);
    }
  }
  const medians = KINDS.map((kind) => median(times[kind]).toFixed(2).padStart(12)).join('');
  const tests = KINDS.slice(0, 3).map((kind) => mannWhitney(times[kind], times.unknown));
  console.log(`${name.padEnd(10)}${medians}   ${tests.map(({ p }) => p.toFixed(3)).join('  ')}`);
  if (shapes.size !== 1) console.log(`  DIFFERENT ANSWERS: ${[...shapes].join(' | ')}`);
}
