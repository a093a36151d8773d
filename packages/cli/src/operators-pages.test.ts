import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { Command } from 'commander';
import { expect, test } from 'vitest';

import { createProgram } from './program.ts';
import { run } from '@linnet/test/cli/run';

const program = await createProgram();

/** What the pages for operators tell people to run and to set exists; and they name every command and variable. */
const docs = fileURLToPath(new URL('../../../docs', import.meta.url));
const read = (file: string) => readFileSync(`${docs}/${file}`, 'utf8');
const files = readdirSync(`${docs}/operations`, { recursive: true, encoding: 'utf8' });
const texts = [
  ...files.filter((file) => /\.(?:md|sh|yaml|service)$/.test(file)).map((file) => read(`operations/${file}`)),
];

/** `linnet service` and `linnet operator` are names of connections. */
const connectionNames = new Set(['service', 'operator']);

/** The words after `linnet` in code spans, lines of code blocks, units and manifests; comments and what follows the command left out. */
function findInvocations(text: string): readonly string[] {
  const code = text.matchAll(
    /`linnet ([a-z][^`]*)`|^(?!\S*#)[^`\n]*?(?:^|pnpm@12 |bin\/|[=] ?|-- )linnet ([a-z][^`\n]*)$/gm,
  );
  return [...code]
    .map(([, span, line]) => (span ?? line ?? '').replace(/\s(?:#|\||&&|>|;).*$/, '').trim())
    .filter((words) => !connectionNames.has(words));
}

function findCommand(words: readonly string[]): Command | undefined {
  let command: Command | undefined = program;
  for (const word of words) {
    if (command.commands.length === 0) return command;
    const next: Command | undefined = command.commands.find((one) => one.name() === word);
    // `migrate` alone runs.
    if (next === undefined) return word.startsWith('-') && command.parent !== null ? command : undefined;
    command = next;
  }
  return command;
}

/** What is wrong with an invocation; undefined if nothing is. */
function findProblem(invocation: string): string | undefined {
  const words = invocation.split(/\s+/);
  const command = findCommand(words);
  if (command === undefined) return invocation;
  const known = new Set(['--help', ...optionsOf(command)]);
  const unknown = words.filter((word) => word.startsWith('--') && !known.has(word.replace(/=.*/, '')));
  return unknown.length === 0 ? undefined : `${invocation}: ${unknown.join(' ')}`;
}

function optionsOf(command: Command): readonly string[] {
  const own = command.options.map(({ long }) => long ?? '');
  return [...own, ...command.commands.flatMap(optionsOf)];
}

/** Full names of the commands that do something. */
function listCommands(command: Command, names: readonly string[] = []): readonly string[] {
  if (command.commands.length === 0) return [names.join(' ')];
  return command.commands.flatMap((one) => listCommands(one, [...names, one.name()]));
}

interface Row {
  readonly commands: readonly string[];
  readonly options: readonly string[];
}

/** The table of commands. `user verify\|unverify <username>` are two of them. */
function readTable(): readonly Row[] {
  const section = /## The linnet command\n(.*?)\n## /s.exec(read('operations/README.md'))?.[1] ?? '';
  const rows = [...section.matchAll(/^\| (`.*?) \| (.*) \|$/gm)];
  return rows.map(([, first = '', second = '']) => ({
    commands: [...first.matchAll(/`([^`]+)`/g)].flatMap(([, span = '']) => expand(span)),
    options: [...second.matchAll(/`(--[a-z-]+)/g)].map(([, option = '']) => option),
  }));
}

function expand(span: string): readonly string[] {
  const [noun = '', verbs] = span.replace(/ [<-].*$/, '').split(' ');
  // What follows a command without others is an argument.
  const isWhole = verbs === undefined || findCommand([noun])?.commands.length === 0;
  return isWhole ? [noun] : verbs.split(String.raw`\|`).map((verb) => `${noun} ${verb}`);
}

test('every command that the pages for operators run exists, with its options', () => {
  const invocations = texts.flatMap(findInvocations);
  expect(invocations.length).toBeGreaterThan(40);
  expect(invocations.map(findProblem).filter((problem) => problem !== undefined)).toEqual([]);
});

test('the table of commands lists each of them, with options that exist', () => {
  const rows = readTable();
  const listed = rows.flatMap(({ commands }) => commands).filter((name) => name !== '--version');
  const existing = listCommands(program);
  expect(existing.filter((name) => !listed.includes(name))).toEqual([]);
  expect(listed.filter((name) => findCommand(name.split(' ')) === undefined)).toEqual([]);
  const wrong = rows.flatMap(({ commands, options }) => {
    const known = new Set(commands.flatMap((name) => optionsOf(findCommand(name.split(' ')) ?? program)));
    return options.filter((option) => option !== '--no-' && !known.has(option)).map((option) => [commands, option]);
  });
  expect(wrong).toEqual([]);
});

/** OpenTelemetry's packages read these themselves, and OTLP_TRACES is a part of a name. */
const readElsewhere =
  /^(?:OTEL_EXPORTER_OTLP_(?:HEADERS|TIMEOUT|COMPRESSION)|OTEL_(?:SERVICE_NAME|RESOURCE_ATTRIBUTES)|OTLP_TRACES)$/;

/** The names in the first columns of tables of variables. */
function readVariables(text: string): readonly string[] {
  const tables = text.matchAll(/^\| variable \|.*\n\|[-|]+\n((?:\|.*\n)+)/gm);
  const firstCells = [...tables].flatMap(([, rows = '']) => [...rows.matchAll(/^\| ([^|]*) \|/gm)]);
  return firstCells.flatMap(([, cell = '']) => [...cell.matchAll(/`([A-Z][A-Z0-9_]+)`/g)]).map(([, name = '']) => name);
}

/** Those that `linnet config check` lists for any server. */
async function checkedVariables(): Promise<ReadonlySet<string>> {
  const checked = new Set<string>();
  for (const server of ['all', 'auth', 'api']) {
    const { stdout } = await run('config', 'check', '--server', server, '--json');
    const { variables }: { variables: readonly { name: string }[] } = JSON.parse(stdout);
    for (const { name } of variables) checked.add(name);
  }
  return checked;
}

test('the tables of variables list each variable of the three servers, and no others', async () => {
  const listed = new Set(texts.flatMap(readVariables));
  const existing = await checkedVariables();
  expect([...existing].filter((name) => !listed.has(name))).toEqual([]);
  expect([...listed].filter((name) => !existing.has(name) && !readElsewhere.test(name))).toEqual([]);
});

/** systemd sets it. */
const setByOthers = new Set(['CREDENTIALS_DIRECTORY']);

test('config check lists each variable that the service reads by its name', async () => {
  const rooms = ['apps/api', 'apps/auth', 'packages/cli', 'packages/service', 'packages/db', 'packages/media'];
  const names = rooms.flatMap((room) => {
    const folder = fileURLToPath(new URL(`../../../${room}/src`, import.meta.url));
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /(?<!\.test)\.tsx?$/.test(file),
    );
    const text = sources.map((file) => readFileSync(`${folder}/${file}`, 'utf8')).join('\n');
    return [...text.matchAll(/env(?:ironment\(\))?\['([A-Z][A-Z0-9_]+)'\]/g)].map(([, name = '']) => name);
  });
  const checked = await checkedVariables();
  expect(names).toContain('MEDIA_FETCH_ALLOW_IN_PRODUCTION');
  expect(names.filter((name) => !checked.has(name) && !setByOthers.has(name))).toEqual([]);
});
