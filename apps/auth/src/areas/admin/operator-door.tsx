/** Who may use the pages for operators (checklist UI14). */

import { NotAnOperator, actAsOperator } from '@linnet/accounts/operators/operator-act';
import { findOperatorStanding } from '@linnet/accounts/operators/role-store';
import type { Queryable, Transactional } from '@linnet/db/statement/transaction';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { renderPage } from '../../pages/frame/render.tsx';
import { Layout } from '../../pages/views/layout.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { usedFactor } from '../../sign-in/visit/step-up.ts';
import type { AreaPage, Door, Visit } from '../../sign-in/visit/area.ts';
import type { SignedIn, StepUp } from '../../sign-in/visit/step-up.ts';
import { findSignedIn } from '../../sign-in/visit/web.ts';

/** Everybody who is not an operator gets 404, as for a page that does not exist. */
export function createOperatorDoor(db: Queryable): Door {
  const enter: Door['enter'] = async (web, ctx) => {
    const signedIn = await findSignedIn(web, ctx);
    if (signedIn === undefined) return undefined;
    const standing = await findOperatorStanding(db, signedIn.session.accountId);
    if (standing === undefined) return undefined;
    const { factors } = standing;
    if (factors === 'known') return signedIn;
    const { frame, viewer } = signedIn;
    renderPage(ctx, <MissingFactorPage {...{ frame, factors }} username={viewer.username} />, { status: 403 });
    return undefined;
  };
  return { enter, leadsBack: async (accountId) => (await findOperatorStanding(db, accountId)) !== undefined };
}

/** Pages can be read for this long after a factor was used; acts need it within the last ten minutes. */
const readingMs = 3_600_000;

function mayRead({ session }: SignedIn): boolean {
  return usedFactor(session) && Date.now() - session.signedInAt.getTime() < readingMs;
}

/** Asks for a factor before it shows the page. */
export function afterFactor(stepUp: Pick<StepUp, 'redirectToReauthenticate'>, page: AreaPage): AreaPage {
  return {
    ...page,
    show: async (visit) => {
      if (mayRead(visit)) await page.show(visit);
      else stepUp.redirectToReauthenticate(visit.ctx);
    },
  };
}

/**
 * Runs an act of the operator who visits; its audit events have the reason. Returns undefined, and responds with 404, if
 * the role ended since the request arrived.
 */
export async function act<Result>(
  { sessionDb, session }: Visit,
  reason: string,
  work: (within: Transactional) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await actAsOperator(sessionDb, { operatorId: session.accountId, reason }, work);
  } catch (error) {
    if (error instanceof NotAnOperator) return undefined;
    throw error;
  }
}

interface MissingFactorPageProps {
  readonly frame: Frame;
  readonly username: string;
  /** `new`: a factor was added after the role was given. */
  readonly factors: 'none' | 'new';
}

/** All that an operator sees without a second factor that counts. */
export function MissingFactorPage({ frame, username, factors }: MissingFactorPageProps): VNode {
  const { factors: texts } = frame.messages.admin;
  return (
    <Layout frame={frame} title={texts.title} kind="card" section="admin">
      <h1>{texts.title}</h1>
      <p>{texts[factors]}</p>
      <p>{texts.command}</p>
      <pre>
        <code>{`linnet user grant-operator ${username}`}</code>
      </pre>
      <a class="button wide" href={pagePaths.security}>
        {texts.add}
      </a>
    </Layout>
  );
}
