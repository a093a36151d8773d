/** How a run starts: its flow, its scopes, and the secret that the application authenticates with. */
import type { Db } from '@linnet/db/database';

import type { OwnedApplication } from '@linnet/applications/application/application-store';
import { hashClientSecret } from '@linnet/applications/secrets/client-secret';
import type { MyApplications } from '@linnet/applications/my-applications';
import type { OpenRun } from './runs.ts';
import type { RunContent } from './run.ts';
import { isActiveSecret } from './run-lookup-store.ts';

/** As typed. Scopes that the application has not registered are ignored. */
export interface BeginRequest {
  readonly flow: string;
  readonly scopes: readonly string[];
  readonly secretSource: string;
  readonly secret: string;
  /** The id of a test person; empty for the owner. */
  readonly person: string;
  /** Id of the form submission. */
  readonly mark: string;
}

export type BeginProblem =
  | 'flow'
  | 'person'
  | 'scopes'
  | 'secret-missing'
  | 'secret-wrong'
  | 'enough-secrets'
  | 'paused'
  | 'needs-proof';

export type Authentication = RunContent['authentication'];

export function authenticationOf({ type, hasOwnKeys, jwksUri }: OwnedApplication): Authentication {
  if (type !== 'confidential') return 'none';
  return hasOwnKeys || jwksUri !== undefined ? 'keys' : 'secret';
}

const hourMs = 3_600_000;
/** A secret created for an earlier run is reused if it is valid for at least this long. */
const reusableMs = hourMs / 2;
/** Shown in the list of secrets. */
const secretName = 'Playground';

export interface ChosenSecret {
  readonly secret?: string;
  readonly madeSecretEndsAt?: number;
  readonly endsAt: Date;
}

/** Whether the run needs a new secret, which is a sensitive action. */
export function needsNewSecret(
  application: OwnedApplication,
  { secretSource }: Pick<BeginRequest, 'secretSource'>,
  earlier: OpenRun | undefined,
): boolean {
  return authenticationOf(application) === 'secret' && secretSource === 'make' && findReusable(earlier) === undefined;
}

function findReusable(earlier: OpenRun | undefined): ChosenSecret | undefined {
  const { secret, madeSecretEndsAt } = earlier?.content ?? {};
  if (secret === undefined || madeSecretEndsAt === undefined) return undefined;
  const isLong = madeSecretEndsAt - Date.now() > reusableMs;
  return isLong ? { secret, madeSecretEndsAt, endsAt: new Date(madeSecretEndsAt) } : undefined;
}

interface ChoiceOptions {
  readonly db: Pick<Db, 'prisma'>;
  readonly applications: Pick<MyApplications, 'addSecret'>;
  readonly accountId: number;
  readonly application: OwnedApplication;
  readonly earlier: OpenRun | undefined;
}

/** Returns the secret, or why there is none; `repeated` if the form was submitted before. */
export async function chooseSecret(
  options: ChoiceOptions,
  request: BeginRequest,
): Promise<ChosenSecret | BeginProblem | 'repeated'> {
  const { db, application, earlier } = options;
  const endsAt = new Date(Date.now() + hourMs);
  if (authenticationOf(application) !== 'secret') return { endsAt };
  const isActive = async (secret: string) => await isActiveSecret(db, application.clientId, hashClientSecret(secret));
  if (request.secretSource !== 'make') {
    const secret = request.secret.trim();
    if (secret === '') return 'secret-missing';
    return (await isActive(secret)) ? { secret, endsAt } : 'secret-wrong';
  }
  const reusable = findReusable(earlier);
  if (reusable?.secret !== undefined && (await isActive(reusable.secret))) return reusable;
  return await createSecret(options, request, endsAt);
}

async function createSecret(
  { applications, accountId, application: { clientId } }: ChoiceOptions,
  { mark }: BeginRequest,
  endsAt: Date,
): Promise<ChosenSecret | BeginProblem | 'repeated'> {
  const key = { ownerId: accountId, clientId, submissionId: mark };
  const outcome = await applications.addSecret({ ...key, name: secretName, expiresAt: endsAt });
  if (outcome.kind === 'added') {
    return { secret: outcome.clientSecret, madeSecretEndsAt: endsAt.getTime(), endsAt };
  }
  // `repeated` is also right if the application has just been deleted: the redirect leads to a 404.
  return outcome.kind === 'limit-reached' ? 'enough-secrets' : 'repeated';
}
