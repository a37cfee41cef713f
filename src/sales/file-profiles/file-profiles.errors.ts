import { serviceError } from '../../http/errors/service-error.js';

export class UnknownFileProfile extends serviceError({
  code: 'unknown_file_profile',
  status: 404,
  text: (name: string) => `there is no file profile ${JSON.stringify(name)}`,
}) {}

export class FileProfilesNotGranted extends serviceError({
  code: 'file_profiles_not_granted',
  status: 403,
  text: 'file profiles are changed by users who may upload for all restaurants',
}) {}

export class InvalidFileProfile extends serviceError({
  code: 'invalid_file_profile',
  status: 400,
  text: (fault: string) => fault,
}) {}
