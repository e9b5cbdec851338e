// Makes pgbench scripts from the server's statements, as PostgreSQL logged them (log_statement = all):
//   node statements.mjs LOG FOLDER FIXED MOST
// The last transaction of each role in LOG becomes FOLDER/<role>.sql: its statements in one pipeline with one Sync. Values
// become variables in FOLDER/variables, one NAME=VALUE per line; the number FIXED becomes a random one up to MOST.
import { readFileSync, writeFileSync } from 'node:fs';

const [log, folder, fixed, most] = process.argv.slice(2);

/** The values of `$1 = 'it''s', $2 = NULL`. */
function parameters(text) {
  return [...text.matchAll(/\$\d+ = (?:'((?:[^']|'')*)'|NULL)/g)].map((match) => match[1]?.replaceAll("''", "'"));
}

const transactions = new Map();
for (const line of readFileSync(log, 'utf8').split('\n')) {
  const logged = line.match(/(LOG|DETAIL): {2}(.*) pid="(\d+)" state="\w*" user="authenticator"$/);
  if (!logged) continue;
  const [, kind, text, pid] = logged;
  const statements = transactions.get(pid) ?? [];
  transactions.set(pid, statements);
  const executed = text.match(/^(?:execute \S+|statement): (.*)$/);
  if (kind === 'LOG' && executed) statements.push({ sql: executed[1], values: [] });
  else if (kind === 'DETAIL' && /^parameters: /i.test(text) && statements.length > 0)
    statements.at(-1).values = parameters(text);
}

/** One list per request: BEGIN if there is one, the settings, the query, COMMIT if there is one. */
function requests(statements) {
  const found = [];
  for (const statement of statements) {
    const begins = /^begin/i.test(statement.sql);
    const sets = /^select [\w.(]*set_config\(/.test(statement.sql) && !/^begin/i.test(found.at(-1)?.at(-1)?.sql ?? '');
    if (begins || sets || found.length === 0) found.push([]);
    found.at(-1).push(statement);
  }
  // The log may begin and end in the middle of a request.
  return found.slice(1, -1);
}

/** The value of the setting `role`. */
function role(request) {
  for (const { sql, values } of request) {
    const parameter = sql.match(/set_config\('role', \$(\d+),/);
    if (parameter) return values[parameter[1] - 1];
  }
  return undefined;
}

const last = new Map();
for (const statements of transactions.values()) {
  for (const request of requests(statements)) if (role(request)) last.set(role(request), request);
}

const variables = [];
for (const [name, request] of last) {
  const lines = [`\\set n random(1, ${most})`, '\\startpipeline'];
  request.forEach(({ sql, values }, statement) => {
    const written = sql.replace(/\$(\d+)/g, (_, number) => {
      const value = values[number - 1];
      if (value === undefined) return 'null';
      if (value === fixed) return ':n';
      const variable = `${name}_${statement}_${number}`;
      variables.push(`${variable}=${value}\n`);
      return `:${variable}`;
    });
    lines.push(`${written};`);
  });
  writeFileSync(`${folder}/${name}.sql`, [...lines, '\\endpipeline', ''].join('\n'));
}
writeFileSync(`${folder}/variables`, [...new Set(variables)].join(''));
