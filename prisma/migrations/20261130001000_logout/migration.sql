-- Sign-out at the request of an application (OpenID Connect RP-Initiated Logout).
ALTER TABLE "application"
  ADD COLUMN "post_logout_redirect_uris" text[] NOT NULL DEFAULT '{}',
  ADD CONSTRAINT "application_post_logout_redirect_uris_check" CHECK (cardinality("post_logout_redirect_uris") <= 20);
