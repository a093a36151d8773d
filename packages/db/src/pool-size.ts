const maxPoolSize = 10;
/** Left for migrations, operator commands and the server itself. */
const reservedConnections = 10;

/** The default of DATABASE_POOL: an equal share of the server's connections, at most 10. */
export function poolSizeFor(maxConnections: number, workers: number): number {
  const share = Math.floor((maxConnections - reservedConnections) / workers);
  return Math.max(1, Math.min(maxPoolSize, share));
}
