import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Account, AccountContext, loadAccount, useAccount, useNamed } from './account.js';
import { signOut } from './api/service.js';
import type { Session } from './api/session.js';
import { Button } from './components/button.js';
import { Notice } from './components/card.js';
import { closeMenu, Menu } from './components/menu.js';
import { isPeriod, rangeOfPeriod } from './data/periods.js';
import { drafts } from './day/draft.js';
import { copied } from './export/csv.js';
import { FindBox } from './find-box.js';
import { loadMore } from './load-later.js';
import { queryOf, useRoute, useScroll } from './route.js';
import { type Uploads, useUploads } from './upload/uploads.js';
import { useEvents } from './use-events.js';
import { forgetLoaded, Show, useLoad } from './use-load.js';
import { type ViewProps, VIEWS } from './views.js';

/** A day's date may change while the page is open. */
const REFRESH_MS = 300_000;

function forget(): void {
  forgetLoaded();
  drafts.clear();
}

/** The head of the page and the view below it. */
export function Shell({ username, told }: Pick<Session, 'username' | 'told'>) {
  const loaded = useLoad(loadAccount, [], undefined, REFRESH_MS);
  const uploads = useUploads(loaded.value);
  const isUnsaved = (): boolean => uploads.isWaiting || drafts.size > 0;
  // The browser asks before it closes a page with files or figures that are not saved.
  useEvents(['beforeunload'], (event) => {
    if (isUnsaved()) event.preventDefault();
  });
  useEffect(() => forget, []);
  const leave = (): void => {
    if (!isUnsaved() || confirm('Files or typed figures are not saved yet. Sign out?'))
      void signOut();
  };
  const account = loaded.value;
  return (
    <AccountContext.Provider value={account ?? ({} as Account)}>
      <a class="skip" href="#main" onClick={skip}>
        Skip to the content
      </a>
      <Head username={username} isKnown={account !== undefined} leave={leave} />
      <main id="main" tabIndex={-1}>
        {account && <Told text={told?.(account.timeZone)} />}
        <Show of={loaded} height={1000}>
          {() => <CurrentView uploads={uploads} />}
        </Show>
      </main>
      {account && (
        <footer class="foot no-print">
          <a href="#/words">Glossary</a>
          <Button class="link" act={() => print()}>
            Print
          </Button>
          <CopyLink today={account.today} />
        </footer>
      )}
    </AccountContext.Provider>
  );
}

/** Shows what was said at the sign-in, until it is closed. */
function Told({ text: given }: { text: string | undefined }) {
  const [text, setText] = useState(given);
  const close = <Button act={() => setText(undefined)}>Close</Button>;
  return text ? (
    <Notice role="status" actions={close}>
      {text}
    </Notice>
  ) : null;
}

interface HeadProps {
  readonly username: string;
  readonly isKnown: boolean;
  readonly leave: () => void;
}

function Head({ username, isKnown, leave }: HeadProps) {
  return (
    <header class="bar no-print">
      <a class="mark" href="#/">
        Hourly Sales
      </a>
      <Navigation />
      {isKnown && <FindBox />}
      <Menu label="Account" value={<Initials of={username} />} class="me">
        <div class="menu-list" onClick={closeMenu}>
          <b class="cut">{username}</b>
          <a href="#/account">Account</a>
          <a href="#/words">Glossary</a>
          <Button act={leave}>Sign out</Button>
        </div>
      </Menu>
    </header>
  );
}

function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function Initials({ of }: { of: string }) {
  return (
    <span aria-label={`Account of ${of}`} role="img">
      {Array.from(of).slice(0, 2).join('').toUpperCase()}
    </span>
  );
}

function Navigation() {
  const { view } = useRoute();
  const shown = VIEWS.find(({ address }) => address === view);
  return (
    <nav aria-label="Views">
      {VIEWS.filter(({ marks }) => marks === undefined).map(({ address, label }) => (
        <a
          key={address}
          href={`#/${address}`}
          aria-current={address === view || shown?.marks === address ? 'page' : undefined}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}

const whenIdle = (): Promise<unknown> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: 500 });
    else setTimeout(resolve, 200);
  });

/** Shows the view of the address; each step to another address begins it anew. */
function CurrentView({ uploads }: { uploads: Uploads }) {
  const { view: address, parts, query, step } = useRoute();
  useScroll(step);
  const view = VIEWS.find((each) => each.address === address);
  const { shows, usual = 'yesterday', marks } = view ?? VIEWS[0]!;
  const more = useLoad(() => whenIdle().then(loadMore), []);
  const ids = (parts[0] ?? query.get('restaurants') ?? '').split(',').filter(Boolean);
  const account = useNamed(useAccount(), ids);
  if (marks !== '-' && account?.count === 0)
    return <Notice>This account has no restaurants yet. An administrator grants them.</Notice>;
  if (!account) return null;
  const show = (View: ComponentType<ViewProps>) => <View key={step} {...{ usual, uploads }} />;
  return (
    <AccountContext.Provider value={account}>
      {!view && (
        <Notice kind="warn" role="alert">
          There is no view at this address. Today is shown instead.
        </Notice>
      )}
      {typeof shows === 'string' ? (
        <Show of={more} height={1000}>
          {(views) => show(views[shows] as ComponentType<ViewProps>)}
        </Show>
      ) : (
        show(shows)
      )}
    </AccountContext.Provider>
  );
}

/** Copies the address of the view; a period that has a name, or none, becomes its days. */
function CopyLink({ today }: { today: string }) {
  const { view, parts, query } = useRoute();
  const asked = { ...Object.fromEntries(query), ...fixedDays(view, query, today) };
  const path = [view, ...parts].join('/');
  const link = `${location.origin}${location.pathname}#/${path}${queryOf(asked)}`;
  return (
    <Button class="link" act={() => copied(link)}>
      Copy link to this view
    </Button>
  );
}

/** The days that a view shows where its address does not name them: tomorrow they would be others. */
function fixedDays(view: string, query: URLSearchParams, today: string): Record<string, string> {
  if (query.has('from') || query.has('to')) return {};
  if (view === 'days') return { to: today };
  const usual = VIEWS.find(({ address }) => address === view)?.usual;
  const named = query.get('period');
  const end = view === 'changes' ? today : undefined;
  return usual ? { ...rangeOfPeriod(isPeriod(named) ? named : usual, today, end), period: '' } : {};
}
