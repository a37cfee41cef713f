import { userInfo } from 'node:os';

export function operatingSystemUser(): string {
  const sudoer = process.env['SUDO_USER'];
  return sudoer === undefined ? accountName() : `${accountName()} (sudo by ${sudoer})`;
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`; // a container's account without a name
  }
}
