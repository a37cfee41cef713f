import { userInfo } from 'node:os';

/** The actor of an administrator's command in the audit log. */
export function administrator(): string {
  const sudoer = process.env['SUDO_USER'];
  return `administrator:${accountName()}${sudoer === undefined ? '' : ` (sudo by ${sudoer})`}`;
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`; // a container's account without a name
  }
}
