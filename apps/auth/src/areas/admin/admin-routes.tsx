/** The pages for operators, with one route per page. `operator-door` decides who enters. */
import type { Db } from '@linnet/db/database';
import type { RevocationFeed } from '@linnet/revocations/feed';
import type Koa from 'koa';

import { pagePaths } from '../../pages/views/page-paths.ts';
import { createStepUp, reauthenticateRoute } from '../../sign-in/step-up/step-up.tsx';
import type { StepUpOptions } from '../../sign-in/step-up/step-up.tsx';
import { createArea } from '../../sign-in/visit/area.ts';
import type { Web } from '../../sign-in/visit/web.ts';
import { applicationRoute, applicationsRoute, chosenApplicationsRoute } from './applications/applications-route.tsx';
import { auditRoute } from './audit/audit.tsx';
import { afterFactor, createOperatorDoor } from './operator-door.tsx';
import { overviewRoute } from './overview/overview.tsx';
import { chosenPeopleRoute, peopleRoute } from './people/people.tsx';
import { reportRoute, reportsRoute } from './reports/reports.tsx';
import { blocksRoute } from './registrations/blocks.tsx';
import { registrationsRoute } from './registrations/registrations.tsx';
import { personRoute } from './people/person-route.tsx';

interface AdminRoutesOptions {
  readonly web: Web;
  readonly db: Db;
  readonly feed: Pick<RevocationFeed, 'status'>;
  /** How people confirm their identity elsewhere; here a password alone never does. */
  readonly proofs: StepUpOptions;
  /** Resolves when token requests see a change of an application. */
  readonly changed: (clientId: string) => Promise<void>;
}

export function createAdminRoutes({ web, db, feed, proofs, changed }: AdminRoutesOptions): Koa.Middleware {
  const strict = { ...proofs, requiresFactor: true, path: pagePaths.adminConfirm };
  const stepUp = createStepUp(strict);
  const pages = [
    overviewRoute({ db, feed }),
    reportsRoute(db),
    reportRoute(db),
    registrationsRoute(db),
    blocksRoute(db),
    peopleRoute(db),
    chosenPeopleRoute(db),
    personRoute({ db, changed }),
    applicationsRoute(db),
    chosenApplicationsRoute({ db, changed }),
    applicationRoute({ db, changed }),
    auditRoute(db),
  ].map((page) => afterFactor(stepUp, page));
  const confirm = reauthenticateRoute({ ...strict, baseUrl: web.baseUrl, next: pagePaths.admin });
  return createArea({ ...web, stepUp }, [confirm, ...pages], createOperatorDoor(db));
}
