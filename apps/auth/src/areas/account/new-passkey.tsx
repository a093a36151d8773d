import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { findBrowser } from '../../pages/throttle/known-browser.ts';
import { ErrorSummary, TextField } from '../../pages/views/field.tsx';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { PasskeyForm, passkeyField } from '../../pages/views/passkey-form.tsx';
import type { Passkeys } from '../../sign-in/factors/passkeys.ts';
import type { AreaPage, Visit } from '../../sign-in/visit/area.ts';
import type { Web } from '../../sign-in/visit/web.ts';
import { AccountLayout } from './account-layout.tsx';

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

interface NewPasskeyPageProps {
  readonly frame: Frame;
  /** Options for `navigator.credentials.create`, as JSON. */
  readonly passkeyOptions: string;
  readonly name: string;
  readonly nameError?: string | undefined;
  readonly isRefused?: boolean;
}

export function NewPasskeyPage(props: NewPasskeyPageProps): VNode {
  const { frame, passkeyOptions, name, nameError, isRefused = false } = props;
  const { newPasskey: texts } = frame.messages.factors;
  return (
    <AccountLayout frame={frame} page="security" title={texts.title}>
      <p class="lead">{texts.intro}</p>
      <ErrorSummary frame={frame} errors={{ name: nameError }} problem={isRefused ? texts.refused : undefined} />
      <PasskeyForm
        frame={frame}
        act="create"
        question={passkeyOptions}
        class="panel"
        label={texts.submit}
        testId="create-passkey"
      >
        <TextField
          name="name"
          label={texts.name}
          hint={texts.nameHint}
          value={name}
          error={nameError}
          autocomplete="off"
        />
      </PasskeyForm>
    </AccountLayout>
  );
}
