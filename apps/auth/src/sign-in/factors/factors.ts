import type { Db } from '@linnet/db/database';
import type { Secret } from '@linnet/service/config/secret';
import { formatServiceName } from '@linnet/ui/service-name';

import { createClaimOnce } from '../../protocol/storage/stored-payload.ts';
import { createChallenges } from './challenge.ts';
import { createPasskeys } from './passkeys.ts';
import type { Passkeys } from './passkeys.ts';
import { createSecondFactor } from './second-factor.ts';
import type { SecondFactor } from './second-factor.ts';

/** Ways to authenticate besides the password. */
export interface Factors {
  readonly passkeys: Passkeys;
  readonly secondFactor: SecondFactor;
}

interface FactorsOptions {
  readonly db: Db;
  readonly baseUrl: string;
  /** A slug; authenticators show its display form. */
  readonly serviceName: string;
  readonly secretKeys: readonly [Secret, ...Secret[]];
}

export function createFactors({ db, baseUrl, serviceName: slug, secretKeys }: FactorsOptions): Factors {
  const serviceName = formatServiceName(slug);
  const challenges = createChallenges(secretKeys, createClaimOnce(db));
  return {
    passkeys: createPasskeys({ db, baseUrl, serviceName, challenges }),
    secondFactor: createSecondFactor({ db, secretKeys, serviceName }),
  };
}
