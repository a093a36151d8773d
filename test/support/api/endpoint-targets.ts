import { routesByName, streamsByName } from '@linnet/contract/routes';

import { caseOf } from './endpoint-cases.ts';

/** A valid request to an endpoint, for tests that change parts of it. */
interface EndpointTarget {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The rows whose response stays open. */
export const streamTargets: readonly EndpointTarget[] = Object.values(streamsByName).map(({ path }) => ({
  method: 'GET',
  path: `/api/v2.0${path}`,
  parameters: { streams: 'feed,notifications', last_event_id: '1' },
}));

/** Every method of every other row of the contract. Requests about a record name the one with this id. */
export function endpointTargets(id: number): readonly EndpointTarget[] {
  const world = {
    ...{ account: id, friend: id, post: id, grant: id },
    spare: { post: id, quote: id, comment: id, media: id, filter: id, draft: id, proposal: id },
    imageUrl: 'http://127.0.0.1:9/image.png',
    unique: `unique_${String(id)}`,
  };
  return Object.entries(routesByName).flatMap(([name, { methods, path }]) =>
    methods.map((method) => ({ method, path: `/api/v2.0${path}`, parameters: caseOf(name).parameters(world) })),
  );
}
