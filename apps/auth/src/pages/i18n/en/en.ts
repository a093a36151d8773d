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

/** The English texts; their shape is that of every other language. */
export const en = {
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
};

export type Messages = typeof en;
