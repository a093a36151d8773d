-- An application that its owner creates, or that gains access, is reported to the owner by mail.
ALTER TYPE "mail_kind" ADD VALUE 'application_notice';
