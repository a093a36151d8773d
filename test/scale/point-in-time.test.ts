import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { startApi } from '../support/api/running-api.ts';
import type { RunningApi } from '../support/api/running-api.ts';
import { verifyAudit } from '@linnet/audit/verification';
import { applyMigrations } from '@linnet/db/migration/migrations';
import { openDatabase } from '@linnet/db/database';
import type { Db } from '@linnet/db/database';
import { startArchivingCluster } from '../support/db/archiving-cluster.ts';
import { findCounterMismatches } from '../support/db/counters.ts';
import { insertAccount } from '../support/db/insert-account.ts';
import { expect, test } from 'vitest';

import { operate } from '../support/operator.ts';

/** docs/operations/recovery.md, executed: a base backup while people write, and a recovery to a moment between two writes. */

const migrations = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

const run = async (db: Db, sql: string) => await db.prisma.$executeRawUnsafe(sql);

/** The command that the document says to run after a recovery. */
async function readCommand(): Promise<readonly string[]> {
  const text = await readFile(new URL('../../docs/operations/recovery.md', import.meta.url), 'utf8');
  const [, section = ''] = text.split('## What was revoked after the moment');
  const command = /```sh\nlinnet (.+?)\n```/.exec(section)?.[1] ?? '';
  return [...command.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);
}

async function textsOf(api: RunningApi, claims: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  const { status, body } = await api.call(`GET /post?user_id=${String(claims['acct'])}`, { claims });
  expect(status).toBe(200);
  return body.items.map((item: { readonly text: string }) => item.text);
}

// It starts two servers of its own, which takes too long for the usual run.
test.runIf(process.env['SCALE_POSTS'] !== undefined)(
  'a recovery ends between two acknowledged writes; what was revoked later is ended by a command',
  async () => {
    await using cluster = await startArchivingCluster();
    await applyMigrations(cluster.url, migrations);
    let signer: RunningApi['signer'];
    let accountId: number;
    let revoked: Record<string, unknown>;
    let time: string;
    {
      await using api = await startApi(cluster.url);
      ({ signer } = api);
      accountId = await insertAccount(api.db, 'recovered_person');
      const own = { acct: accountId };
      const write = async (message: string) => {
        const { status, body } = await api.call('POST /post/create', { claims: own, body: form({ message }) });
        expect(status).toBe(200);
        return await api.call('POST /likes/add', { claims: own, body: form({ item_id: body.items.id, type: 'post' }) });
      };
      await write('in the base backup');
      await cluster.takeBaseBackup();
      await write('before');
      const [row] = await api.db.prisma.$queryRaw<{ time: string }[]>`SELECT clock_timestamp()::text AS time`;
      time = row?.time ?? '';
      await write('after');
      revoked = { ...own, jti: 'revoked-after-the-moment' };
      await run(api.db, `SELECT revoke_tokens('token', 'revoked-after-the-moment', NULL)`);
      await expect.poll(async () => (await api.call('GET /post', { claims: revoked })).status).toBe(401);
      await cluster.archiveAll();
    }
    await cluster.stop();

    const url = await cluster.recover(time);
    const own = { acct: accountId, ae: 0 };
    await using db = openDatabase({ url, poolSize: 2, prepare: true, actor: 'operator' });
    {
      await using api = await startApi(url, { signer });
      expect(await textsOf(api, own)).toEqual(['before', 'in the base backup']);
      // Its revocation came after the moment.
      expect(await textsOf(api, revoked)).toHaveLength(2);
      expect(await findCounterMismatches(db)).toEqual([]);
      expect(await verifyAudit(db, { loadKeys: async () => [] })).toMatchObject({ broken: undefined });
    }
    const { exitCode, stderr } = await operate(await readCommand(), { DATABASE_URL: url });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    await using api = await startApi(url, { signer });
    // A token of the lost server can have a higher epoch than the restored database.
    for (const claims of [own, revoked, { ...own, ae: 7 }]) {
      expect((await api.call('GET /post', { claims: { ae: 0, ...claims } })).status).toBe(401);
    }
    const { epoch: ae } = await db.prisma.account.findUniqueOrThrow({ where: { id: accountId } });
    expect(await textsOf(api, { ...own, ae })).toEqual(['before', 'in the base backup']);
  },
);

function form(fields: Readonly<Record<string, unknown>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, String(value));
  return data;
}
