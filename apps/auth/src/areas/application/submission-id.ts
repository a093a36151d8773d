/** A hidden field with a random id, so that a form that is submitted twice acts once. */
import { randomBytes } from 'node:crypto';

import type { Form } from '../../pages/form/form.ts';

const submissionField = 'mark';

const newSubmissionId = () => randomBytes(18).toString('base64url');

/** Hidden fields for a form that must act only once. */
export function submissionFields(): Readonly<Record<string, string>> {
  return { [submissionField]: newSubmissionId() };
}

/** A form without an id, which no page of this service sends, gets a new one. */
export function readSubmissionId(form: Form): string {
  const id = form.text(submissionField);
  return id === '' ? newSubmissionId() : id;
}
