import { setTimeout as delay } from 'node:timers/promises';

/** A response, or none: the connection was refused or lost, or took too long. */
export interface Answer {
  /** 0 without a response. */
  readonly status: number;
  readonly headers: Pick<Headers, 'get'>;
  readonly text: string;
}

/** Sends requests to a service that may be failing, and watches the responses. */
export interface Answers {
  /** Sends a request to a path of the service. */
  send(path: string, request?: RequestInit): Promise<Answer>;
  /** Watches the response of a request that was sent otherwise. A rejection counts as no response. */
  watch(path: string, response: Promise<Answer>): Promise<Answer>;
  /** Reports a response that is wrong whatever happens to the service. */
  report(what: string): void;
  /** Everything that was reported. */
  readonly wrong: readonly string[];
  /** How many responses of each status there were; 0: no response. */
  readonly statuses: ReadonlyMap<number, number>;
  /** The longest that a request took, in milliseconds. */
  readonly longestMs: () => number;
  /** Resolves with the time of the first of 50 requests in a row that got a response below 500. */
  recovered(): Promise<number>;
}

const recoveredAfter = 50;
const pollMs = 20;
/** Stack traces, and paths of the installation. */
const internals = /\n\s+at |node_modules|\.[jt]s:\d+/;
const none: Answer = { status: 0, headers: new Headers(), text: '' };

interface Watching {
  /** A proxy responds 502 when the connection to a server is lost: no response of the service. */
  readonly behindProxy?: boolean;
}

/** `patienceMs`: how long a request may take; then it counts as lost. */
export function watchAnswers(baseUrl: string, patienceMs: number, { behindProxy = false }: Watching = {}): Answers {
  const wrong: string[] = [];
  const statuses = new Map<number, number>();
  let longestMs = 0;
  let streak = { length: 0, startedAt: 0 };

  const record = (startedAt: number, path: string, answer: Answer) => {
    const { status, text } = answer;
    longestMs = Math.max(longestMs, performance.now() - startedAt);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status === 0 || status >= 500) streak = { length: 0, startedAt: Infinity };
    else streak = { length: streak.length + 1, startedAt: Math.min(streak.startedAt, performance.now()) };
    if (status > 500 && status !== 503) wrong.push(`${path}: ${String(status)}`);
    if (status === 500 || internals.test(text)) wrong.push(`${path}: ${String(status)} ${text.slice(0, 500)}`);
    if (status === 503 && !isDocumented(path, answer)) wrong.push(`${path}: undocumented 503 ${text}`);
  };

  const watch: Answers['watch'] = async (path, response) => {
    const startedAt = performance.now();
    const received = await response.catch(() => none);
    const answer = behindProxy && received.status === 502 ? none : received;
    record(startedAt, path, answer);
    return answer;
  };
  return {
    send: async (path, request = {}) =>
      await watch(path, fetchAnswer(baseUrl + path, { signal: AbortSignal.timeout(patienceMs), ...request })),
    watch,
    report: (what) => void wrong.push(what),
    wrong,
    statuses,
    longestMs: () => longestMs,
    recovered: async () => {
      const from = performance.now();
      streak = { length: 0, startedAt: Infinity };
      while (streak.length < recoveredAfter) await delay(pollMs);
      return Math.max(from, streak.startedAt);
    },
  };
}

async function fetchAnswer(url: string, request: RequestInit): Promise<Answer> {
  const response = await fetch(url, { redirect: 'manual', ...request });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Every 503 says when to come back; one of the API is a problem (RFC 9457) that names its cause. */
function isDocumented(path: string, { headers, text }: Answer): boolean {
  if (path.startsWith('/health/')) return text.includes('"status"');
  if (headers.get('retry-after') === null) return false;
  return !path.startsWith('/api/') || /"code":"(?:unavailable|storage-full)"/.test(text);
}
