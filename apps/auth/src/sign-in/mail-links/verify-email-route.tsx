import type { Accounts } from '@linnet/accounts/accounts';
import { endUnprovenAccess, isAddressUnproven } from '@linnet/applications/grants/first-proof-store';
import { UniqueViolation } from '@linnet/db/connection/database-error';
import type { Db } from '@linnet/db/database';
import type Koa from 'koa';

import { findLink, hashToken, useLink } from '../../mail/link-store.ts';
import type { Link } from '../../mail/link-store.ts';
import { createFormPages } from '../../pages/form/form-pages.ts';
import type { FormPages } from '../../pages/form/form-pages.ts';
import type { Form } from '../../pages/form/form.ts';
import type { Frame } from '../../pages/frame/frame.ts';
import { findDone, redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { findSignedIn } from '../visit/web.ts';
import type { Web } from '../visit/web.ts';
import { EmailVerifiedPage, InvalidLinkPage, VerifyEmailPage } from './verify-email-page.tsx';

interface VerifyEmailOptions {
  readonly web: Web;
  readonly db: Db;
  readonly accounts: Pick<Accounts, 'confirmEmail'>;
  readonly isMailConfigured: boolean;
}

/** `/verify-email?token=`: GET changes nothing; the button verifies the address, or changes the account's address to it. */
export function createVerifyEmailRoutes(options: VerifyEmailOptions): FormPages {
  const { web, db, isMailConfigured } = options;
  const frameFor = async (ctx: Koa.Context): Promise<Frame> =>
    (await findSignedIn(web, ctx))?.frame ?? web.createFrame(ctx);

  async function find(tokenSha256: Buffer | undefined): Promise<Link | undefined> {
    const link = tokenSha256 === undefined ? undefined : await findLink(db, tokenSha256);
    return link?.purpose === 'reset_password' ? undefined : link;
  }

  const show = async (ctx: Koa.Context) => {
    const frame = await frameFor(ctx);
    const done = findDone(ctx, ['confirmed', 'first-confirmed']);
    if (done !== undefined) {
      renderPage(ctx, <EmailVerifiedPage frame={frame} isFirstProof={done === 'first-confirmed'} />);
      return;
    }
    const { token } = ctx.query;
    const text = typeof token === 'string' ? token : '';
    const link = await find(hashToken(text));
    if (link === undefined) renderPage(ctx, <InvalidLinkPage frame={frame} of="verify" />, { status: 404 });
    else if (link.isWithdrawn) renderPage(ctx, <InvalidLinkPage frame={frame} of="withdrawn" />, { status: 410 });
    else if (link.isUsed) renderPage(ctx, <EmailVerifiedPage frame={frame} />);
    else {
      const isFirstProof = isMailConfigured && (await isAddressUnproven(db, link.accountId));
      renderPage(ctx, <VerifyEmailPage {...{ frame, isFirstProof }} email={link.email} token={text} />);
    }
  };

  const submit = async (ctx: Koa.Context, form: Form) => {
    const tokenSha256 = hashToken(form.text('token'));
    const link = await find(tokenSha256);
    if (tokenSha256 !== undefined && link !== undefined) {
      const done = link.isUsed ? 'confirmed' : await confirm(options, link, tokenSha256);
      if (done !== undefined) {
        redirectTo(ctx, pagePaths.verifyEmail, done);
        return;
      }
    }
    const isWithdrawn = (await find(tokenSha256))?.isWithdrawn === true;
    const of = isWithdrawn ? 'withdrawn' : 'verify';
    renderPage(ctx, <InvalidLinkPage frame={await frameFor(ctx)} of={of} />, { status: 422 });
  };

  const pages = [{ path: pagePaths.verifyEmail, show, submit }];
  return createFormPages<Koa.Context>({ csrf: web.csrf, enter: async (ctx) => ctx, pages });
}

/** Rolls back the transaction. */
class LinkInvalid extends Error {
  override readonly name = 'LinkInvalid';
}

/** Returns undefined if the link has been used or withdrawn, or another account has the address. */
async function confirm(
  { db, accounts, isMailConfigured }: VerifyEmailOptions,
  { accountId, email }: Link,
  tokenSha256: Buffer,
): Promise<'confirmed' | 'first-confirmed' | undefined> {
  try {
    return await db.transaction(async (tx) => {
      if (!(await useLink(tx, tokenSha256))) throw new LinkInvalid();
      const isFirstProof = isMailConfigured && (await endUnprovenAccess(tx, accountId));
      if (!(await accounts.confirmEmail({ accountId, email }, tx))) throw new LinkInvalid();
      return isFirstProof ? 'first-confirmed' : 'confirmed';
    });
  } catch (error) {
    if (error instanceof UniqueViolation || error instanceof LinkInvalid) return undefined;
    throw error;
  }
}
