import type { RegistrationMark } from '@linnet/contract/registration-block';

import type { Messages } from '../../pages/i18n/en/en.ts';

/** What operators read about a registration that stood out. */
export function toMarkText({ admin: { blocks } }: Messages, mark: RegistrationMark): string {
  return mark === 'no_proof' ? blocks.noProof : blocks.matched(blocks.kinds[mark]);
}
