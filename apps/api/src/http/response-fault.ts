import type { Logger } from '@linnet/service/log/logger';

/** What Node.js reports when the other end of a connection closes it: while something is written, or before a stream has ended. */
const disconnects: ReadonlySet<unknown> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/** Logs what went wrong after a response began. Clients may leave during a download, which is no fault of the service. */
export function createFaultLog(logger: Logger): (error: unknown) => void {
  return (error) => {
    if (disconnects.has(Reflect.get(Object(error), 'code'))) logger.debug({ err: error }, 'disconnected');
    else logger.error({ err: error }, 'response failed');
  };
}
