import type { ErrorCode } from '@linnet/contract/errors';
import { expectedErrors } from '@linnet/contract/openapi/expected-errors';
import { routesByName, streamsByName } from '@linnet/contract/routes';

const operations = Object.values({ ...routesByName, ...streamsByName }).flatMap((route) =>
  route.methods.map((method) => ({
    call: `${method} ${route.path}`,
    codes: new Set([...expectedErrors(route, method).values()].flat()),
  })),
);

/** The calls that document the problem, such as `GET /post/show`. */
export function listCalls(code: ErrorCode): 'every' | readonly string[] {
  const calls = operations.filter(({ codes }) => codes.has(code)).map(({ call }) => call);
  return calls.length === operations.length ? 'every' : calls;
}
