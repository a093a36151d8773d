import { readFileSync } from 'node:fs';

import { startDocumentServer } from '../support/auth/document-server.ts';
import { startSignalReceiver } from '../support/auth/signal-receiver.ts';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { startRevocationServers } from '../support/revocation-servers.ts';
import type { RevocationServers } from '../support/revocation-servers.ts';
import { eventually } from '../support/service.ts';
import { accesses } from './accesses.ts';
import type { State } from './accesses.ts';
import { readRemedyTables } from './remedy-tables.ts';
import { remedies } from './remedies.ts';
import { prepareTakeovers } from './takeover.ts';
import type { Takeover } from './takeover.ts';

/** Each cell of the tables under docs/evidence/guarantees.md#remedies, a remedy × a kind of access, is a test. */

const guarantees = readFileSync(new URL('../../docs/evidence/guarantees.md', import.meta.url), 'utf8');
const { cells, reasons } = readRemedyTables(guarantees);

let servers: RevocationServers;
const cleanup = new AsyncDisposableStack();
let takeOver: (username: string) => Promise<Takeover>;
beforeAll(async () => {
  const receiver = cleanup.use(await startSignalReceiver());
  servers = cleanup.use(
    await startRevocationServers(inject('databaseServer'), { MEDIA_FETCH_ALLOW: receiver.authority }),
  );
  const documents = cleanup.use(await startDocumentServer());
  takeOver = await prepareTakeovers(servers, { documents, receiver });
});
afterAll(() => cleanup.disposeAsync());

async function ask(access: string, takeover: Takeover): Promise<State | undefined> {
  return await accesses[access]?.ask(servers, takeover);
}

test('the tables name every remedy × every kind of access, and give a reason for what does not end', () => {
  const all = Object.keys(remedies).flatMap((remedy) => Object.keys(accesses).map((access) => `${remedy}: ${access}`));
  expect(cells.map(({ remedy, access }) => `${remedy}: ${access}`).toSorted()).toEqual(all.toSorted());
  const given = new Set(cells.flatMap(({ reason }) => reason ?? []));
  expect([...given].toSorted()).toEqual([...reasons].toSorted());
});

test('without a remedy, all of it works', async () => {
  const takeover = await takeOver('remedy_none');
  for (const access of Object.keys(accesses)) expect([access, await ask(access, takeover)]).toEqual([access, 'works']);
});

/** What ends later than the response comes first. Only then has every process read the change. */
function orderOf({ access, reason }: (typeof cells)[number]): number {
  return (accesses[access]?.isSingleUse === true ? 2 : 0) + (reason === undefined ? 0 : 1);
}

let count = 0;

describe.each(Object.keys(remedies))('%s:', (name) => {
  let takeover: Takeover;
  beforeAll(async () => {
    count += 1;
    takeover = await takeOver(`remedy_${String(count)}`);
    await remedies[name]?.(servers, takeover);
  });

  const own = cells.filter(({ remedy }) => remedy === name).toSorted((one, other) => orderOf(one) - orderOf(other));
  test.each(own)('$access: $outcome', async ({ access, reason }) => {
    const expected = reason === undefined ? 'ended' : 'works';
    if (accesses[access]?.isSingleUse !== true) {
      await eventually(`${access}: ${expected}`, async () => (await ask(access, takeover)) === expected);
    }
    expect(await ask(access, takeover)).toBe(expected);
  });
});
