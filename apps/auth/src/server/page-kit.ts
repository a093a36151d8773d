import { findApplicationFacts } from '@linnet/applications/application/application-facts-store';
import type { Accounts } from '@linnet/accounts/accounts';
import type { Db } from '@linnet/db/database';
import { clientAddress } from '@linnet/service/http/address';
import type { Secret } from '@linnet/service/config/secret';
import { loadAssets } from '@linnet/ui/assets';
import type { Assets } from '@linnet/ui/assets';
import type Koa from 'koa';

import type { AuthConfig } from './config.ts';
import { createCsrf } from '../pages/form/csrf.ts';
import type { Csrf } from '../pages/form/csrf.ts';
import { createLanguages } from '../pages/frame/language.ts';
import type { Languages } from '../pages/frame/language.ts';
import { createKnownBrowsers } from '../pages/throttle/known-browser.ts';
import { createFrameFactory, extraStyles, pageScripts, pageStyles, rootFiles } from '../pages/frame/page-frame.ts';
import type { CreateFrame } from '../pages/frame/page-frame.ts';
import { createThrottle, unlimited } from '../pages/throttle/throttle.ts';
import type { Throttle } from '../pages/throttle/throttle.ts';
import type { Web } from '../sign-in/visit/web.ts';

/** What every page is made with, and no signing key changes. */
export interface PageKit extends Pick<
  Web,
  'findViewer' | 'mustVerifyEmail' | 'isPublisherUnconfirmed' | 'findApplicationFacts'
> {
  readonly assets: Assets;
  readonly languages: Languages;
  readonly csrf: Csrf;
  readonly createFrame: CreateFrame;
  readonly throttle: Throttle;
  /** Whether mail reaches people, so that a link in mail proves an address. */
  readonly isMailConfigured: boolean;
  readonly clientAddress: (ctx: Pick<Koa.Context, 'req'>) => string;
}

interface PageKitOptions {
  readonly config: AuthConfig;
  readonly db: Db;
  readonly accounts: Accounts;
  readonly secretKeys: readonly Secret[];
}

export function createPageKit({ config, db, accounts, secretKeys }: PageKitOptions): PageKit {
  const { baseUrl, serviceName, trustProxy, rateLimits, mail, siteLinks, webClient: hasClient } = config;
  const assets = loadAssets({ path: '/assets', styles: pageStyles, extraStyles, scripts: pageScripts, rootFiles });
  const languages = createLanguages(baseUrl);
  const csrf = createCsrf({ baseUrl, keys: secretKeys });
  const addressOf = (ctx: Pick<Koa.Context, 'req'>) => clientAddress(ctx.req, trustProxy);
  const knownBrowsers = createKnownBrowsers({ db, baseUrl, secretKeys });
  // Without a mail server nobody can verify an address, so nobody has to.
  const isMailConfigured = mail.smtpUrl !== undefined;
  const mayInvite = config.mayPeopleInvite && ['approval', 'invitation'].includes(config.registration);
  return {
    assets,
    languages,
    csrf,
    createFrame: createFrameFactory({ serviceName, assets, siteLinks, hasClient, mayInvite, csrf, languages }),
    isMailConfigured,
    throttle: rateLimits ? createThrottle({ db, knownBrowsers, clientAddress: addressOf }) : unlimited,
    clientAddress: addressOf,
    findViewer: async (accountId) => await accounts.findById(accountId),
    mustVerifyEmail: async (id) => isMailConfigured && (await accounts.findById(id))?.emailVerifiedAt === null,
    isPublisherUnconfirmed: async (name) =>
      isMailConfigured && (await accounts.findByUsername(name))?.emailVerifiedAt === null,
    findApplicationFacts: (clientId) => findApplicationFacts(db, clientId),
  };
}
