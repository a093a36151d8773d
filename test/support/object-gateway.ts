import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A Versity gateway (https://github.com/versity/versitygw): an object store for tests that is more complete than s3rver. */
export interface ObjectGateway {
  readonly path: string;
  readonly product: string;
}

/**
 * With `OBJECT_STORE=versitygw`, finds VERSITYGW_PATH, or the one on the path or where `go install` puts it. Says so if there is none.
 * Install it with `go install github.com/versity/versitygw/cmd/versitygw@v1.8.0`.
 */
export async function findObjectGateway(): Promise<ObjectGateway | undefined> {
  if (process.env['OBJECT_STORE'] !== 'versitygw') return undefined;
  const paths = [process.env['VERSITYGW_PATH'] ?? 'versitygw', join(homedir(), 'go', 'bin', 'versitygw')];
  for (const path of paths) {
    const { stdout } = await promisify(execFile)(path, ['--version']).catch(() => ({ stdout: '' }));
    if (stdout.startsWith('Version')) return { path, product: 'versitygw' };
  }
  process.stderr.write('OBJECT_STORE=versitygw: not installed, the tests use s3rver\n');
  return undefined;
}
