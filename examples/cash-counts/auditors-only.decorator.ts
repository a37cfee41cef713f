import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { ApiForbiddenResponse } from '@nestjs/swagger';
import type { Principal } from '../../src/auth/tokens/current-user.decorator.js';
import { CashCountAuditorsService } from './cash-count-auditors.service.js';
import { NotAnAuditor } from './cash-counts.errors.js';

@Injectable()
class AuditorGuard implements CanActivate {
  constructor(private readonly auditors: CashCountAuditorsService) {}

  /** The token was checked before: the guards of a route come after those of the service. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { user } = context.switchToHttp().getRequest<{ readonly user: Principal }>();
    if (await this.auditors.isAuditor(user.userId)) return true;
    throw new NotAnAuditor();
  }
}

/** Serves a route to auditors alone. */
export const AuditorsOnly = (): MethodDecorator =>
  applyDecorators(UseGuards(AuditorGuard), ApiForbiddenResponse());
