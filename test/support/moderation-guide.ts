/** `docs/operations/moderation.md`, as tests follow it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { repositoryRoot } from './service.ts';

interface Step {
  /** Commands and calls that nobody has followed yet. */
  readonly left: Set<string>;
  readonly presses: number | undefined;
}

export interface ModerationGuide {
  /** The arguments of the command of a step that begins with these words; `values` replaces what is in angle brackets. */
  command(step: string, start: string, values?: Readonly<Record<string, string>>): readonly string[];
  /** Method and path of a call of a step. */
  call(step: string, target: string): string;
  /** How many presses the step says that it takes. */
  presses(step: string): number;
  /** What was not followed. */
  left(): readonly string[];
}

/** @throws Error where a test follows what the guide does not say */
export async function readModerationGuide(): Promise<ModerationGuide> {
  const text = await readFile(join(repositoryRoot, 'docs/operations/moderation.md'), 'utf8');
  const steps = new Map(text.split('\n## ').slice(1).map(readStep));
  const stepOf = (name: string) => steps.get(name) ?? fail(`the guide has no step ${name}`);
  const follow = (name: string, start: string): string => {
    const { left } = stepOf(name);
    const found = followed.get(name + start) ?? [...left].find((one) => one.startsWith(start));
    if (found === undefined) return fail(`the step ${name} has no ${start}`);
    followed.set(name + start, found);
    left.delete(found);
    return found;
  };
  const followed = new Map<string, string>();
  return {
    command: (name, start, values = {}) =>
      (follow(name, `linnet ${start}`).match(/"[^"]*"|\S+/g) ?? [])
        .slice(1)
        .map((word) => word.replaceAll('"', '').replaceAll(/<(\w+)>/g, (whole, key: string) => values[key] ?? whole)),
    call: follow,
    presses: (name) => stepOf(name).presses ?? fail(`the step ${name} has no page`),
    left: () => [...steps].flatMap(([name, { left }]) => [...left].map((one) => `${name}: ${one}`)),
  };
}

function readStep(section: string): readonly [string, Step] {
  const [name = ''] = section.split('\n', 1);
  const written = [...section.matchAll(/`((?:linnet|GET|POST) [^`]+)`/g)].map(([, one = '']) => one);
  const presses = /Page, (\d+) press/.exec(section)?.[1];
  return [name, { left: new Set(written), presses: presses === undefined ? undefined : Number(presses) }];
}

function fail(message: string): never {
  throw new Error(message);
}
