import type { Secret } from '../secret.ts';
import { connectCache } from './connection.ts';
import { createSharedCounts } from './shared-counts.ts';

const probe = { name: 'doctor', quota: 1, windowSeconds: 1 } as const;

/** Counts under a key of its own, which expires after a second. @throws Error that says why the cache cannot be used. */
export async function probeCache(url: Secret, serviceName: string): Promise<void> {
  const client = connectCache(url.reveal());
  try {
    await new Promise<void>((resolve, reject) => {
      client.once('ready', resolve);
      client.once('error', reject);
    });
    await createSharedCounts(client, serviceName).add(probe, 'probe', { requests: 1, seconds: 1 });
  } finally {
    client.on('error', () => undefined);
    client.disconnect();
  }
}
