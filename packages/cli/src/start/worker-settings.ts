/** The primary sends it to a worker that must stop because another one has taken over; also the reason of the stop. */
export const replacedMessage = 'replaced';

const prefix = '--log-to=';

/** The argument that tells a worker where to log; read by `workerLogDestination`. */
export function logDestinationArgument(destination: 'stdout' | 'stderr'): string {
  return prefix + destination;
}

export function workerLogDestination(args: readonly string[]): 'stdout' | 'stderr' {
  return args.includes(logDestinationArgument('stderr')) ? 'stderr' : 'stdout';
}

const spare = '--spare';

/** The arguments of the worker in a slot. One of them runs the jobs of the host; those of the others are spare. */
export function slotArguments(slot: number): readonly string[] {
  return slot === 0 ? [] : [spare];
}

export function isSpareWorker(args: readonly string[]): boolean {
  return args.includes(spare);
}
