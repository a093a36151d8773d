import { parseReason } from '@linnet/accounts/operators/operator-act';
import type { ReasonProblem } from '@linnet/accounts/operators/operator-act';
import { InvalidArgumentError, Option } from 'commander';

import { readConfig } from '../config.ts';
import type { Config } from '../config.ts';
import { createOutput } from '../output.ts';
import type { Output } from '../output.ts';

/** What every command needs besides its own options and arguments. */
export interface Invocation {
  readonly config: Config;
  readonly output: Output;
  readonly json: boolean;
}

/** @throws ConfigurationError */
export function invoke(json: boolean | undefined): Invocation {
  return { config: readConfig(), output: createOutput(json === true), json: json === true };
}

/** Collects the values of a repeatable option. */
export function collect(value: string, values: readonly string[] = []): readonly string[] {
  return [...values, value];
}

/** Reads an option that is a whole number. */
export function parseCount(most: number) {
  return (text: string): number => {
    const count = Number(text);
    if (/^\d{1,16}$/.test(text) && count >= 1 && count <= most) return count;
    throw new InvalidArgumentError(`Give a whole number from 1 to ${String(most)}.`);
  };
}

/** `--reason`, which the audit log keeps. */
export function reasonOption(): Option {
  return new Option('--reason <text>', 'why, for the audit log; no names or addresses of people')
    .makeOptionMandatory()
    .argParser(toReason);
}

const reasonProblems: Readonly<Record<ReasonProblem, string>> = {
  missing: 'Give a reason.',
  'too-long': 'Give a reason of at most 200 characters.',
  personal: 'Leave out addresses and usernames: the reason may not contain @.',
  unprintable: 'The reason contains a character that cannot be displayed.',
};

/** @throws InvalidArgumentError */
function toReason(text: string): string {
  const { reason, problem } = parseReason(text);
  if (problem === undefined) return reason;
  throw new InvalidArgumentError(reasonProblems[problem]);
}
