import type { PostTexts } from '@linnet/ui/post.tsx';

import type { Messages } from '../../../pages/i18n/messages.ts';

/** The texts of posts in the reader's language. */
export function postTextsOf({ people, formatMinute, formatNumber }: Messages): PostTexts {
  return { ...people, formatMinute, formatCount: formatNumber };
}
