import { Pattern } from '../../config/setting.decorators.js';

export class UploadsConfig {
  /** Days that uploads may be ahead of today. Empty: no limit. */
  @Pattern(/^\d{0,5}$/, 'must be a whole number or empty')
  readonly UPLOAD_MAX_FUTURE_DAYS: string = '';
}
