-- Mail to the owner of an account about many wrong passwords.
ALTER TYPE "mail_kind" ADD VALUE 'sign_in_attempts';
