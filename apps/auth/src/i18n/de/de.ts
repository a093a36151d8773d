import type { Messages } from '../en/en.ts';
import { account } from './account.ts';
import { common } from './common.ts';
import { consent } from './consent.ts';
import { developer } from './developer.ts';
import { signIn } from './sign-in.ts';

/** The German texts. */
export const de = { ...common, signIn, consent, developer, account } satisfies Messages;
