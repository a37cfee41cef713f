import { deleteBatch } from '../../database/housekeeping.js';
import { daysAgo } from '../throttling/login-attempts.repository.js';

// The instances' clocks differ.
export const EXPIRED_TOKENS = deleteBatch('tokens', 'jti', `expires_at < now() - interval '5 minutes'`);
export const EXPIRED_FAILURES = deleteBatch('login_failures', 'subject, network', 'expires_at < now()');
export const OLD_ADDRESSES = deleteBatch('known_addresses', 'user_id, network', `last_login_at < ${daysAgo('$1')}`);
