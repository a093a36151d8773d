import { account } from './account.ts';
import { common } from './common.ts';
import { consent } from './consent.ts';
import { developer } from './developer.ts';
import { signIn } from './sign-in.ts';

/** The English texts; their shape is that of every other language. */
export const en = { ...common, signIn, consent, developer, account };

export type Messages = typeof en;
