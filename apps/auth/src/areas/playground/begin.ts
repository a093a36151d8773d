/** How a run begins: which flow, which scopes, and by which secret the application proves who it is. */
import type { Db } from '@linnet/db/database';

import type { OwnedApplication } from '@linnet/applications/application-store';
import { hashClientSecret } from '@linnet/applications/client-secret';
import type { MyApplications } from '@linnet/applications/my-applications';
import type { OpenRun } from './runs.ts';
import type { RunContent } from './run.ts';
import { isLivingSecretOf } from './run-store.ts';

/** As it is asked for; scopes that the application has not registered are passed over. */
export interface BeginRequest {
  readonly flow: string;
  readonly scopes: readonly string[];
  readonly secretSource: string;
  readonly secret: string;
  /** Of the form. */
  readonly mark: string;
}

export type BeginProblem = 'flow' | 'scopes' | 'secret-missing' | 'secret-wrong' | 'enough-secrets' | 'paused';

export type Authentication = RunContent['authentication'];

export function authenticationOf({ type, hasOwnKeys, jwksUri }: OwnedApplication): Authentication {
  if (type !== 'confidential') return 'none';
  return hasOwnKeys || jwksUri !== undefined ? 'keys' : 'secret';
}

const hourMs = 3_600_000;
/** A secret that was made for an earlier run serves for another one while so much of its time is left. */
const reusableMs = hourMs / 2;
/** What it is called in the list of secrets. */
const secretName = 'Playground';

export interface ChosenSecret {
  readonly secret?: string;
  readonly madeSecretEndsAt?: number;
  readonly endsAt: Date;
}

/** Whether one is to be made, which takes a proof of who is signed in. */
export function makesSecret(
  application: OwnedApplication,
  { secretSource }: Pick<BeginRequest, 'secretSource'>,
  earlier: OpenRun | undefined,
): boolean {
  return authenticationOf(application) === 'secret' && secretSource === 'make' && reusable(earlier) === undefined;
}

function reusable(earlier: OpenRun | undefined): ChosenSecret | undefined {
  const { secret, madeSecretEndsAt } = earlier?.content ?? {};
  if (secret === undefined || madeSecretEndsAt === undefined) return undefined;
  const isLong = madeSecretEndsAt - Date.now() > reusableMs;
  return isLong ? { secret, madeSecretEndsAt, endsAt: new Date(madeSecretEndsAt) } : undefined;
}

interface ChoiceOptions {
  readonly db: Pick<Db, 'query'>;
  readonly applications: Pick<MyApplications, 'addSecret'>;
  readonly accountId: number;
  readonly application: OwnedApplication;
  readonly earlier: OpenRun | undefined;
}

/** The secret of the run, what is wrong with it, or `repeated` when the form was carried out before. */
export async function chooseSecret(
  options: ChoiceOptions,
  request: BeginRequest,
): Promise<ChosenSecret | BeginProblem | 'repeated'> {
  const { db, application, earlier } = options;
  const endsAt = new Date(Date.now() + hourMs);
  if (authenticationOf(application) !== 'secret') return { endsAt };
  const isGood = async (secret: string) => await isLivingSecretOf(db, application.clientId, hashClientSecret(secret));
  if (request.secretSource !== 'make') {
    const secret = request.secret.trim();
    if (secret === '') return 'secret-missing';
    return (await isGood(secret)) ? { secret, endsAt } : 'secret-wrong';
  }
  const again = reusable(earlier);
  if (again?.secret !== undefined && (await isGood(again.secret))) return again;
  return await makeSecret(options, request, endsAt);
}

async function makeSecret(
  { applications, accountId, application: { clientId } }: ChoiceOptions,
  { mark }: BeginRequest,
  endsAt: Date,
): Promise<ChosenSecret | BeginProblem | 'repeated'> {
  const mine = { ownerId: accountId, clientId, mark };
  const outcome = await applications.addSecret({ ...mine, name: secretName, expiresAt: endsAt });
  if (outcome.kind === 'added') {
    return { secret: outcome.clientSecret, madeSecretEndsAt: endsAt.getTime(), endsAt };
  }
  // One whose application went meanwhile finds no page either.
  return outcome.kind === 'enough' ? 'enough-secrets' : 'repeated';
}
