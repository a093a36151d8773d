/** A PostgreSQL server that archives its write-ahead log, and its recovery to a moment, as docs/operations/recovery.md says. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

import pg from 'pg';

import { locateBinaries } from '@linnet/db/embedded/binaries';
import { changeOwner, runInitdb } from '@linnet/db/embedded/data-directory';
import { chooseServerUser } from '@linnet/db/embedded/server-user';
import { runServer } from './throwaway-cluster.ts';
import type { ThrowawayCluster } from './throwaway-cluster.ts';

const run = promisify(execFile);
const common = ['listen_addresses=', 'port=5432', 'timezone=UTC', 'fsync=off'];
/** Parts of a data directory that a base backup leaves out, and those of them that must exist. */
const leftOut = new Set(['postmaster.pid', 'pg_wal', 'pg_stat_tmp', 'pg_replslot']);
const emptyFolders = ['pg_wal', 'pg_stat_tmp', 'pg_replslot'];

interface ArchivingCluster extends AsyncDisposable {
  readonly url: string;
  /** Copies the data directory while the server runs. */
  takeBaseBackup(): Promise<void>;
  /** Waits until everything that was committed is in the archive. */
  archiveAll(): Promise<void>;
  stop(): Promise<void>;
  /** Starts a server from base backup and archive, as of `time` (PostgreSQL’s text). Returns its URL. */
  recover(time: string): Promise<string>;
}

export async function startArchivingCluster(): Promise<ArchivingCluster> {
  const directory = await mkdtemp(join(tmpdir(), 'lw-'));
  const folders = {
    data: join(directory, 'data'),
    base: join(directory, 'base'),
    archive: join(directory, 'archive'),
    recovered: join(directory, 'recovered'),
  };
  const user = await chooseServerUser(folders.data, true);
  await changeOwner(directory, user);
  const binaries = await locateBinaries(user, join(directory, 'native'));
  for (const folder of Object.values(folders)) {
    await mkdir(folder, { mode: 0o700 });
    await changeOwner(folder, user);
  }
  await runInitdb(binaries, user, { directory: folders.data, flags: ['--no-sync'] });
  const { postgres } = binaries;
  const archiveCommand = `archive_command=test ! -f ${folders.archive}/%f && cp %p ${folders.archive}/%f`;
  const settings = [...common, 'wal_level=replica', 'archive_mode=on', archiveCommand];
  const primary = await runServer({ user, postgres, data: folders.data, directory, settings });
  const servers: ThrowawayCluster[] = [primary];
  return {
    url: primary.url,
    stop: async () => await primary.stop(),
    takeBaseBackup: async () => await copyDataDirectory(primary.url, folders),
    archiveAll: async () => await archiveAll(primary.url),
    recover: async (time) => {
      await writeFile(join(folders.base, 'recovery.signal'), '');
      if (user.kind === 'other') await run('chown', ['-R', `${String(user.uid)}:${String(user.gid)}`, folders.base]);
      const restore = `restore_command=cp ${folders.archive}/%f %p`;
      const goal = [restore, `recovery_target_time=${time}`, 'recovery_target_action=promote'];
      const place = { user, postgres, data: folders.base, directory: folders.recovered };
      const server = await runServer({ ...place, settings: [...common, ...goal] });
      servers.push(server);
      return server.url;
    },
    [Symbol.asyncDispose]: async () => {
      for (const server of servers) await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** What pg_basebackup does, which the embedded server does not have. */
export async function copyDataDirectory(
  url: string,
  { data, base }: { readonly data: string; readonly base: string },
): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(`SELECT pg_backup_start('daily', true)`);
    await cp(data, base, { recursive: true, filter: (path) => !leftOut.has(basename(path)) });
    const { rows } = await client.query<{ label: string }>('SELECT labelfile AS label FROM pg_backup_stop(false)');
    await writeFile(join(base, 'backup_label'), rows[0]?.label ?? '');
    for (const folder of emptyFolders) await mkdir(join(base, folder), { mode: 0o700 });
  });
}

async function archiveAll(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ file: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS file');
    const archived = 'SELECT last_archived_wal >= $1 AS done FROM pg_stat_archiver';
    let isDone = false;
    while (!isDone) isDone = (await client.query<{ done: boolean }>(archived, [rows[0]?.file])).rows[0]?.done === true;
  });
}
