import { deriveKey } from '@linnet/keys/sealing';
import { resolveSecretKeys } from '@linnet/service/config/secret';
import type { Secret } from '@linnet/service/config/secret';

import type { Config } from './config.ts';

/** One of SECRET_KEYS, and its id in backups. */
interface BackupKey {
  readonly id: string;
  readonly key: Secret;
}

/** SECRET_KEYS, or those of DATA_DIR, which are created if there are none. */
export async function readBackupKeys(config: Config): Promise<readonly BackupKey[]> {
  const keys = await resolveSecretKeys(config);
  return keys.map((key) => ({ id: Buffer.from(deriveKey(key, 'linnet backup key id', 9)).toString('base64url'), key }));
}
