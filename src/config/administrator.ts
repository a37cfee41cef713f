import { userInfo } from 'node:os';

/** Names the actor of an administrator's command for the audit log. */
export function administrator(): string {
  const sudoer = process.env['SUDO_USER'];
  return `administrator:${accountName()}${sudoer === undefined ? '' : ` (sudo by ${sudoer})`}`;
}

/** Names the command line in its own texts as it was called. */
export function programName(): string {
  const isByNpm = process.env['npm_lifecycle_event'] === 'admin';
  return isByNpm ? 'npm run --silent admin --' : 'sales-admin';
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`; // the account of a container may have no name
  }
}
