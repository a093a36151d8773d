import { watchAnswers } from './answers.ts';
import type { Answers } from './answers.ts';
import { openCalls } from './calls.ts';
import type { Calls } from './calls.ts';
import { findDifferences, findForgotten, openLedger } from './ledger.ts';
import { startLoad } from './load.ts';
import type { World } from './world.ts';

/** A fault, and how much of it. */
export interface Scenario {
  /** The title of the test. */
  readonly title: string;
  /** How many, or how long in seconds, as the fault says. Without `short` it is only in the long form. */
  readonly size: { readonly short?: number; readonly long: number };
  /** Causes the fault, once or several times. */
  readonly cause: (run: Run) => Promise<void>;
  /** True if tokens may expire, because the clock changes. */
  readonly mayExpire?: boolean;
  /** The world that it needs, instead of the one that scenarios share. Undefined, with a note, if there can be none here. */
  readonly startWorld?: () => Promise<World | undefined>;
}

/** What a fault gets. */
export interface Run {
  readonly world: World;
  readonly answers: Answers;
  readonly size: number;
  readonly isLong: boolean;
  /** Calls of the application that writes. */
  readonly calls: Calls;
  /** Does what causes failures, and waits until the service has recovered: 50 responses in a row without a failure. */
  readonly during: (work: () => Promise<void>) => Promise<void>;
  /** Adds a figure to the line that the test prints. */
  readonly note: (text: string) => void;
}

/** What a scenario found. */
export interface Result {
  /** Acknowledged writes. */
  readonly writes: number;
  /** Acknowledged writes that are lost or were done twice, inexact counters, forgotten keys and revocations. */
  readonly lost: readonly string[];
  /** Responses that no fault excuses, with what the log says about them. */
  readonly wrong: readonly string[];
  /** The longest time from the end of a cause to the first of 50 responses without a failure, in milliseconds. */
  readonly slowestRecoveryMs: number;
  /** The line to print. */
  readonly figures: string;
}

/** Causes a fault while people write, and compares what was acknowledged with what is there. */
export async function runScenario(scenario: Scenario, world: World, isLong: boolean): Promise<Result> {
  const { title, cause, mayExpire = false } = scenario;
  const size = isLong ? scenario.size.long : (scenario.size.short ?? 0);
  const answers = watchAnswers(world.baseUrl, isLong ? 15_000 : 5000);
  const calls = await openCalls({ answers, client: world.client, mayExpire });
  const ledger = openLedger();
  const load = startLoad({ answers, calls, ledger });
  const recoveries: number[] = [];
  const notes: string[] = [];
  const during: Run['during'] = async (work) => {
    await work();
    const endedAt = performance.now();
    recoveries.push((await answers.recovered()) - endedAt);
  };
  try {
    await answers.recovered();
    await cause({
      world,
      answers,
      size,
      isLong,
      calls,
      during,
      note: (text) => void notes.push(text),
    });
  } finally {
    await load.stop();
  }
  const lost = [...(await findDifferences(ledger, world.databaseUrl)), ...(await findForgotten(ledger, calls))];
  const writes = ledger.posts.size + ledger.likes.size;
  const statuses = [...answers.statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${String(count)} × ${String(status)}`);
  const figures = [
    `${String(writes)} writes acknowledged, ${String(lost.length)} lost`,
    ...notes,
    ...(recoveries.length === 0
      ? []
      : [`recovered after ${toMs(median(recoveries))}, at most ${toMs(Math.max(...recoveries))}`]),
    `longest request ${toMs(answers.longestMs())}`,
    statuses.join(', '),
  ];
  return {
    writes,
    lost,
    wrong: explain(answers.wrong, world.service().stdout()),
    slowestRecoveryMs: Math.max(0, ...recoveries),
    figures: `${title}: ${figures.join('; ')}`,
  };
}

/** Adds the lines of the log that have the request's id. They are gone if the primary was killed. */
function explain(wrong: readonly string[], log: string): readonly string[] {
  const lines = wrong.length === 0 ? [] : log.split('\n');
  return wrong.map((what) => {
    const id = /"request_id":"([^"]+)"/.exec(what)?.[1];
    return [what, ...(id === undefined ? [] : lines.filter((line) => line.includes(id)))].join('\n');
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function toMs(value: number): string {
  return `${value.toFixed(0)} ms`;
}
