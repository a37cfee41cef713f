import { userInfo } from 'node:os';

/** Who runs this process: the account's name and, behind sudo, whose account it was before. */
export function operatingSystemUser(): string {
  const sudoer = process.env['SUDO_USER'];
  return sudoer === undefined ? accountName() : `${accountName()} (sudo by ${sudoer})`;
}

/** In a container an account may have no name. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
