const prefix = '--log-to=';

/** Tells a worker where its log goes; `workerLogDestination` reads it. */
export function logDestinationArgument(destination: 'stdout' | 'stderr'): string {
  return prefix + destination;
}

export function workerLogDestination(args: readonly string[]): 'stdout' | 'stderr' {
  return args.includes(logDestinationArgument('stderr')) ? 'stderr' : 'stdout';
}
