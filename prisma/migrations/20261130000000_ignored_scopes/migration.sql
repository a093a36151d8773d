-- Scopes that do not exist are ignored beside `openid`; the owner of the application sees them.
ALTER TYPE "request_failure_kind" ADD VALUE 'ignored_scope' AFTER 'scope';
