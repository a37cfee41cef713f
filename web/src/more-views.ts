/** The views, and first steps after a sign-in, of which the code is loaded once the first view stands. */
export { AccountView } from './account/account-view.js';
export { PasswordCard } from './account/password-card.js';
export { SecondFactorCard } from './account/second-factor-card.js';
export { ChangesView } from './changes/changes-view.js';
export { DayView } from './day/day-view.js';
export { GlossaryView } from './glossary/glossary-view.js';
export { SalesView } from './sales/sales-view.js';
export { SentDaysView } from './sent-days/sent-days-view.js';
export { UploadView } from './upload/upload-view.js';
