import type { Passkeys } from '../../sign-in/factors/passkeys.ts';
import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';
import type { Web } from '../../sign-in/visit/web.ts';
import { redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { passkeyField } from '../../pages/views/passkey-form.tsx';
import { NewPasskeyPage } from './new-passkey-page.tsx';
import type { NewPasskeyPageProps } from './new-passkey-page.tsx';
import { findBrowser } from '../../pages/throttle/known-browser.ts';

const maxNameLength = 60;

interface NewPasskeyOptions {
  readonly passkeys: Passkeys;
  /** An account with an unconfirmed address cannot add factors: someone else may own the address. */
  readonly mustVerifyEmail: Web['mustVerifyEmail'];
}

/** `/account/security/new-passkey`: registers a passkey that the browser creates. */
export function newPasskeyRoute({ passkeys, mustVerifyEmail }: NewPasskeyOptions): AreaPage {
  async function render(
    { ctx, frame, viewer, session }: Visit,
    { status = 200, ...state }: Omit<NewPasskeyPageProps, 'frame' | 'passkeyOptions'> & { readonly status?: number },
  ): Promise<void> {
    const passkeyOptions = await passkeys.createRegistrationOptions(
      { ...viewer, accountId: session.accountId },
      frame.csrfToken(),
    );
    const script = frame.assets.scripts['passkeys.js'];
    renderPage(ctx, <NewPasskeyPage {...state} {...{ frame, passkeyOptions }} />, { status, script });
  }

  return {
    path: pagePaths.newPasskey,
    needsRecentSignIn: true,
    show: async (visit) => {
      if (!passkeys.isPossible || (await mustVerifyEmail(visit.session.accountId))) {
        redirectTo(visit.ctx, pagePaths.security);
      } else {
        await render(visit, { name: proposeName(visit) });
      }
    },
    form: {
      stepUp: 'recent',
      act: async (visit, form) => {
        const { ctx, frame, session } = visit;
        const { newPasskey: texts } = frame.messages.factors;
        if (await mustVerifyEmail(session.accountId)) {
          redirectTo(ctx, pagePaths.security);
          return;
        }
        const name = form.text('name').replaceAll(/\s+/g, ' ').trim();
        if (name === '' || [...name].length > maxNameLength || /\p{Cc}/u.test(name)) {
          await render(visit, { name, nameError: texts.nameWrong, status: 422 });
          return;
        }
        const { accountId } = session;
        const answer = form.text(passkeyField);
        if (await passkeys.add(visit.sessionDb, { accountId, browser: frame.csrfToken(), answer, name })) {
          redirectTo(ctx, pagePaths.security, 'passkey-added');
        } else {
          await render(visit, { name, isRefused: true, status: 422 });
        }
      },
    },
  };
}

/** People recognize a passkey by the browser they created it in. */
function proposeName({ ctx, frame }: Visit): string {
  const found = findBrowser(ctx.get('user-agent'));
  if (found === undefined) return frame.messages.factors.newPasskey.nameProposal;
  const { browser, system } = found;
  return system === undefined ? browser : frame.messages.account.sessions.browserOn(browser, system);
}
