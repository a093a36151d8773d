import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { checkMailServer } from '@linnet/auth/mail-transport';

import type { Config } from '../config.ts';
import { findInstance } from '../instance/instance-lock.ts';
import { findServiceOnPort } from '../start/port-owner.ts';
import { checkPort } from '../start/port.ts';
import { runCheck } from './check.ts';
import type { Check } from './check.ts';

/** The command itself refuses an older Node; this tells which one it is. */
export function checkNode(): Promise<Check> {
  return runCheck('node', () => Promise.resolve(process.version));
}

export function checkDataDir({ dataDir }: Config): Promise<Check> {
  return runCheck('data-dir', async () => {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const probe = join(dataDir, `doctor.${randomUUID()}`);
    await writeFile(probe, '', { flag: 'wx' });
    await rm(probe);
    return `${dataDir} can be written`;
  });
}

/** Free, or taken by the service on this DATA_DIR. */
export function checkPortIsOurs(config: Config): Promise<Check> {
  return runCheck('port', async () => {
    const instance = await findInstance(config.dataDir);
    const owner = instance === undefined ? undefined : await findServiceOnPort(config.port);
    if (owner !== undefined && owner === instance) {
      return `${String(config.port)} is served by process ${String(owner)}`;
    }
    await checkPort(config);
    return `${String(config.port)} is free`;
  });
}

/** The server of SMTP_URL takes mail from us; without one mail is written to files. */
export function checkMail({ smtpUrl, dataDir }: Config): Promise<Check> {
  return runCheck('mail', async () => {
    if (smtpUrl === undefined) return `is written to ${join(dataDir, 'mail')}, because SMTP_URL is not set`;
    await checkMailServer(smtpUrl);
    return `the server of SMTP_URL (${new URL(smtpUrl.reveal()).host}) takes it`;
  });
}
