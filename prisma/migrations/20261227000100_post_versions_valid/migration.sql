-- All rows meet the wider rules.
ALTER TABLE "mention" VALIDATE CONSTRAINT "mention_id_check";
ALTER TABLE "notification" VALIDATE CONSTRAINT "notification_comment_check";
