import { randomUUID } from 'node:crypto';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';

import { checkMailServer } from '@linnet/auth/mail/transport';
import { findSmtpRisk } from '@linnet/service/process/smtp-safety';
import { z } from 'zod';

import type { Config } from '../config.ts';
import { findInstance } from '../instance/instance-lock.ts';
import { checkPort, findServiceOnPort } from '../start/port.ts';
import { CheckFailed, runCheck } from './check.ts';
import type { Check, Finding } from './check.ts';

/** Never fails: the launcher already rejects old versions of Node. */
export function checkNode(): Promise<Check> {
  return runCheck('node', () => Promise.resolve(process.version));
}

export function checkDataDir({ dataDir }: Pick<Config, 'dataDir'>): Promise<Check> {
  return runCheck('data-dir', async () => await checkFolder(dataDir));
}

/** As large as the largest upload with its renditions. */
const probeBytes = 16 * 2 ** 20;
const fewBytes = 2 ** 30;

/** A folder must take a file, and should have space for more. */
export async function checkFolder(folder: string): Promise<Finding> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const probe = join(folder, `doctor.${randomUUID()}`);
  try {
    await writeFile(probe, Buffer.alloc(probeBytes), { flag: 'wx' });
  } catch (error) {
    const isFull = ['ENOSPC', 'EDQUOT'].includes(String(Reflect.get(Object(error), 'code')));
    throw new CheckFailed(
      `${folder}: ${isFull ? 'the disk is full' : `cannot be written (${error instanceof Error ? error.message : String(error)})`}`,
      isFull ? 'Free space on this disk.' : 'Let the user that runs the service write to this folder.',
      { cause: error },
    );
  } finally {
    await rm(probe, { force: true });
  }
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const detail = `${folder} is writable, ${(free / 2 ** 30).toFixed(1)} GiB are free`;
  return free < fewBytes ? { detail, warning: true, remedy: 'Free space on this disk.' } : { detail };
}

/** The port must be free, or used by the service that runs on this DATA_DIR, or by the separate server. */
export function checkPortIsAvailable(config: Config, server: 'all' | 'auth' | 'api'): Promise<Check> {
  return runCheck('port', async () => {
    const owner = await findOwner(config, server);
    if (owner !== undefined) return `${String(config.port)} is used by ${owner}`;
    await checkPort(config);
    return `${String(config.port)} is free`;
  });
}

async function findOwner(config: Config, server: 'all' | 'auth' | 'api'): Promise<string | undefined> {
  if (server !== 'all') return (await isServing(config)) ? `this server (${server})` : undefined;
  const instance = await findInstance(config.dataDir);
  const owner = instance === undefined ? undefined : await findServiceOnPort(config.port);
  return owner !== undefined && owner === instance ? `this service (process ${String(owner)})` : undefined;
}

const livenessSchema = z.object({ status: z.string(), version: z.string() });
const patienceMs = 2000;

/** Whether a server of Linnet responds at HOST and PORT. */
export async function isServing({ host, port }: Pick<Config, 'host' | 'port'>): Promise<boolean> {
  const local = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (isIPv6(host) ? `[${host}]` : host);
  try {
    const signal = AbortSignal.timeout(patienceMs);
    const response = await fetch(`http://${local}:${String(port)}/health/live`, { signal });
    return livenessSchema.safeParse(await response.json()).success;
  } catch {
    return false;
  }
}

/** If SMTP_URL is set, its server must accept mail from us. */
export function checkMail({ smtpUrl, smtpRequireTls, dataDir }: Config): Promise<Check> {
  return runCheck('mail', async () => {
    if (smtpUrl === undefined) return `SMTP_URL is not set; mail is written to ${join(dataDir, 'mail')}`;
    const { host } = new URL(smtpUrl.reveal());
    await checkMailServer(smtpUrl, smtpRequireTls).catch((error: unknown) => {
      throw new CheckFailed(
        `SMTP_URL: the mail server ${host} does not accept mail (${error instanceof Error ? error.message : String(error)})`,
        'Check that the mail server runs and that this machine reaches it, and correct host, port, user and password of SMTP_URL.',
        { cause: error },
      );
    });
    const risk = findSmtpRisk({ smtpUrl, smtpRequireTls });
    const detail = `the server ${host} accepts mail`;
    return risk === undefined
      ? detail
      : { detail: `${detail}; ${risk}`, warning: true, remedy: 'Use smtps://, or set SMTP_REQUIRE_TLS=on.' };
  });
}
