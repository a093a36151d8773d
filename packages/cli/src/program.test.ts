import { expect, test, vi } from 'vitest';

import { version } from '@linnet/service/config/version';

import { createProgram } from './program.ts';
import { run } from '@linnet/test/cli/run';

const create = ['app', 'create', '--owner', 'ada', '--name', 'n'];

test.each([
  [['strat'], "unknown command 'strat'"],
  [['keys', 'lst'], "unknown command 'lst'"],
  [['keys', 'list', '--colour'], "unknown option '--colour'"],
  [['audit', 'tail', '--limit', '0'], 'from 1 to 10000'],
  [['audit', 'verify', '--expect', 'x'], '64 hexadecimal digits'],
  [['audit', 'archive'], "required option '--to <file>' not specified"],
  [['audit', 'archive', '--to', 'x', '--older-than', '-1'], 'Give a number of days'],
  [['audit', 'archive', '--to', 'x', '--before', '2027-02-30'], 'Give a date such as'],
  [['audit', 'archive', '--to', 'x', '--before', '2027-02-03', '--older-than', '9'], 'cannot be used with'],
  [['keys', 'list', 'extra'], 'too many arguments'],
  // The id of a key, which is no option although it begins with a hyphen.
  [['keys', 'list', '-hcdefghijklmnopqrstuvwxyz0123456789_-ABCDE'], 'too many arguments'],
  [['user', 'create', '--email', 'a@example.org'], "required option '--first-name <name>' not specified"],
  [['user', 'show'], "missing required argument 'username'"],
  [['report', 'resolve', '7', '--reason', 'spam'], "missing required argument 'dismissed"],
  [['report', 'resolve', '7', 'dismissed'], "required option '--reason <text>' not specified"],
  [create, "required option '--type <type>' not specified"],
  [[...create, '--type', 'secret'], 'Allowed choices are confidential, public, native'],
])('%j fails with one message and status 1', async (args, message) => {
  const plain = await run(...args);
  expect([plain.status, plain.stdout]).toEqual([1, '']);
  expect(plain.stderr).toContain(message);
  expect(plain.stderr.match(new RegExp(message, 'g'))).toHaveLength(1);
  const json = await run(...args, '--json');
  expect([json.status, json.stderr]).toEqual([1, '']);
  expect(JSON.parse(json.stdout)).toEqual({ error: { code: 'usage', message: expect.stringContaining(message) } });
});

test('--help succeeds and prints to stdout', async () => {
  const help = await run('app', 'create', '--help');
  expect([help.status, help.stderr]).toEqual([0, '']);
  expect(help.stdout).toContain('--redirect-uri <uri>');
});

test('--version prints the version, which is that of every room', async () => {
  const shown = await run('--version');
  expect([shown.status, shown.stdout]).toEqual([0, `${version}\n`]);
});

const names = (await createProgram()).commands.map((command) => command.name());

test.each(names)('%s is the only command that it loads', async (name) => {
  expect((await createProgram([name])).commands.map((command) => command.name())).toEqual([name]);
  expect((await run(name, '--help')).stdout).toContain(`Usage: linnet ${name}`);
});

test('without a command, linnet prints the help and fails', async () => {
  const help = await run();
  expect([help.status, help.stdout]).toEqual([1, '']);
  expect(help.stderr).toContain('Usage: linnet');
});

test('user create reports every invalid option without opening the database', async () => {
  vi.stubEnv('BASE_URL', undefined); // the test runner sets it to "/"
  const options = [...'--email nobody --password short --last-name Lovelace --json'.split(' '), '--first-name', ' '];
  const refused = await run('user', 'create', ...options);
  expect(refused.status).toBe(1);
  expect(JSON.parse(refused.stdout)).toEqual({
    error: { code: 'invalid-account', message: expect.stringMatching(/--first-name .*\n--email .*\n--password .*/) },
  });
  vi.unstubAllEnvs();
});

test.each([
  ['secret12', 'one of the most common passwords'],
  ['ada@example.org', 'a name or the e-mail address'],
])('user create refuses the password %j, before any database is touched', async (password, reason) => {
  vi.stubEnv('BASE_URL', undefined);
  const person = ['--email', 'ada@example.org', '--first-name', 'Ada', '--last-name', 'Lovelace'];
  const refused = await run('user', 'create', ...person, '--password', password, '--json');
  expect([refused.status, JSON.parse(refused.stdout)]).toEqual([
    1,
    { error: { code: 'invalid-account', message: expect.stringContaining(`--password is ${reason}`) } },
  ]);
  vi.unstubAllEnvs();
});
