import type { Messages } from '../en/en.ts';
import { email, factors, activity, notifications } from './account-pages.ts';
import { account } from './account.ts';
import { admin } from './admin.ts';
import { developer } from './developer.ts';
import { everyPage, names } from './every-page.ts';
import { front, guides, problems, status } from './front.ts';
import { mail } from './mail.ts';
import { people, hidden, imports, invitations } from './people.ts';
import { reports } from './reports.ts';
import { signIn, device, consent } from './sign-in.ts';

/** The German texts. */
export const de = {
  ...everyPage,
  signIn,
  device,
  consent,
  admin,
  developer,
  account,
  email,
  factors,
  activity,
  notifications,
  front,
  guides,
  problems,
  status,
  mail,
  names,
  people,
  hidden,
  imports,
  invitations,
  reports,
} satisfies Messages;
