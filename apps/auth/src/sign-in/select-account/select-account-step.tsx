import { redirectTo, renderPage } from '../../pages/frame/render.tsx';
import { InteractionEnded } from '../../protocol/authorize/interaction.ts';
import type { InteractionStep } from '../flow/interaction-step.ts';
import type { Web } from '../visit/web.ts';
import { SelectAccountPage, accountField } from './select-account-page.tsx';

/** Serves the prompt `select_account`: the person continues with the current account, or signs in with another. */
export function createSelectAccountStep(web: Web): InteractionStep {
  return {
    show: async ({ ctx, pending }) => {
      const { application, accountId, uiLocales } = pending;
      const account = accountId === undefined ? undefined : await web.findViewer(accountId);
      if (account === undefined) throw new InteractionEnded('the account does not exist');
      const frame = web.createFrame(ctx, { viewer: account, uiLocales });
      renderPage(ctx, <SelectAccountPage {...{ frame, application, account }} />, {
        // With an earlier consent, the form redirects straight to the application.
        leadsOut: true,
      });
    },
    submit: async ({ ctx, path }, form) => {
      const choice = form.text(accountField);
      if (choice === 'keep') redirectTo(ctx, await web.interactions.keepAccount(ctx));
      else {
        if (choice === 'other') await web.interactions.chooseOtherAccount(ctx);
        redirectTo(ctx, path);
      }
    },
  };
}
