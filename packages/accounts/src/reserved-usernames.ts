import type { NameRules } from './names/name-rules.ts';
import { isReservedName } from './names/reserved-names.ts';

/** Names that could be mistaken for the service itself or for one of its paths (decisions, D40). */
const reserved = new Set([
  'about',
  'abuse',
  'account',
  'accounts',
  'admin',
  'administrator',
  'api',
  'auth',
  'billing',
  'blog',
  'contact',
  'developer',
  'developers',
  'docs',
  'everyone',
  'health',
  'help',
  'helpdesk',
  'hostmaster',
  'info',
  'legal',
  'linnet',
  'login',
  'logout',
  'media',
  'moderator',
  'noreply',
  'no_reply',
  'oauth',
  'official',
  'postmaster',
  'privacy',
  'register',
  'root',
  'security',
  'settings',
  'signin',
  'signout',
  'signup',
  'staff',
  'status',
  'support',
  'sysadmin',
  'system',
  'terms',
  'verified',
  'webmaster',
]);

/** True for a name that no account can have, unless an operator allows it. Such names count as taken. */
export function isReservedUsername(username: string, { serviceName, allowsAnyName = false }: NameRules): boolean {
  if (allowsAnyName) return false;
  return reserved.has(username.toLowerCase()) || isReservedName(username, serviceName);
}
