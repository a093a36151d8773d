import type Koa from 'koa';

import { readFileForm } from '../../pages/http/file-form.ts';
import type { FileField, FileForm } from '../../pages/http/file-form.ts';
import { readForm } from '../../pages/http/form.ts';
import type { Form } from '../../pages/http/form.ts';
import type { Web } from './web.ts';

/**
 * Reads a form and checks that one of our pages sent it (checklist UI3).
 * @throws FormRefused, CrossSiteRequest or StaleForm; each has its own error page.
 */
export async function readOwnForm({ csrf }: Pick<Web, 'csrf'>, ctx: Koa.Context): Promise<Form> {
  const form = await readForm(ctx);
  csrf.requireSameOrigin(ctx, form);
  return form;
}

/**
 * Like `readOwnForm`, for a form with a file.
 * @throws FileTooLong as well.
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
