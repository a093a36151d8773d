/** What `linnet start` is doing, for a person at a terminal: the first start takes a while. */

const steps = {
  postgres: 'Starting the embedded PostgreSQL',
  migrations: 'Checking and applying migrations',
  workers: 'Starting the workers',
} as const;

type StartStep = keyof typeof steps;

/** Called when a step begins. */
export type Progress = (step: StartStep) => void;

/** Writes one line per step. Programs that read the output get none. */
export function createProgress({
  isTTY,
  write,
}: {
  readonly isTTY: boolean;
  readonly write: (line: string) => void;
}): Progress {
  return (step) => {
    if (isTTY) write(`${steps[step]} …\n`);
  };
}
