const maxPoolSize = 10;
/** Left to migrations, operators' commands and the server's own. */
const reservedConnections = 10;

/** DATABASE_POOL's default: each worker's share of the connections the server allows, at most 10. */
export function poolSizeFor(maxConnections: number, workers: number): number {
  const share = Math.floor((maxConnections - reservedConnections) / workers);
  return Math.max(1, Math.min(maxPoolSize, share));
}
