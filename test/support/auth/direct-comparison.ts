/** Compares responses of the direct path with those of the complete path. */
import { expect } from 'vitest';

import type { Answer, RunningAuth } from './running-auth.ts';

const requestIdOf = ({ headers }: Answer) => String(headers['x-request-id']);

function linesOf({ log }: RunningAuth, answer: Answer): readonly Readonly<Record<string, unknown>>[] {
  const id = requestIdOf(answer);
  // Each line is a JSON object.
  return log.filter((line) => line.includes(id)).map((line) => JSON.parse(line) as Record<string, unknown>);
}

export function wasDirect(server: RunningAuth, answer: Answer): boolean {
  return linesOf(server, answer).some(({ msg }) => msg === 'answered directly');
}

/** Asks until the answer is direct: an application is so while it is cached, which a busy machine may need some attempts for. */
export async function askDirectly(server: RunningAuth, ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (wasDirect(server, answer)) return answer;
    expect(answer.status).toBe(200);
  }
}

/** What may differ between two responses. */
const changing = /^(x-request-id|date|ratelimit)$/i;

/** Members of a line that differ between two requests. */
const changingMembers = new Set(['id', 'requestId', 'time', 'pid', 'ms']);

const withoutChanging = (line: object) =>
  Object.fromEntries(Object.entries(line).filter(([name]) => !changingMembers.has(name)));

/** Status, headers and body of a response, and its lines in the log. `changed` is a part of the body that may differ. */
export async function describeTraces(server: RunningAuth, answer: Answer, changed?: string): Promise<object> {
  const { status, rawHeaders, text } = answer;
  const body = text.replace(changed ?? requestIdOf(answer), '…');
  const headers = rawHeaders.map((one, index) => (changing.test(rawHeaders[index - 1] ?? '') ? '…' : one));
  // The line is written after the response has been sent.
  await expect.poll(() => linesOf(server, answer).some(({ msg }) => msg === 'request')).toBe(true);
  const lines = linesOf(server, answer).filter(({ msg }) => msg !== 'answered directly');
  return { status, headers, body, lines: lines.map(withoutChanging) };
}
