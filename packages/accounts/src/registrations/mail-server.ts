/** The servers that take mail for a domain, as DNS says. */
import dns from 'node:dns/promises';

import { LRUCache } from 'lru-cache';

const timeoutMs = 2000;
const rememberedMs = 300_000;
const maxRemembered = 1000;

const remembered = new LRUCache<string, readonly string[]>({
  max: maxRemembered,
  ttl: rememberedMs,
  fetchMethod: async (domain) => await resolveMailServers(domain),
});

/** Their host names in lower case. `undefined`: DNS did not answer. */
export async function findMailServers(domain: string): Promise<readonly string[] | undefined> {
  return await remembered.fetch(domain);
}

async function resolveMailServers(domain: string): Promise<readonly string[] | undefined> {
  const resolver = new dns.Resolver({ timeout: timeoutMs, tries: 1 });
  resolver.setServers(dns.getServers());
  // Several name servers are asked one after the other.
  const timer = setTimeout(() => {
    resolver.cancel();
  }, timeoutMs);
  try {
    const found = await resolver.resolveMx(domain);
    return found.map(({ exchange }) => exchange.toLowerCase().replace(/\.$/, ''));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // Without a record, the domain is its own mail server (RFC 5321 §5.1).
    return code === 'ENODATA' || code === 'ENOTFOUND' ? [domain] : undefined;
  } finally {
    clearTimeout(timer);
  }
}
