import { orderEvents } from '@linnet/social/event/event-store';
import { expect } from 'vitest';

import { openEvents } from './event-client.ts';
import type { EventClient } from './event-client.ts';
import { registerThree } from './people.ts';
import type { Person } from './people.ts';
import type { RunningApi } from './running-api.ts';

export interface People {
  readonly ada: Person;
  readonly ben: Person;
  readonly cleo: Person;
}

export async function gather(api: RunningApi): Promise<People> {
  const [ada, ben, cleo] = await registerThree(api);
  return { ada, ben, cleo };
}

export interface Opening {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  /** Another server with the same keys. */
  readonly from?: RunningApi;
}

/** Opens the stream of a person. */
export async function openStream(
  api: RunningApi,
  { id: acct }: Pick<Person, 'id'>,
  { claims = {}, query = '', headers = {}, method = 'GET', from = api }: Opening = {},
): Promise<EventClient> {
  const authorization = `Bearer ${await api.signer.sign({ acct, ...claims })}`;
  const sent = { host: 'linnet.example', accept: 'text/event-stream', authorization, ...headers };
  return await openEvents({ port: from.port, path: `/api/v2.0/events${query}`, headers: sent, method });
}

/** Resolves when the client has got everything that happened before the call: then comes the post that `person` writes now. */
export async function settle(api: RunningApi, client: EventClient, person: Person): Promise<void> {
  const marker = await person.writes('a marker');
  await orderEvents(api.db);
  await expect.poll(() => client.events.at(-1)?.data.data.post_id).toBe(marker);
}
