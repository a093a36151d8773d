import { homedir } from 'node:os';

import { createClient } from '../api-client.ts';
import type { Client } from '../api-client.ts';
import { operate } from '../operator.ts';
import { findFreePort } from '../service.ts';
import type { SharedService } from '../shared-service.ts';
import { agreeAt } from './consent.ts';
import { commandsOf, isInstallation, isProgram } from './guide-blocks.ts';
import type { BlockGroup, GuideBlock, GuideSource } from './guide-blocks.ts';
import { createGuideProject } from './guide-project.ts';
import type { Answer, GuideProject, Shell } from './guide-project.ts';
import { sendWebhook } from './send-webhook.ts';
import { compareJson, compareResponses } from './compare-responses.ts';

interface RunOptions {
  readonly service: SharedService;
  readonly shell: Shell;
  /** Of the programs to run: `ts`, for example. */
  readonly languages: readonly string[];
  /** The folder with what the programs import. Without one, their commands install it. */
  readonly packages?: string;
  readonly reader: Reader;
}

interface Reader {
  readonly username: string;
  /** A port for servers of the examples. */
  readonly port: string;
  readonly client: Client;
}

interface Run extends RunOptions {
  readonly project: GuideProject;
  readonly insertValues: (code: string) => string;
}

/** Registers an account and an application with which to follow a guide. */
export async function createReader(name: string, service: SharedService): Promise<Reader> {
  const username = `guide_${name.replaceAll(/\W/g, '_')}`;
  const port = String(await findFreePort());
  const redirectUri = `http://127.0.0.1:${port}/callback`;
  return {
    username,
    port,
    client: await createClient(service.env, username, ['--redirect-uri', redirectUri, '--device']),
  };
}

/** For the endpoint of a receiver. */
const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/**
 * Follows a guide from top to bottom, as `reader`: runs its shell commands and its programs in `languages`, and compares
 * what is shown with what happens. Returns the differences.
 * @throws Error with the output of an example that fails
 */
export async function runGuide({ groups }: GuideSource, options: RunOptions): Promise<readonly string[]> {
  const { reader, shell, packages } = options;
  const { port, client } = reader;
  const values = {
    YOUR_CLIENT_ID: client.id,
    YOUR_CLIENT_SECRET: client.secret,
    YOUR_WEBHOOK_SECRET: webhookSecret,
    '4000': port,
  };
  const insertValues = (code: string) =>
    Object.entries(values).reduce((text, [from, to]) => text.replaceAll(from, to), code);
  await using project = await createGuideProject(shell, packages, packages === undefined ? homedir() : undefined);
  const run = { ...options, project, insertValues };
  const differences: string[] = [];
  for (const group of groups) differences.push(...(await runGroup(group, run)));
  // Lists have another page if the guide ran before.
  return options.languages.length > 0 ? differences : differences.filter((one) => one !== '$.next: not shown');
}

/** The examples of a group run in order; programs, which wait most of the time, together. Servers share a port. */
async function runGroup(group: BlockGroup, run: Run): Promise<readonly string[]> {
  const differences: string[] = [];
  let printed = '';
  let programs = group.filter((block) => isProgram(block) && run.languages.includes(block.language));
  for (const block of group) {
    const { language, code } = block;
    if (language === 'run') await (run.languages.length === 0 ? undefined : runHidden(code, run));
    else if (language === 'sh') printed = await run.project.runShell(run.insertValues(code), answerTo(code, run));
    else if (!isProgram(block)) differences.push(...(printed === '' ? [] : compare(block, printed, run)));
    else if (programs.length > 0) {
      const outputs = await runPrograms(programs, run);
      if (printed === '') printed = outputs[0] ?? '';
      programs = [];
    }
  }
  return differences;
}

async function runPrograms(programs: BlockGroup, run: Run): Promise<readonly string[]> {
  const areServers = programs.some(({ code }) => /\b4000[,)]/.test(code));
  return areServers ? await runInTurn(programs, run) : await runTogether(programs, run);
}

async function runTogether(programs: BlockGroup, run: Run): Promise<readonly string[]> {
  return await Promise.all(programs.map(async (block) => await runProgram(block, run)));
}

async function runInTurn(programs: BlockGroup, run: Run): Promise<readonly string[]> {
  const outputs: string[] = [];
  for (const block of programs) outputs.push(await runProgram(block, run));
  return outputs;
}

async function runProgram(block: GuideBlock, run: Run): Promise<string> {
  const commands = commandsOf(block).filter((command) => run.packages === undefined || !isInstallation(command));
  const [code, ...lines] = [block.code, ...commands].map(run.insertValues);
  return await run.project.runProgram(lines, block.caption, code ?? '', answerTo(block.code, run));
}

/** What a reader does on a page: an operator's command with files of the project. */
async function runHidden(command: string, { insertValues, project, service }: Run): Promise<void> {
  const [, ...args] = insertValues(command).replaceAll('jwks.json', `${project.root}/jwks.json`).split(' ');
  const { exitCode, stderr } = await operate(args, service.env);
  if (exitCode !== 0) throw new Error(`${command}: ${stderr}`);
}

/** Does what the program asks for: opens addresses, and enters the one to which the browser returned. */
function answerTo(code: string, { service, reader: { username, port } }: Run): Answer {
  if (code.includes('WEBHOOK_SECRET')) return sendWebhook(`http://127.0.0.1:${port}/`, webhookSecret);
  const asksForCallback = /\bread -r|\.question\(|\binput\(/.test(code);
  const answered = new Set<string>();
  return async (output) => {
    const authorization = /http\S+\/oauth\/authorize\?\S+/.exec(output)?.[0];
    const opened = /Open (http:\S+)$|Server \((http:\S+)\) started/m.exec(output)?.slice(1).find(Boolean);
    const address = asksForCallback ? authorization : opened;
    if (address === undefined || answered.has(address)) return undefined;
    answered.add(address);
    const { origin } = new URL(address);
    const page = await agreeAt(address, { origins: [service.baseUrl, origin], username });
    if (asksForCallback) return { line: page.url.href };
    if (origin === service.baseUrl) return undefined;
    if (!page.html.includes(`Signed in as ${username}`)) throw new Error(`not signed in: ${page.html}`);
    return 'stop';
  };
}

function compare({ language, caption, code }: GuideBlock, printed: string, run: Run): readonly string[] {
  if (language === 'json') return compareJson(JSON.parse(code), parseJson(printed));
  if (language === 'http') return compareResponses(run.insertValues(code), printed);
  if (caption !== 'Output' || code.trim() === printed.trim()) return [];
  return [`shown:\n${code}but it is:\n${printed}`];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^Listening on .*\n/, ''));
  } catch {
    throw new Error(`not JSON: ${text}`);
  }
}
