const prefix = '--log-to=';

/** The argument that tells a worker where to log; read by `workerLogDestination`. */
export function logDestinationArgument(destination: 'stdout' | 'stderr'): string {
  return prefix + destination;
}

export function workerLogDestination(args: readonly string[]): 'stdout' | 'stderr' {
  return args.includes(logDestinationArgument('stderr')) ? 'stderr' : 'stdout';
}
