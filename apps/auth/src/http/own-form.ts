import type Koa from 'koa';

import { readForm } from './form.ts';
import type { Form } from './form.ts';
import type { Web } from './web.ts';

/**
 * The form that a page of ours sent; whoever asks for it may act on it (checklist UI3).
 * @throws FormRefused, CrossSiteRequest or StaleForm, each with a page of its own.
 */
export async function readOwnForm({ csrf }: Pick<Web, 'csrf'>, ctx: Koa.Context): Promise<Form> {
  const form = await readForm(ctx);
  csrf.requireSameOrigin(ctx, form);
  return form;
}
