import type { RouterContext } from '@koa/router';

import { redirectTo } from '../../pages/http/done.ts';
import type { Form } from '../../pages/http/form.ts';
import { readOwnForm } from '../visit/own-form.ts';
import { renderPage } from '../../pages/http/render.tsx';
import type { Web } from '../visit/web.ts';
import { InteractionEnded } from '../../protocol/authorize/interaction.ts';
import type { PendingInteraction } from '../../protocol/authorize/interaction.ts';
import { ErrorPage } from '../../pages/views/error-page.tsx';
import { decisionField } from '../consent/consent-page.tsx';

type Answer = (ctx: RouterContext) => Promise<void>;

/** Lets requests in to the interaction of their address, `:uid`, and answers all others itself (checklist AZ19). */
export interface InteractionDoor {
  /** For a page; `show` gives false when the interaction cannot go on after all. */
  toShow(show: (ctx: RouterContext, pending: PendingInteraction) => Promise<boolean>): Answer;
  /** For a form that a page of ours sent. */
  toSubmit(submit: (ctx: RouterContext, pending: PendingInteraction, form: Form) => Promise<void>): Answer;
}

export function createInteractionDoor(web: Web): InteractionDoor {
  const { interactions } = web;

  /** It is over, or was begun in another browser. A form that comes late begins anew, but for a refusal. */
  async function answerEnded(ctx: RouterContext, form?: Form): Promise<void> {
    const restart = await interactions.findRestart(ctx, uidOf(ctx));
    if (form !== undefined && restart !== undefined && form.text(decisionField) !== 'deny') {
      redirectTo(ctx, restart);
      return;
    }
    const page = <ErrorPage frame={web.createFrame(ctx)} kind="ended-interaction" continueTo={restart} />;
    renderPage(ctx, page, { status: 400 });
  }

  return {
    toShow: (show) => async (ctx) => {
      const pending = await interactions.find(ctx, uidOf(ctx));
      if (pending === undefined || !(await show(ctx, pending))) await answerEnded(ctx);
    },
    toSubmit: (submit) => async (ctx) => {
      const pending = await interactions.find(ctx, uidOf(ctx));
      // A form that is refused is told so in the language of its page.
      if (pending !== undefined) web.createFrame(ctx, { uiLocales: pending.uiLocales });
      const form = await readOwnForm(web, ctx);
      try {
        if (pending === undefined) await answerEnded(ctx, form);
        else await submit(ctx, pending, form);
      } catch (error) {
        if (!(error instanceof InteractionEnded)) throw error;
        await answerEnded(ctx, form);
      }
    },
  };
}

function uidOf(ctx: RouterContext): string {
  return ctx.params['uid'] ?? '';
}
