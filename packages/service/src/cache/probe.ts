import type { Secret } from '../config/secret.ts';
import { connectCache } from './connection.ts';
import { createSharedCounts } from './shared-counts.ts';
import { createWriteMarks } from './write-marks.ts';

const probe = { name: 'doctor', quota: 1, windowSeconds: 1 } as const;

/** Counts and marks under keys of its own, which expire after two seconds at most. @throws Error that says why the cache cannot be used. */
export async function probeCache(url: Secret, serviceName: string): Promise<void> {
  const client = connectCache(url.reveal());
  try {
    await new Promise<void>((resolve, reject) => {
      client.once('ready', resolve);
      client.once('error', reject);
    });
    await createSharedCounts(client, serviceName).add(probe, 'probe', { requests: 1, seconds: 1 });
    const marks = createWriteMarks(client, serviceName);
    await marks.add(probe.name);
    await marks.has(probe.name);
  } finally {
    client.on('error', () => undefined);
    client.disconnect();
  }
}
