import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { checkMailServer } from '@linnet/auth/mail/transport';
import { findSmtpRisk } from '@linnet/service/process/smtp-safety';

import type { Config } from '../config.ts';
import { findInstance } from '../instance/instance-lock.ts';
import { findServiceOnPort } from '../start/port-owner.ts';
import { checkPort } from '../start/port.ts';
import { CheckFailed, runCheck } from './check.ts';
import type { Check } from './check.ts';

/** Never fails: the launcher already rejects old versions of Node. */
export function checkNode(): Promise<Check> {
  return runCheck('node', () => Promise.resolve(process.version));
}

export function checkDataDir({ dataDir }: Config): Promise<Check> {
  return runCheck('data-dir', async () => {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const probe = join(dataDir, `doctor.${randomUUID()}`);
    await writeFile(probe, '', { flag: 'wx' });
    await rm(probe);
    return `${dataDir} is writable`;
  });
}

/** The port must be free, or used by the service that runs on this DATA_DIR. */
export function checkPortIsAvailable(config: Config): Promise<Check> {
  return runCheck('port', async () => {
    const instance = await findInstance(config.dataDir);
    const owner = instance === undefined ? undefined : await findServiceOnPort(config.port);
    if (owner !== undefined && owner === instance) {
      return `${String(config.port)} is used by this service (process ${String(owner)})`;
    }
    await checkPort(config);
    return `${String(config.port)} is free`;
  });
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
