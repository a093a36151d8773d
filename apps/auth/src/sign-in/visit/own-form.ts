import type Koa from 'koa';

import { readFileForm } from '../../pages/http/file-form.ts';
import type { FileField, FileForm } from '../../pages/http/file-form.ts';
import { readForm } from '../../pages/http/form.ts';
import type { Form } from '../../pages/http/form.ts';
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

/**
 * The same for a form with a file.
 * @throws FileTooLong besides.
 */
export async function readOwnFileForm(
  { csrf }: Pick<Web, 'csrf'>,
  ctx: Koa.Context,
  field: FileField,
): Promise<FileForm> {
  const form = await readFileForm(ctx, field);
  try {
    csrf.requireSameOrigin(ctx, form);
    return form;
  } catch (error) {
    await form[Symbol.asyncDispose]();
    throw error;
  }
}
