import type { RequestHandler } from './http-server.ts';
import type { RunningJobs } from './jobs.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** GET can create posts and comments (docs/adr/0013-get-create.md). */
const creates = /\/create(?:\?|$)/;

/** Handles requests, and wakes the jobs after each that may have written something for them. */
export function wakeAfterWrites(handler: RequestHandler, jobs: Pick<RunningJobs, 'wake'>): RequestHandler {
  return (request, response) => {
    if (!safeMethods.has(request.method ?? '') || creates.test(request.url ?? '')) {
      response.once('close', () => jobs.wake());
    }
    handler(request, response);
  };
}
