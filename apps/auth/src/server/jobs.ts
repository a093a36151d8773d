import { sweepInvitations } from '@linnet/accounts/registrations/invitation-store';
import { sweepRequests } from '@linnet/accounts/registrations/request-store';
import { sweepApplicationUsage, sweepWatchedRequests } from '@linnet/applications/usage/application-usage-store';
import { sweepEndpointUsage } from '@linnet/applications/usage/endpoint-usage-store';
import { isGrantDue, revokeExpiredGrants } from '@linnet/applications/grants/consent-change-store';
import { expireSelfRegistered } from '@linnet/applications/self-registration/self-registration-store';
import { sweepExpiredSecrets } from '@linnet/applications/secrets/secret-store';
import { shortenAuditAddresses } from '@linnet/audit/audit-store';
import { endRepeats, isRepeatDue } from '@linnet/audit/refusal-store';
import { createSealer, isSealDue } from '@linnet/audit/seal-store';
import type { Db } from '@linnet/db/database';
import { createStatusJob, sweepStatusSamples } from '@linnet/db/keep/status-sample-store';
import type { KeyRing } from '@linnet/keys/key-ring';
import type { LiveKeyRing } from '@linnet/keys/live-key-ring';
import { advanceSigningKeys } from '@linnet/keys/key-changes-store';
import type { Media } from '@linnet/media/media';
import type { Readiness } from '@linnet/service/http/readiness';
import type { Job } from '@linnet/service/jobs/job';
import type { Logger } from '@linnet/service/log/logger';
import type { Metrics } from '@linnet/service/metrics/metrics';
import type { Secret } from '@linnet/service/config/secret';

import type { AuthEvents } from '../audit/events.ts';
import { createImportJobs, importDirectory } from '../areas/account/import-job.ts';
import { sweepRuns } from '../areas/playground/run-store.ts';
import type { AuthConfig } from './config.ts';
import { sweepMailFiles } from '../mail/transport.ts';
import { sweepLinks } from '../mail/link-store.ts';
import { createMailJob } from '../mail/delivery.ts';
import { sweepFailures } from '@linnet/applications/failures/failure-store';
import { createLogoutJob } from '../protocol/session/logout-delivery.ts';
import { shortenSessionAddresses } from '../protocol/session/session-store.ts';
import { sweepExpired, sweepPending } from '../protocol/storage/artifact-store.ts';
import { createWebhookJobs } from '../webhooks/webhook-jobs.ts';
import type { SecondFactor } from '../sign-in/factors/second-factor.ts';

interface JobsOptions {
  readonly config: Pick<AuthConfig, 'baseUrl' | 'serviceName' | 'siteLinks' | 'mail' | 'mediaFetchAllow' | 'dataDir'>;
  readonly db: Db;
  readonly logger: Logger;
  readonly media: Pick<Media, 'imports' | 'storage'>;
  readonly secretKeys: readonly [Secret, ...Secret[]];
  readonly signingKeys: LiveKeyRing;
  readonly keyRing: () => KeyRing;
  readonly events: AuthEvents;
  readonly metrics: Metrics | undefined;
  /** `createProcessChecks` */
  readonly checks: Readiness;
  readonly secondFactor: Pick<SecondFactor, 'reseal'>;
  /** Stores what was counted since the last call. */
  readonly storeCounts: () => Promise<void>;
}

/** The upper bound for a rotation that waits until every cache has the next key. */
const keysEveryMs = 10_000;
/** Every statement already rejects expired grants. This job notifies the processes that do not query the database. */
const dueEveryMs = 500;
const sweepEveryMs = 600_000;
/** What strangers can make the service store is deleted sooner. */
const pendingEveryMs = 60_000;
/** What was counted in this time is lost if the process crashes. */
const usageEveryMs = 1000;
const sealEveryMs = 3000;
/** How long after its end a window of repeated refusals becomes an event. */
const repeatsEveryMs = 10_000;

export function createJobs(options: JobsOptions): readonly Job[] {
  const { config, db, logger, secretKeys, signingKeys, secondFactor, storeCounts, events, keyRing, metrics } = options;
  return [
    { name: 'usage', everyMs: usageEveryMs, isOfProcess: true, run: storeCounts },
    {
      name: 'old-usage',
      everyMs: sweepEveryMs,
      run: async (stopping) => {
        await sweepApplicationUsage(db, stopping);
        await sweepEndpointUsage(db, stopping);
      },
    },
    createStatusJob({ db, server: 'sign_in', checks: options.checks }),
    { name: 'old-status', everyMs: sweepEveryMs, run: async (stopping) => await sweepStatusSamples(db, stopping) },
    { name: 'signing-keys', everyMs: keysEveryMs, run: async () => await advanceSigningKeys(db, secretKeys) },
    { name: 'key-ring', everyMs: keysEveryMs, isOfProcess: true, run: async () => await signingKeys.reload() },
    { name: 'second-factors', everyMs: sweepEveryMs, run: async () => await secondFactor.reseal() },
    { name: 'grants-due', everyMs: dueEveryMs, due: isGrantDue, run: async () => await revokeExpiredGrants(db) },
    { name: 'addresses', everyMs: sweepEveryMs, run: async (stopping) => await shortenAddresses(db, stopping) },
    { name: 'expired', everyMs: sweepEveryMs, run: async (stopping) => await sweepExpired(db, stopping) },
    { name: 'pending', everyMs: pendingEveryMs, run: async (stopping) => await sweepPending(db, stopping) },
    { name: 'audit-repeats', everyMs: repeatsEveryMs, due: isRepeatDue, run: async () => await endRepeats(db) },
    { name: 'audit-seal', everyMs: sealEveryMs, due: isSealDue, run: createSealer(db) },
    {
      name: 'request-log',
      everyMs: sweepEveryMs,
      run: async (stopping) => {
        await sweepFailures(db, stopping);
        await sweepWatchedRequests(db, stopping);
      },
    },
    { name: 'registrations', everyMs: sweepEveryMs, run: async (stopping) => await sweepRegistrations(db, stopping) },
    { name: 'mail-links', everyMs: sweepEveryMs, run: async (stopping) => await sweepLinks(db, stopping) },
    { name: 'mail-files', everyMs: sweepEveryMs, run: async () => await sweepMailFiles(config.mail.directory) },
    createMailJob({ config, db, logger, secret: secretKeys[0], metrics }),
    createLogoutJob({ db, baseUrl: config.baseUrl, allow: config.mediaFetchAllow, events, keyRing }),
    ...createWebhookJobs({ db, baseUrl: config.baseUrl, allow: config.mediaFetchAllow, secretKeys, events, keyRing }),
    ...createImportJobs({ ...options, baseUrl: config.baseUrl, directory: importDirectory(config.dataDir) }),
    { name: 'playground-runs', everyMs: sweepEveryMs, run: async (stopping) => await sweepRuns(db, stopping) },
    { name: 'self-registered', everyMs: sweepEveryMs, run: async () => await expireSelfRegistered(db) },
    { name: 'ended-secrets', everyMs: sweepEveryMs, run: async (stopping) => await sweepExpiredSecrets(db, stopping) },
  ];
}

async function sweepRegistrations(db: Db, stopping: AbortSignal): Promise<void> {
  await sweepRequests(db, stopping);
  await sweepInvitations(db, stopping);
}

async function shortenAddresses(db: Db, stopping: AbortSignal): Promise<void> {
  await shortenAuditAddresses(db, stopping);
  await shortenSessionAddresses(db, stopping);
}
