import { userInfo } from 'node:os';

/** Names the actor of an administrator's command for the audit log. */
export function administrator(): string {
  const sudoer = process.env['SUDO_USER'];
  return `administrator:${accountName()}${sudoer === undefined ? '' : ` (sudo by ${sudoer})`}`;
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`; // the account of a container may have no name
  }
}
