import { commandError } from '../../http/errors/service-error.js';

export const MachineNotNamed = commandError({
  code: 'machine_not_named',
  status: 400,
  text: (machine: string) =>
    `which restaurant is machine ${machine}? Name it: --machine ${machine}=ID`,
});

export const HourRepeated = commandError({
  code: 'hour_repeated',
  status: 400,
  text: (hour: string, file: string) => `${hour} is also in ${file}: import one of the two`,
});

export const UserNotNamed = commandError({
  code: 'user_not_named',
  status: 400,
  text: (users: number) => `there are ${users} users: name the one who uploads with --user`,
});
